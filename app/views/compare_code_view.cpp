// The code of both sides as an aligned diff.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "drawing/widgets.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"
#include "scenes/timeline_scene.h"
#include "session/code_state.h"
#include "views/code_edit_strip.h"
#include "views/code_text.h"
#include "views/command_hint.h"
#include "views/compare_parts.h"
#include "views/compare_view.h"
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
using scenes::DiffKind;

// What each kind is called, besides its colour.
const char* sign_of(DiffKind kind, bool pinned) {
  switch (kind) {
    case DiffKind::same:
      return "";
    case DiffKind::registers:
      return pinned ? "" : "r";
    case DiffKind::meaning:
      return "*";
    case DiffKind::changed:
      return "~";
    case DiffKind::only_a:
      return pinned ? "\u2212" : "";
    case DiffKind::only_b:
      return pinned ? "" : "+";
  }
  return "";
}

std::string explain(DiffKind kind) {
  switch (kind) {
    case DiffKind::same:
      return "The same in both.";
    case DiffKind::registers:
      return "The same instruction with other registers, or another place to branch to.";
    case DiffKind::meaning:
      return "The same text, but a value in it differs between A and B.";
    case DiffKind::changed:
      return "Changed between A and B.";
    case DiffKind::only_a:
      return "Only in A.";
    case DiffKind::only_b:
      return "Only in B.";
  }
  return "";
}

// One side of the diff: its code and the place of its cursor.
struct Half {
  const session::ViewState& state;
  bool pinned = false, sass = false;
  std::span<const scenes::CodeMark> marks;  // of B's machine code
  const scenes::CodeMark* broken_at(int index) const {
    const auto found = std::ranges::find_if(marks, [&](const scenes::CodeMark& mark) {
      return mark.kind == scenes::MarkKind::broken && mark.instruction == index;
    });
    return found == marks.end() ? nullptr : &*found;
  }
  const experiment::CompiledKernel& compiled() const { return *state.block->compiled; }
  uint32_t instruction() const { return state.record().instruction; }
  int current() const {
    return sass ? static_cast<int>(instruction()) : scenes::own_line(compiled(), instruction()) - 1;
  }
  std::string number(int index) const {
    return sass ? fmt::format("{:x}", compiled().instructions[static_cast<size_t>(index)].address)
                : std::to_string(index + 1);
  }
};

// The value of the macro that the line names, at its right end; without the name where the line needs the
// room.
void draw_value(Canvas& canvas, Rect& row, const std::string& macro, const std::string& value,
                size_t line_length, float character) {
  const float line = static_cast<float>(line_length + 1) * character;
  const auto width = [&](const std::string& text) { return canvas.text_width(text, kCodeFont) + character; };
  std::string note = fmt::format("{} = {}", macro, value);
  if (line + width(note) > row.width()) note = "= " + value;
  if (width(note) > row.width() * 0.6f) return;
  canvas.text(row.cut_right(width(note)), note, color(Role::text_strong),
              {kCodeFont, AlignX::left, AlignY::center});
}

void draw_half(Canvas& canvas, Rect row, const Half& half, const scenes::DiffRow& diff, float character) {
  const int index = half.pinned ? diff.a : diff.b;
  if (index < 0) return canvas.hatch(row, with_opacity(color(Role::grid_strong), 0.35f), 7);
  if (diff.differs())
    canvas.fill_rect(
        row, half.pinned ? with_opacity(color(Role::text_dim), 0.20f) : with_opacity(color(Role::ok), 0.20f));
  if (index == half.current()) {
    canvas.stroke_rect(row, color(Role::accent), canvas.px(1));
    Rect bar = row;
    canvas.fill_rect(bar.cut_left(canvas.px(3)), color(Role::accent));
  }
  if (const scenes::CodeMark* broken = half.broken_at(index)) {
    canvas.fill_rect(row, with_opacity(color(mark_role(broken->kind)), 0.25f));
    canvas.stroke_rect(row, color(mark_role(broken->kind)), canvas.px(1));
  }
  if (!half.pinned && half.sass && half.state.code.selected == static_cast<uint32_t>(index))
    canvas.stroke_rect(row, with_opacity(color(Role::selection), 0.7f), canvas.px(1));
  row.cut_left(canvas.px(4));
  canvas.text(row.cut_left(std::ceil(1.6f * character)), sign_of(diff.kind, half.pinned),
              color(diff.differs() ? Role::text_strong : Role::text_dim),
              {kCodeFont, AlignX::left, AlignY::center});
  canvas.text(row.cut_left(std::ceil(4.4f * character)), half.number(index),
              with_opacity(color(Role::text_dim), 0.7f), {kCodeFont, AlignX::right, AlignY::center});
  row.cut_left(character);
  if (diff.kind == DiffKind::meaning)
    draw_value(canvas, row, diff.macro, half.pinned ? diff.value_a : diff.value_b,
               half.compiled().files[0].lines[static_cast<size_t>(index)].size(), character);
  const auto at = static_cast<size_t>(index);
  if (half.sass)
    draw_tokens(
        canvas, row,
        scenes::tokens_of_sass(scenes::instruction_text(half.compiled(), at),
                               scenes::work_kind_role(scenes::work_kind(half.compiled().instructions[at]))));
  else
    draw_tokens(canvas, row, scenes::tokens_of_source(half.compiled().files[0].lines[at]));
}

