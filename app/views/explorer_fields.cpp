#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "drawing/focus.h"
#include "drawing/number_field.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "views/explorer_panel.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::FontRole;
using drawing::px;
using drawing::Role;
using experiment::BankMistake;
using experiment::BankQuestion;
using metrics::SharedOp;
using Field = BankMistake::Field;

constexpr float kLabelPoints = 62, kPlatePoints = 40;

bool is_wrong(const session::Explorer& explorer, Field field, size_t access = 0) {
  return explorer.mistake && explorer.mistake->field == field &&
         (field != Field::access || explorer.mistake->access == access);
}

void small_label(std::string_view text) {
  const drawing::ScopedFont font(FontRole::small);
  drawing::dim_text(text);
}

void row_label(const char* text) {
  const drawing::ScopedFont font(FontRole::small);
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  drawing::plain_text(text);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(left + px(kLabelPoints));
}

// The wavefronts of an access: the chosen one's as the plate above the picture, the others' paler.
void draw_plate(drawing::Canvas& canvas, drawing::Rect rect, const experiment::BankAccess& access,
                bool chosen) {
  const bool misfit = access.where.misfit != metrics::Misfit::none;
  const drawing::Color fill = drawing::color(misfit                      ? Role::error
                                             : access.count.excess() > 0 ? Role::conflict
                                                                         : Role::ok);
  canvas.fill_round_rect(rect, chosen ? fill : with_opacity(fill, 0.35f), px(4));
  canvas.text(rect, misfit ? "!" : std::to_string(access.count.wavefronts),
              chosen ? drawing::readable_on(fill) : drawing::color(Role::text_strong),
              {FontRole::body_strong, AlignX::center});
  drawing::tooltip(experiment::sentence_of(access));
}

const char* op_name(SharedOp op) {
  return op == SharedOp::load ? "load" : op == SharedOp::store ? "store" : "ldmatrix";
}

// Chooses load, store or ldmatrix, and how wide.
bool op_and_width(experiment::AccessText& text, uint32_t element_bytes) {
  bool changed = false;
  ImGui::SetNextItemWidth(px(96));
  if (ImGui::BeginCombo("##op", op_name(text.op), ImGuiComboFlags_HeightLargest)) {
    for (const SharedOp op : {SharedOp::load, SharedOp::store, SharedOp::matrix_load})
      if (drawing::list_item(op_name(op), op == text.op) && op != text.op) {
        if (op == SharedOp::matrix_load || text.op == SharedOp::matrix_load) text.type.clear();
        text.op = op;
        changed = true;
      }
    ImGui::EndCombo();
  }
  drawing::tab_stop(drawing::StopKind::control);
  drawing::same_line(4);
  ImGui::SetNextItemWidth(px(104));
  const bool matrices = text.op == SharedOp::matrix_load;
  if (drawing::begin_combo("##width", text.type.empty() ? (matrices ? "x4" : "element") : text.type.c_str(),
                           ImGuiComboFlags_HeightLargest)) {
    const auto offer = [&](const char* type, const std::string& title) {
      if (drawing::list_item(drawing::item_label(title).c_str(), text.type == type) && text.type != type) {
        text.type = type;
        changed = true;
      }
    };
    if (matrices) {
      for (const char* count : {"x1", "x2", "x4"})
        offer(count, fmt::format("{}: matrices of 8 rows of 16 bytes", count));
    } else {
      offer("", fmt::format("1 element, {} bytes", element_bytes));
      constexpr std::pair<const char*, uint32_t> kTypes[] = {{"float", 4}, {"float2", 8}, {"float4", 16}};
      for (const auto& [type, bytes] : kTypes)
        if (bytes > element_bytes) offer(type, fmt::format("{}, {} bytes", type, bytes));
    }
    ImGui::EndCombo();
  }
  drawing::tab_stop(drawing::StopKind::control);
  drawing::tooltip("What a lane accesses in one instruction");
  return changed;
}

}  // namespace

void ExplorerPanel::ask(session::Requests& requests, BankQuestion question, bool continues) {
  session::ExplorerRequest request;
  request.question = std::move(question);
  request.continues = continues;
  requests.explorer = std::make_shared<const session::ExplorerRequest>(std::move(request));
}

