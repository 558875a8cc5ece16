#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/focus.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/bank_explorer_scene.h"
#include "scenes/occupancy_scene.h"
#include "views/command_hint.h"
#include "views/explorer_panel.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

// A fix to click: what it is, and below it what it costs.
bool fix_row(int id, const scenes::FixText& text, bool is_now) {
  ImGui::PushID(id);
  const float line = drawing::line_height(FontRole::mono), small = drawing::line_height(FontRole::small);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  const float cost =
      std::max(small, drawing::text_wrapped_height(text.cost, FontRole::small, width - px(16)));
  const ImVec2 size{width, std::round(line + cost + px(9))};
  const bool pressed = ImGui::InvisibleButton("fix", size);
  const bool hovered = ImGui::IsItemHovered();
  drawing::tab_stop(drawing::StopKind::control);
  if (!is_now) drawing::tooltip("Click to apply it");
  Canvas canvas(Rect::at({corner.x, corner.y}, {size.x, size.y}));
  canvas.fill_round_rect(canvas.area(),
                         color(is_now    ? Role::accent_subtle
                               : hovered ? Role::control_hover
                                         : Role::control),
                         px(4));
  Rect inner = canvas.area().inset(px(8), px(3));
  Rect upper = inner.cut_top(line);
  const char* word = is_now ? "now" : "Apply";
  canvas.text(upper.cut_right(std::ceil(canvas.text_width("Apply", FontRole::small)) + px(2)), word,
              color(is_now ? Role::text_dim : Role::accent), {FontRole::small, AlignX::right});
  canvas.text(upper, text.title, color(Role::text_strong), {FontRole::mono});
  canvas.text_wrapped(inner, text.cost, color(Role::text_dim), FontRole::small);
  ImGui::PopID();
  return pressed && !is_now;
}

std::optional<metrics::OccupancyPoint> needs_of(const session::ViewState& state) {
  const auto& source = state.explorer->now.source;
  if (!source || state.compiled == nullptr || state.compiled->kernel.id != source->kernel)
    return std::nullopt;
  return scenes::occupancy_point_of(*state.compiled);
}

}  // namespace

void ExplorerPanel::draw_head(const session::ViewState& state, session::Requests& requests) {
  const float close = drawing::text_width(FontRole::body, "Close") + px(28);
  ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x * 0.34f, px(120), px(330)));
  if (drawing::begin_combo("##examples", "Examples", ImGuiComboFlags_HeightLargest)) {
    for (const session::ExplorerExample& example : session::explorer_examples())
      if (ImGui::Selectable(drawing::item_label(example.title).c_str())) {
        session::ExplorerRequest request;
        request.example = example.id;
        requests.explorer = std::make_shared<const session::ExplorerRequest>(request);
      }
    ImGui::EndCombo();
  }
  drawing::tab_stop(drawing::StopKind::control);
  drawing::tooltip("Tiles and accesses to begin with");
  drawing::same_line(8);
  if (drawing::quiet_button("From the cursor", command_enabled(state, "explorer.from_access")))
    requests.command = "explorer.from_access";
  drawing::tooltip("Fills it from the access to shared memory that the cursor shows",
                   command_key(state, "explorer.from_access"));
  if (!state.explorer->wide) return;
  drawing::same_line(8);
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - close + px(8));
  if (drawing::quiet_button("Close")) requests.command = "explorer.show";
  drawing::tooltip("Back to the map and the code", command_key(state, "explorer.show"));
}

void ExplorerPanel::draw_fixes(const session::ViewState& state, session::Requests& requests) {
  const session::Explorer& explorer = *state.explorer;
  drawing::gap(2);
  session::ExplorerRequest request;
  if (explorer.now.question.accesses.size() < experiment::kMostBankAccesses) {
    if (drawing::quiet_button("Another access") && explorer.answer != nullptr) {
      experiment::BankQuestion next = explorer.now.question;
      next.accesses.push_back(next.accesses.back());
      request.chosen = next.accesses.size() - 1;
      request.question = std::move(next);
    }
    drawing::same_line(8);
  }
  if (explorer.finding ? drawing::quiet_button("Hide the fixes") : drawing::primary_button("Find a fix"))
    request.finding = !explorer.finding;
  drawing::tooltip("Layouts in which every access above takes its fewest wavefronts",
                   command_key(state, "explorer.find_fix"));
  if (explorer.finding && explorer.answer != nullptr) {
    const std::vector<session::ListedFix> fixes = session::listed_fixes(explorer);
    const auto needs = needs_of(state);
    for (size_t i = 0; i < fixes.size(); ++i) {
      const scenes::FixText text = fixes[i].is_padding
                                       ? scenes::padding_text(*explorer.answer, *explorer.fixes.padding,
                                                              explorer.fixes.padding_bytes, needs)
                                       : scenes::swizzle_text(*explorer.answer, fixes[i].swizzle);
      if (fix_row(static_cast<int>(i), text, fixes[i].question == explorer.now.question))
        request.question = fixes[i].question;
    }
    for (const std::string& sentence : scenes::missing_fixes(*explorer.answer, explorer.fixes)) {
      const drawing::ScopedFont font(FontRole::small);
      drawing::dim_text(sentence);
    }
  }
  if (request.question || request.finding)
    requests.explorer = std::make_shared<const session::ExplorerRequest>(std::move(request));
}

void ExplorerPanel::draw_way_back(const session::ViewState& state, session::Requests& requests) {
  const session::Explorer& explorer = *state.explorer;
  if (!explorer.now.source) return;
  const experiment::BankSource& source = *explorer.now.source;
  drawing::gap(4);
  {
    const drawing::ScopedFont font(FontRole::small);
    const std::string_view instruction(source.instruction);
    drawing::dim_text(fmt::format("From {}: {}", source.place.empty() ? source.kernel : source.place,
                                  instruction.substr(0, instruction.rfind(" ;"))));
  }
  for (const experiment::LayoutChoice& choice : explorer.choices) {
    const bool possible = choice.why_not.empty();
    if (drawing::primary_button(fmt::format("Set {}", choice.title).c_str(), possible)) {
      requests.experiment = choice.next;
      requests.command = "explorer.show";
    }
    drawing::tooltip(
        possible ? "Changes the kernel and returns to its picture. " + choice.note : choice.why_not,
        possible ? command_key(state, "explorer.to_kernel") : "");
  }
  const experiment::BankQuestion& now = explorer.now.question;
  if (explorer.choices.empty() && (now.padding > 0 || now.swizzle != "column")) {
    const drawing::ScopedFont font(FontRole::small);
    drawing::dim_text(state.experiment.kernel == source.kernel
                          ? fmt::format("{} has no toggle that makes this layout.", source.kernel)
                          : fmt::format("Another kernel is shown now; {} has this array.", source.kernel));
  }
}

}  // namespace gemmscope::views