// Where the list has to start to show the cursor's row, together with the nearest difference where both fit.
float scroll_for(std::span<const scenes::ShownRow> rows, const scenes::CodeDiff& diff, int mark,
                 float row_height, float room) {
  const auto at = static_cast<int>(std::ranges::find(rows, mark, &scenes::ShownRow::row) - rows.begin());
  int nearest = at;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const int row = rows[static_cast<size_t>(i)].row;
    const bool differs = row >= 0 && diff.rows[static_cast<size_t>(row)].differs();
    if (differs && (nearest == at || std::abs(i - at) < std::abs(nearest - at))) nearest = i;
  }
  const float needed = static_cast<float>(std::abs(nearest - at) + 2) * row_height;
  if (needed <= room) return (static_cast<float>(std::min(nearest, at)) * row_height) - (room - needed) / 2;
  return static_cast<float>(at) * row_height - room * 0.4f;
}

void draw_gap(Canvas& canvas, Rect row, int skipped) {
  canvas.text(
      row,
      fmt::format("\u2026 {} equal line{}", scenes::grouped(static_cast<uint64_t>(skipped)), plural(skipped)),
      color(Role::text_dim), {FontRole::small, AlignX::center, AlignY::center});
}

// The instruction that a click on a row of one side goes to: its own, or the first of its source line.
std::optional<size_t> record_of_row(const Half& half, int index) {
  if (half.sass) return session::first_execution(half.state, static_cast<uint32_t>(index));
  for (uint32_t i = 0; i < half.compiled().instructions.size(); ++i) {
    if (scenes::own_line(half.compiled(), i) != index + 1) continue;
    if (const auto record = session::first_execution(half.state, i)) return record;
  }
  return std::nullopt;
}

}  // namespace

void CompareCode::derive(const session::ViewState& state) {
  ComparedResults now = results_of(state);
  now.grid_a = now.grid_b = now.time_a = now.time_b = now.live = nullptr;
  if (!(now == of_)) {
    of_ = now;
    const experiment::BlockResult &a = *state.pinned.side->block, &b = *state.block;
    source_ = scenes::diff_source(a, b);
    sass_ = scenes::diff_sass(*a.compiled, *b.compiled);
    marks_ = session::code_marks_of(state);
    marked_ = -1;
    first_ = true;
  }
  const session::DiffSide side = state.pinned.choice.side;
  const bool sass =
      side == session::DiffSide::sass || (side == session::DiffSide::automatic && source_.differing == 0);
  if (std::exchange(sass_shown_, sass) != sass) marked_ = -1, first_ = true;
}

void CompareCode::draw_toolbar(const session::ViewState& state, session::Requests& requests) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  Canvas canvas(Rect{from.x, from.y - 1, to.x, to.y + 1});
  Rect row = canvas.area();
  row.cut_left(tabs_width(canvas));
  const auto ink = [](bool on) { return color(on ? Role::text_strong : Role::text); };
  const session::CompareChoice& choice = state.pinned.choice;
  if (word_button(canvas, row, "aligned", ink(true), true,
                  "A and B side by side. Click: the code of B alone, with its counts.",
                  command_key(state, "compare.diff")))
    asked_compare(state, requests).diff = false;
  if (word_button(canvas, row, "all lines", ink(choice.all_lines), choice.all_lines,
                  "Also the lines that are far from any difference.",
                  command_key(state, "compare.all_lines")))
    asked_compare(state, requests).all_lines = !choice.all_lines;
  const auto side = [&](const char* name, size_t differing, bool sass) {
    const std::string text = fmt::format("{}: {}", name, scenes::grouped(differing));
    if (word_button(canvas, row, text, ink(sass_shown_ == sass), sass_shown_ == sass,
                    "How many lines differ. Instructions are aligned without their registers."))
      asked_compare(state, requests).side = sass ? session::DiffSide::sass : session::DiffSide::source;
  };
  if (word_button(canvas, row, "edit", ink(state.code_edit.open), state.code_edit.open,
                  command_title(state, "code.edit"), command_key(state, "code.edit")))
    requests.command = "code.edit";
  side("machine code", sass_.differing, true);
  side("source", source_.differing, false);
}

