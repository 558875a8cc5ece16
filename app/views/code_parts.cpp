// Parts of a pane of the code view: scrolling, heads, numbers, sentences and scroll bars.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "drawing/widgets.h"
#include "scenes/code_colors.h"
#include "scenes/port_scene.h"
#include "scenes/timeline_scene.h"
#include "views/code_text.h"
#include "views/code_view.h"
#include "views/flash_mark.h"

namespace gemmscope::views {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

drawing::Role mark_role(scenes::MarkKind kind) {
  return scenes::stops(kind) || kind == scenes::MarkKind::broken ? Role::error : Role::warning;
}

void draw_mark_sign(Canvas& canvas, Rect place, scenes::MarkKind kind) {
  const drawing::Color fill = color(mark_role(kind)), ink = color(Role::panel);
  const drawing::Point c{std::round(place.center().x), std::round(place.center().y)};
  const float r = std::floor(std::min(place.width(), place.height()) * 0.48f), thick = canvas.px(1.5f);
  if (scenes::stops(kind)) {
    canvas.fill_circle(c, r, fill);
    const float d = r * 0.45f;
    canvas.line({c.x - d, c.y - d}, {c.x + d, c.y + d}, ink, thick);
    canvas.line({c.x - d, c.y + d}, {c.x + d, c.y - d}, ink, thick);
    return;
  }
  canvas.fill_triangle({c.x - r, c.y + r * 0.85f}, {c.x, c.y - r}, {c.x + r, c.y + r * 0.85f}, fill);
  canvas.fill_rect({c.x - thick / 2, c.y - r * 0.35f, c.x + thick / 2, c.y + r * 0.25f}, ink);
  canvas.fill_rect({c.x - thick / 2, c.y + r * 0.42f, c.x + thick / 2, c.y + r * 0.7f}, ink);
}

namespace {

// A square for each operand slot in its bank's colour, hollow where the reuse cache serves it.
void draw_slots(Canvas& canvas, Rect cell, const scenes::CodeCount& count) {
  const auto slots = static_cast<float>(count.slots.size());
  const float side = std::floor(std::min(cell.height() * 0.6f, cell.width() / (slots * 1.5f)));
  float left = std::round(cell.right - slots * side * 1.5f);
  const float top = std::round(cell.center().y - side / 2);
  for (const scenes::SlotMark mark : count.slots) {
    const Rect square{left, top, left + side, top + side};
    left += std::round(side * 1.5f);
    if (mark == scenes::SlotMark::none) continue;
    const bool odd = mark == scenes::SlotMark::bank1 || mark == scenes::SlotMark::cached1;
    const drawing::Color ink = color(scenes::bank_role(odd ? 1 : 0));
    if (mark == scenes::SlotMark::bank0 || mark == scenes::SlotMark::bank1)
      canvas.fill_rect(square, ink);
    else
      canvas.stroke_rect(square, ink, canvas.px(1.5f));
  }
}

}  // namespace

int CodeView::Pane::begin(Canvas& canvas, const scenes::CodePane& place, int rows, int mark, int reveal) {
  const Rect area = place.body;
  const float row_height = place.row_height;
  const float most = std::max(
      0.0f, static_cast<float>(rows) * row_height - std::floor(area.height() / row_height) * row_height);
  const float character = canvas.text_width("0", kCodeFont);
  const auto shown = static_cast<int>((place.text_right - place.text_left) / character);
  if (canvas.hovered() && area.contains(canvas.mouse())) {
    const float wheel = canvas.wheel(), aside = ImGui::GetIO().MouseWheelH;
    const bool shifted = ImGui::GetIO().KeyShift;
    if (wheel != 0 && !shifted) scroll -= wheel * 3 * row_height;
    if (shifted || aside != 0)
      sideways -= static_cast<int>(std::lround((shifted ? wheel : 0) * 8 + aside * 8));
  }
  // In another size of the window the marked row would come to lie out of sight; there it gets its place as
  // in a new window, so that films show what the screen shows. The strip below comes and goes with the line.
  const drawing::Size now{row_height, place.area.height()};
  const bool placed_anew = std::exchange(shape, now) != now && in_sight;
  const int wanted = reveal >= 0 ? reveal : mark != marked || placed_anew ? mark : -1;
  if (wanted >= 0) {
    const float top = static_cast<float>(wanted) * row_height;
    if (placed_anew || top < scroll + row_height || top > scroll + area.height() - 4 * row_height)
      scroll = top - area.height() * 0.4f;
  }
  marked = mark;
  sideways = std::clamp(sideways, 0, std::max(0, longest - shown));
  // The pane scrolls by whole rows, so that none is truncated at the top.
  scroll = std::clamp(scroll, 0.0f, most);
  const int first = static_cast<int>(std::round(scroll / row_height));
  drawn_from = static_cast<float>(first) * row_height;
  const float marked_top = static_cast<float>(mark) * row_height;
  in_sight = marked_top >= drawn_from && marked_top < drawn_from + area.height();
  return first;
}

void CodeView::draw_heads(const session::ViewState& state, session::Requests& requests,
                          const scenes::CodePane& place, Canvas& canvas, const std::string& title,
                          const std::string& short_title, bool error) {
  const float line = canvas.line_height(FontRole::small);
  const auto two_lines = [&](Rect head, const char* group, const char* name, drawing::Color group_ink,
                             drawing::Color ink) {
    canvas.text(head.cut_top(line), group, group_ink, {FontRole::small, AlignX::right, AlignY::center});
    canvas.text(head.cut_top(line), name, ink, {FontRole::small, AlignX::right, AlignY::center});
  };
  for (const scenes::CodeColumnPlace& column : place.columns) {
    const bool hovered = canvas.hovered() && column.head.contains(canvas.mouse());
    const bool ranks = column.sorted;
    if (hovered || ranks)
      canvas.fill_round_rect(column.head, color(hovered ? Role::control_hover : Role::accent_subtle),
                             canvas.px(4));
    mark_flash(canvas, column.head, state, scenes::figure_name(column.column));
    const scenes::ColumnName& name = scenes::column_name(column.column);
    two_lines(column.head.inset(canvas.px(2), 0), name.group, name.name,
              color(scenes::is_modelled(column.column) ? Role::modelled : Role::text_dim),
              color(ranks ? Role::text_strong : Role::text));
    if (ranks) {  // a triangle pointing down: the highest comes first
      const float x = column.head.left + canvas.px(6), y = column.head.top + line / 2, r = canvas.px(3);
      canvas.fill_triangle({x - r, y - r * 0.6f}, {x + r, y - r * 0.6f}, {x, y + r}, color(Role::accent));
    }
    if (hovered) drawing::tooltip(column_tooltip(column.column, state.code));
    // Both panes have these columns.
    const std::string spot = fmt::format("{} {} {}", title, name.group, name.name);
    if (!canvas.spot(column.head, spot).pressed) continue;
    scenes::CodeChoice& next = asked_code(state, requests);
    next.sorted = !(state.code.sorted && state.code.rank_by == column.column);
    next.rank_by = column.column;
  }
  if (place.control_head.width() > 0) {
    Rect head = place.control_head;
    if (canvas.hovered() && head.contains(canvas.mouse())) drawing::tooltip(control_tooltip());
    head.top = head.bottom - line - canvas.px(3);
    canvas.text(head, "control codes", color(Role::text), {FontRole::small, AlignX::left, AlignY::top});
  }
  Rect head = place.head;
  head.top = head.bottom - line - canvas.px(3);
  const std::string& fitting =
      canvas.text_width(title, FontRole::small) <= head.width() ? title : short_title;
  canvas.text(head, fitting, color(error ? Role::error : Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::top});
}

void CodeView::draw_cells(Canvas& canvas, const scenes::CodePane& place, Rect row,
                          const scenes::CodeCount& count, const scenes::CodeCount& most) const {
  for (const scenes::CodeColumnPlace& column : place.columns) {
    if (!count.applies(column.column)) continue;
    const uint64_t value = count[column.column];
    const Rect cell{column.left, row.top, column.right, row.bottom};
    if (column.column == scenes::CodeColumn::ports && count.instructions == 1 &&
        std::ranges::any_of(count.slots, [](scenes::SlotMark m) { return m != scenes::SlotMark::none; })) {
      draw_slots(canvas, cell.inset(canvas.px(2), 0), count);
      continue;
    }
    const float share = scenes::heat(count, most, column.column);
    // A stall that rounds to 0.0 % is no news: it gets no bar and a dim figure.
    const bool shown = column.column == scenes::CodeColumn::stalled
                           ? scenes::stall_share(counts_, count) >= 0.0005
                           : value > 0;
    if (shown)
      canvas.fill_rect(
          {cell.left, cell.top + 1, cell.left + std::max(canvas.px(1), std::round(cell.width() * share)),
           cell.bottom - 1},
          scenes::code_bar_color(column.column));
    // A solid bar beside the figure tells excess without colour too.
    if (shown && scenes::is_excess(column.column))
      canvas.fill_rect({cell.left - canvas.px(3), cell.top + 1, cell.left, cell.bottom - 1},
                       color(Role::conflict));
    Rect inside = cell.inset(canvas.px(2), 0);
    canvas.text(inside, cell_text(counts_, count, column.column),
                shown ? color(Role::text) : drawing::faint_text(),
                {kCodeFont, AlignX::right, AlignY::center});
  }
}

std::span<const int> CodeView::warps_at_instruction(uint32_t instruction) const {
  const auto at = warps_of_instruction_.find(instruction);
  return at == warps_of_instruction_.end() ? std::span<const int>{} : std::span<const int>(at->second);
}
std::span<const int> CodeView::warps_at_line(int line) const {
  const auto at = warps_of_line_.find(line);
  return at == warps_of_line_.end() ? std::span<const int>{} : std::span<const int>(at->second);
}

void CodeView::draw_warps(Canvas& canvas, const scenes::CodePane& place, Rect row,
                          std::span<const int> warps) const {
  for (const int warp : warps) {
    const Rect mark = scenes::warp_mark(place, row.inset(0, canvas.px(1)), warp, warp_count_);
    canvas.fill_rect({mark.left, mark.top, mark.right - 1, mark.bottom}, drawing::category_color(warp));
  }
}

void CodeView::draw_sentence(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                             const scenes::CodePane& place, Rect row, const scenes::CodeRows& rows,
                             const scenes::CodeRow& line) {
  const scenes::CodeMark& mark = marks_[static_cast<size_t>(line.mark)];
  const std::vector<std::string>& lines = rows.sentences[static_cast<size_t>(line.mark)];
  const drawing::Color ink = color(mark_role(mark.kind));
  canvas.fill_rect(row, with_opacity(ink, 0.12f));
  Rect bar = row;
  bar.left = place.number_right;
  canvas.fill_rect(bar.cut_left(canvas.px(2)), ink);
  const float x = std::floor(place.number_right + canvas.text_width("0", kCodeFont));
  canvas.text_at({x, std::round(row.center().y - canvas.line_height(kCodeFont) / 2)},
                 lines[static_cast<size_t>(line.part)], ink, kCodeFont);
  if (!canvas.hovered() || !row.contains(canvas.mouse()) || grip_ != Grip::none) return;
  const bool elsewhere = mark.block && state.block != nullptr && *mark.block != state.block->experiment.block;
  drawing::tooltip(elsewhere ? mark.sentence + "\n\nClick: trace that block." : mark.sentence);
  if (!elsewhere || !canvas.clicked()) return;
  experiment::Experiment next = state.experiment;
  next.block = *mark.block;
  requests.experiment = next;
}

void CodeView::draw_scrollbars(Canvas& canvas, const scenes::CodePane& place, Pane& pane,
                               const scenes::CodeRows& rows) {
  const float content = static_cast<float>(rows.rows.size()) * place.row_height;
  const auto thumb = [&](Rect track, float from, float share, bool upright) {
    Rect knob = track;
    const float length = upright ? track.height() : track.width();
    const float size = std::max(canvas.px(14), length * share),
                start = std::min(from * length, length - size);
    (upright ? knob.top : knob.left) = (upright ? track.top : track.left) + start;
    (upright ? knob.bottom : knob.right) = (upright ? track.top : track.left) + start + size;
    const bool hovered = canvas.hovered() && track.contains(canvas.mouse());
    canvas.fill_round_rect(knob.inset(upright ? canvas.px(1) : 0, upright ? 0 : canvas.px(1)),
                           color(hovered ? Role::grid_strong : Role::control_active), canvas.px(2));
  };
  if (content > place.body.height())
    thumb(place.scrollbar, pane.drawn_from / content, place.body.height() / content, true);
  for (size_t i = 0; i < rows.rows.size(); ++i) {  // marks the mistakes of the whole list on the scroll bar
    const int mark = rows.rows[i].mark < 0 ? rows.first_mark[rows.rows[i].index] : -1;
    if (mark < 0) continue;
    const float y = std::round(place.scrollbar.top + place.scrollbar.height() * static_cast<float>(i) /
                                                         static_cast<float>(rows.rows.size()));
    canvas.fill_rect({place.scrollbar.left, y, place.scrollbar.right, y + canvas.px(3)},
                     color(mark_role(marks_[static_cast<size_t>(mark)].kind)));
  }
  const float shown = (place.text_right - place.text_left) / canvas.text_width("0", kCodeFont);
  const auto longest = static_cast<float>(pane.longest);
  if (longest > shown && shown > 0) {
    Rect track = place.sidescroll;
    track.left = place.text_left;
    thumb(track, static_cast<float>(pane.sideways) / longest, shown / longest, false);
  }
}

}  // namespace gemmscope::views
