#include "views/code_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "scenes/source_lines.h"
#include "session/code_state.h"
#include "views/code_edit_strip.h"
#include "views/code_text.h"
#include "views/command_hint.h"
#include "views/panel_tabs.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

}  // namespace

// Draws, at the right end of the heading: mistakes, what is counted, control codes.
void CodeView::draw_toolbar(const session::ViewState& state, session::Requests& requests) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  Canvas canvas(Rect{from.x, from.y - 1, to.x, to.y + 1});
  Rect row = canvas.area();
  row.cut_left(tabs_width(canvas));
  const scenes::CountSource source = session::code_counts_of(state);
  if (source.counters != nullptr) {
    const bool grid = source.scope == scenes::CountScope::grid;
    if (word_button(canvas, row, grid ? "counts: whole grid" : "counts: this block", color(Role::text), false,
                    grid ? "Exact counts of the whole grid. Click: count the traced block alone."
                         : "Exact counts of the traced block alone. Click: count the whole grid, once it is "
                           "executed (G)."))
      requests.command = "code.scope";
  }
  if (word_button(canvas, row, "control codes",
                  color(state.code.control_codes ? Role::text_strong : Role::text), state.code.control_codes,
                  control_tooltip()))
    requests.command = "code.control_codes";
  if (word_button(canvas, row, "edit", color(state.code_edit.open ? Role::text_strong : Role::text),
                  state.code_edit.open, command_title(state, "code.edit"), command_key(state, "code.edit")))
    requests.command = "code.edit";
  if (marks_.empty()) return;
  const bool stops = scenes::stops(marks_.front().kind);
  if (word_button(canvas, row, (stops ? "\u00d7 " : "! ") + scenes::count_of_marks(marks_),
                  color(mark_role(marks_.front().kind)), false, "Click: go to the next one in the code.",
                  command_key(state, "code.next_finding")))
    requests.command = "code.next_finding";
}

void CodeView::derive_counts(const session::ViewState& state) {
  const scenes::CountSource source = session::code_counts_of(state);
  Derived now;
  now.compiled = state.compiled;
  now.block = state.block;
  now.grid = state.grid;
  now.model = state.model;
  now.counters = source.counters;
  if (state.failure) now.failure = state.failure->failure.message;
  now.hidden = state.lesson.hides().counts;
  if (now == counts_of_) return;
  std::optional<scenes::CodeCounts> counts = session::counted_code(state);
  if (now.hidden) counts.reset();
  has_counts_ = counts.has_value();
  counts_ = std::move(counts).value_or(scenes::CodeCounts{});
  marks_ = session::code_marks_of(state);
  counts_of_ = std::move(now);
}

void CodeView::derive_rows(const session::ViewState& state, const scenes::CodeLayout& layout,
                           float character) {
  const std::vector<std::string>& lines = source_lines(state);
  const auto characters = [&](const scenes::CodePane& pane) {
    return static_cast<int>((pane.text_right - pane.number_right) / character) - 2;
  };
  Derived now = counts_of_;
  now.rank_by = state.code.rank_by;
  now.sorted = state.code.sorted;
  now.source_lines = lines.size();
  now.source_characters = characters(layout.source);
  now.sass_characters = characters(layout.sass);
  if (now == rows_of_) return;
  const bool reordered = now.sorted != rows_of_.sorted || (now.sorted && now.rank_by != rows_of_.rank_by);
  if (reordered) sass_.scroll = 0, sass_.marked = -1;
  source_rows_ = scenes::code_rows(scenes::CodeSide::source, lines.size(), {}, marks_, now.source_characters);
  const std::vector<uint32_t> order = scenes::instruction_order(state.code, has_counts_ ? &counts_ : nullptr);
  const size_t instructions = state.compiled == nullptr ? 0 : state.compiled->instructions.size();
  sass_rows_ = scenes::code_rows(scenes::CodeSide::sass, instructions, order, marks_, now.sass_characters);
  const auto longest = [](const std::vector<std::string>& texts) {
    size_t most = 0;
    for (const std::string& text : texts) most = std::max(most, text.size());
    return static_cast<int>(most);
  };
  source_.longest = longest(lines);
  sass_.longest = state.compiled == nullptr ? 0 : longest(state.compiled->text) - 2;  // without " ;"
  rows_of_ = std::move(now);
}