// A field of code, live while it is typed into. Returns true when it changed.
bool ExplorerPanel::text_field(const char* id, std::string& text, bool wrong, float width, const char* hint) {
  const drawing::ScopedFont font(FontRole::mono);
  ImGui::SetNextItemWidth(width);
  if (wrong) {
    ImGui::PushStyleColor(ImGuiCol_Border, drawing::packed(drawing::color(Role::error)));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, px(1.5f));
  }
  const bool changed = ImGui::InputText(id, &text);
  if (wrong) {
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  const bool active = ImGui::IsItemActive();
  drawing::tab_stop(drawing::StopKind::field, id + 2);
  if (!active) drawing::tooltip(hint);
  if (changed) {
    continues_ = edited_ == id;
    edited_ = id;
  } else if (!active && edited_ == id) {
    edited_.clear();
  }
  return changed;
}

void ExplorerPanel::draw_layout(const session::Explorer& explorer, session::Requests& requests) {
  const BankQuestion& now = explorer.now.question;
  const float value = px(30);
  const auto slide = [&](const char* id, float& at, float most, float width) {
    const bool moved = drawing::slider(id, at, 0, most, width, 1);
    const bool held = ImGui::IsItemActive();
    if (moved) {
      continues_ = held && edited_ == id;
      edited_ = held ? id : "";
    } else if (!held && edited_ == id) {
      edited_.clear();
    }
    return moved;
  };
  row_label("Padding");
  auto padding = static_cast<float>(now.padding);
  if (slide("padding", padding, metrics::kMostPadding,
            std::max(px(20), ImGui::GetContentRegionAvail().x - value - px(6))) &&
      std::lround(padding) != now.padding) {
    BankQuestion next = now;
    next.padding = static_cast<int>(std::lround(padding));
    ask(requests, std::move(next), continues_);
  }
  drawing::tooltip("Elements after each row, besides those declared");
  drawing::same_line(6);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{:>2}", now.padding).c_str());
  if (explorer.answer == nullptr) return;
  const metrics::TileLayout& layout = explorer.answer->tile.layout;
  std::vector<std::string> texts = {"column"};
  for (const metrics::XorSwizzle& swizzle : metrics::xor_swizzles(layout))
    texts.push_back(metrics::expression_of(swizzle, layout));
  const auto found = std::find(texts.begin(), texts.end(), now.swizzle);
  row_label("Swizzle");
  const float room = ImGui::GetContentRegionAvail().x;
  auto at = static_cast<float>(found == texts.end() ? 0 : found - texts.begin());
  ImGui::BeginDisabled(texts.size() < 2);
  if (slide("swizzle", at, static_cast<float>(std::max<size_t>(texts.size() - 1, 1)),
            std::round(room * 0.36f))) {
    const auto index = std::min(static_cast<size_t>(std::lround(std::max(0.0f, at))), texts.size() - 1);
    if (texts[index] != now.swizzle) {
      BankQuestion next = now;
      next.swizzle = texts[index];
      ask(requests, std::move(next), continues_);
    }
  }
  ImGui::EndDisabled();
  drawing::tooltip(texts.size() < 2 ? "This row has no XOR swizzle: it needs a multiple of a power of two."
                                    : "XOR swizzles of this tile, the simplest first");
  drawing::same_line(6);
  BankQuestion next = now;
  if (text_field("##place", next.swizzle, is_wrong(explorer, Field::swizzle), -1,
                 "The column where an element lies: an expression of row and column"))
    ask(requests, std::move(next), continues_);
}

// An access that is not chosen: its wavefronts and its text, to click.
bool ExplorerPanel::draw_closed_access(const session::Explorer& explorer, size_t index) {
  const bool known = explorer.answer != nullptr && index < explorer.answer->accesses.size();
  const float height = std::round(drawing::line_height(FontRole::mono) + px(5));
  drawing::Canvas canvas("closed", {0, height});
  drawing::tab_stop(drawing::StopKind::control);
  drawing::Rect row = canvas.area();
  if (canvas.hovered()) canvas.fill_round_rect(row, drawing::color(Role::control_hover), px(4));
  const drawing::Rect plate = row.cut_left(px(kPlatePoints));
  row.cut_left(px(6));
  if (known) draw_plate(canvas, plate, explorer.answer->accesses[index], false);
  const std::string& text = explorer.now.question.accesses[index];
  const bool fits = canvas.text_width(text, drawing::FontRole::mono) <= row.width();
  canvas.text(row, text, drawing::color(is_wrong(explorer, Field::access, index) ? Role::error : Role::text),
              {fits ? FontRole::mono : FontRole::mono_small});
  return canvas.clicked();
}