void CompareCode::draw_rows(const session::ViewState& state, session::Requests& requests, Rect area,
                            Canvas& canvas) {
  const std::span<const scenes::CodeMark> marks = sass_shown_ ? marks_ : std::span<const scenes::CodeMark>{};
  const Half a{*state.pinned.side, true, sass_shown_, {}}, b{state, false, sass_shown_, marks};
  const float height = canvas.line_height(kCodeFont) + std::round(2 * canvas.scale());
  const float character = canvas.text_width("0", kCodeFont), gap = canvas.px(8);
  int mark = scenes::row_of_b(shown(), b.current());
  if (mark < 0) mark = scenes::row_of_a(shown(), a.current());
  const std::vector<scenes::ShownRow> rows =
      scenes::shown_rows(shown(), state.pinned.choice.all_lines || shown().differing == 0, mark);
  if (mark != std::exchange(marked_, mark)) {
    const auto at = std::ranges::find(rows, mark, &scenes::ShownRow::row);
    const float y = static_cast<float>(at - rows.begin()) * height;
    const bool visible = y >= scroll_ && y + height <= scroll_ + area.height();
    if (mark >= 0 && (!visible || first_)) scroll_ = scroll_for(rows, shown(), mark, height, area.height());
    first_ = false;
  }
  if (canvas.hovered()) scroll_ -= canvas.wheel() * 3 * height;
  scroll_ =
      std::clamp(scroll_, 0.0f, std::max(0.0f, static_cast<float>(rows.size()) * height - area.height()));
  const auto first = static_cast<size_t>(std::round(scroll_ / height));
  for (size_t i = first; i < rows.size(); ++i) {
    const float top = area.top + static_cast<float>(i - first) * height;
    if (top + height > area.bottom + 1) break;
    Rect row{area.left, top, area.right, top + height};
    if (rows[i].row < 0) {
      draw_gap(canvas, row, rows[i].skipped);
      continue;
    }
    const scenes::DiffRow& diff = shown().rows[static_cast<size_t>(rows[i].row)];
    const bool pointed = canvas.hovered() && row.contains(canvas.mouse());
    const Rect left = row.cut_left(std::round((row.width() - gap) / 2));
    row.cut_left(gap);
    draw_half(canvas, left, a, diff, character);
    draw_half(canvas, row, b, diff, character);
    if (sass_shown_ && diff.b >= 0 && diff.b == b.current())
      menu_.selection_at(canvas.to_screen({row.left, row.bottom}));
    if (!pointed) continue;
    const bool of_a = canvas.mouse().x < left.right;
    const int index = of_a ? diff.a : diff.b;
    std::string hint = explain(diff.kind);
    if (index >= 0 && sass_shown_)
      hint = instruction_tooltip((of_a ? a : b).state, static_cast<uint32_t>(index)) + "\n\n" + hint;
    if (const scenes::CodeMark* broken = of_a ? nullptr : b.broken_at(index))
      hint = broken->sentence + "\n\n" + hint;
    drawing::tooltip(hint);
    const bool asks = sass_shown_ && !of_a && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    if ((!canvas.clicked() && !asks) || index < 0) continue;
    if (sass_shown_ && !of_a) {
      if (!requests.code) requests.code = state.code;
      requests.code->selected = static_cast<uint32_t>(index);
    }
    if (asks) {
      menu_.open_at(ImGui::GetIO().MousePos);
      requests.command = "code.menu";
      continue;
    }
    if (const auto record = record_of_row(of_a ? a : b, index))
      (of_a ? requests.pinned_cursor : requests.cursor) = scenes::Cursor{*record, scenes::kAllWavefronts};
  }
}

void CompareCode::draw(const session::ViewState& state, session::Requests& requests) {
  draw_tabs(state, requests);
  derive(state);
  draw_toolbar(state, requests);
  draw_code_edit_strip(state, requests);
  Canvas canvas("aligned code");
  Rect area = canvas.area();
  Rect head = area.cut_top(canvas.line_height(FontRole::body) + canvas.px(4));
  const float gap = canvas.px(8);
  const Rect left = head.cut_left(std::round((head.width() - gap) / 2));
  head.cut_left(gap);
  const auto title = [&](Rect place, const session::ViewState& side, bool pinned) {
    draw_letter(canvas, place.cut_left(place.height()), pinned);
    place.cut_left(canvas.px(6));
    const experiment::CompiledKernel& compiled = *side.block->compiled;
    const std::string text = sass_shown_
                                 ? fmt::format("{}, {} instructions", isa::arch_name(compiled.cubin.arch),
                                               compiled.instructions.size())
                                 : compiled.files[0].name;
    canvas.text(place, text, color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  };
  title(left, *state.pinned.side, true);
  title(head, state, false);
  draw_rows(state, requests, area, canvas);
  menu_.draw(state, requests);
}

}  // namespace gemmscope::views