void CodeView::derive_warps(const session::ViewState& state) {
  warps_of_instruction_.clear();
  warps_of_line_.clear();
  const bool shown = state.pipeline_is_open() && session::is_tracing(state);
  warp_count_ = shown ? static_cast<int>(state.block->trace.warp_count) : 0;
  if (!shown) return;
  for (const scenes::WarpPlace& place : state.warp_places()) {
    warps_of_instruction_[place.instruction].push_back(place.warp);
    if (const int line = scenes::own_line(*state.compiled, place.instruction); line > 0)
      warps_of_line_[line].push_back(place.warp);
  }
}

void CodeView::scroll_to(Pane& pane, const scenes::CodePane& place, float y, size_t rows) {
  const float share = std::clamp((y - place.body.top) / std::max(1.0f, place.body.height()), 0.0f, 1.0f);
  pane.scroll = share * static_cast<float>(rows) * place.row_height - place.body.height() / 2;
}

// Moves the splitter and the scroll bars with the mouse.
void CodeView::drag(const session::ViewState& state, session::Requests& requests,
                    const scenes::CodeLayout& layout, Canvas& canvas) {
  const drawing::Point mouse = canvas.mouse();
  const auto at = [&](Rect rect) { return canvas.hovered() && rect.contains(mouse); };
  if (canvas.clicked()) {
    grip_ = at(layout.splitter)            ? Grip::splitter
            : at(layout.source.scrollbar)  ? Grip::source_bar
            : at(layout.sass.scrollbar)    ? Grip::sass_bar
            : at(layout.source.sidescroll) ? Grip::source_side
            : at(layout.sass.sidescroll)   ? Grip::sass_side
                                           : Grip::none;
  }
  if (!canvas.held()) grip_ = Grip::none;
  if (at(layout.splitter) || grip_ == Grip::splitter)
    ImGui::SetMouseCursor(layout.stacked ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
  const auto aside = [&](Pane& pane, const scenes::CodePane& place) {
    const float share = (mouse.x - place.sidescroll.left) / std::max(1.0f, place.sidescroll.width());
    const float room = (place.text_right - place.text_left) / canvas.text_width("0", kCodeFont);
    pane.sideways = static_cast<int>(share * static_cast<float>(pane.longest) - room / 2);
  };
  switch (grip_) {
    case Grip::none:
      return;
    case Grip::splitter: {
      const Rect area = canvas.area();
      const float split =
          layout.stacked ? mouse.y / std::max(1.0f, area.height()) : mouse.x / std::max(1.0f, area.width());
      asked_code(state, requests).split = std::clamp(split, 0.15f, 0.85f);
      return;
    }
    case Grip::source_bar:
      return scroll_to(source_, layout.source, mouse.y, source_rows_.rows.size());
    case Grip::sass_bar:
      return scroll_to(sass_, layout.sass, mouse.y, sass_rows_.rows.size());
    case Grip::source_side:
      return aside(source_, layout.source);
    case Grip::sass_side:
      return aside(sass_, layout.sass);
  }
}

void CodeView::draw(const session::ViewState& state, session::Requests& requests) {
  draw_tabs(state, requests);
  derive_counts(state);
  draw_toolbar(state, requests);
  draw_code_edit_strip(state, requests);
  Canvas canvas("code");
  const bool broken = is_broken(state);
  if (state.compiled == nullptr && !broken)
    return draw_empty(canvas, state.failure ? "No machine code." : "Compiling\u2026");
  derive_warps(state);
  const scenes::CodeLayout layout = scenes::layout_code(canvas.area(), scene_metrics(canvas), state.code,
                                                        has_counts_ ? &counts_ : nullptr, warp_count_);
  drag(state, requests, layout, canvas);
  derive_rows(state, layout, canvas.text_width("0", kCodeFont));
  revealing_ = state.code.reveals != reveals_;
  reveals_ = state.code.reveals;
  draw_source(state, requests, layout.source, canvas);
  if (state.compiled != nullptr)
    draw_sass(state, requests, layout.sass, canvas);
  else
    canvas.text(layout.sass.area, "No machine code.", color(Role::text_dim),
                {FontRole::body, AlignX::center, AlignY::center});
  menu_.draw(state, requests);
  const bool held = grip_ == Grip::splitter;
  const bool pointed = canvas.hovered() && layout.splitter.contains(canvas.mouse());
  const Rect& s = layout.splitter;
  const drawing::Color ink = color(held || pointed ? Role::accent : Role::panel_border);
  const float half = canvas.px(1) / 2;
  canvas.fill_rect(layout.stacked ? Rect{s.left, s.center().y - half, s.right, s.center().y + half}
                                  : Rect{s.center().x - half, s.top, s.center().x + half, s.bottom},
                   ink);
}

}  // namespace gemmscope::views