void ExplorerPanel::draw_access(const session::Explorer& explorer, session::Requests& requests,
                                size_t index) {
  const BankQuestion& now = explorer.now.question;
  const bool known = explorer.answer != nullptr && index < explorer.answer->accesses.size();
  const auto id = static_cast<int>(index);
  ImGui::PushID(id);
  if (index != explorer.chosen) {
    if (draw_closed_access(explorer, index)) {
      session::ExplorerRequest request;
      request.chosen = index;
      requests.explorer = std::make_shared<const session::ExplorerRequest>(request);
    }
    return ImGui::PopID();
  }
  {
    drawing::Canvas canvas("plate", {px(kPlatePoints), ImGui::GetFrameHeight()});
    if (known) draw_plate(canvas, canvas.area(), explorer.answer->accesses[index], true);
  }
  drawing::same_line(6);
  experiment::AccessText text = experiment::split_access(now.accesses[index]);
  const uint32_t element = explorer.answer == nullptr ? 4 : explorer.answer->tile.layout.element_bytes;
  BankQuestion next = now;
  if (op_and_width(text, element)) {
    next.accesses[index] = experiment::join_access(text);
    ask(requests, next, false);
  }
  if (now.accesses.size() > 1) {
    drawing::same_line(4);
    if (drawing::icon_button("remove", drawing::Icon::close, "Remove this access")) {
      next.accesses.erase(next.accesses.begin() + id);
      ask(requests, next, false);
    }
  }
  const std::string field = fmt::format("##access{}", index);
  if (text_field(
          field.c_str(), text.target, is_wrong(explorer, Field::access, index), -1,
          "NAME[row][column], of lane, warp, tid, threadIdx.x, i, j and k; \"if lane < 16\" may follow") &&
      index < next.accesses.size()) {
    next.accesses[index] = experiment::join_access(text);
    ask(requests, std::move(next), continues_);
  }
  ImGui::PopID();
}

// The loop variables, and the block where threadIdx or tid is used.
void ExplorerPanel::draw_numbers(const session::Explorer& explorer, session::Requests& requests) {
  if (explorer.answer == nullptr) return;
  BankQuestion next = explorer.now.question;
  bool changed = false, first = true;
  const auto number = [&](const char* name, int64_t& value, int64_t least, int64_t most) {
    if (!first) drawing::same_line(10);
    if (!first && ImGui::GetContentRegionAvail().x < px(150)) ImGui::NewLine();
    first = false;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    drawing::same_line(5);
    ImGui::SetNextItemWidth(px(112));
    int64_t typed = value;
    if (drawing::whole_number_field(fmt::format("##{}", name).c_str(), typed, 1) &&
        std::clamp(typed, least, most) != value) {
      value = std::clamp(typed, least, most);
      changed = true;
    }
  };
  for (size_t v = 0; v < next.loop.size(); ++v)
    if (explorer.answer->uses(experiment::kLoopVariables[v]))
      number(experiment::kLoopVariables[v], next.loop[v], 0, 65535);
  const bool block = explorer.answer->uses_block();
  if (block || explorer.answer->uses("warp")) number("warp", next.warp, 0, 31);
  if (block) {
    number("blockDim.x", next.block_dim[0], 1, 1024);
    number("y", next.block_dim[1], 1, 1024);
  }
  if (changed) ask(requests, std::move(next), false);
}

void ExplorerPanel::draw_fields(const session::Explorer& explorer, session::Requests& requests) {
  BankQuestion next = explorer.now.question;
  row_label("Tile");
  if (text_field("##declaration", next.declaration, is_wrong(explorer, Field::declaration), -1,
                 "The array in shared memory, as in CUDA C++: float As[16][132]"))
    ask(requests, next, continues_);
  draw_layout(explorer, requests);
  drawing::gap(3);
  small_label("Accesses of a warp: wavefronts, what, how wide, where");
  for (size_t i = 0; i < explorer.now.question.accesses.size(); ++i) draw_access(explorer, requests, i);
  draw_numbers(explorer, requests);
}

}  // namespace gemmscope::views
