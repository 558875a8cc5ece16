// The two panes of the code view, row by row.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "scenes/control_words.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"
#include "scenes/timeline_scene.h"
#include "session/code_state.h"
#include "views/code_text.h"
#include "views/code_view.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

// The line of a calling row calls the function whose line is current.
enum class RowState { plain, related, calling, current };
void draw_row_background(Canvas& canvas, Rect row, RowState state) {
  if (state == RowState::plain) return;
  if (state == RowState::related) return canvas.fill_rect(row, with_opacity(color(Role::hover), 0.16f));
  canvas.fill_rect(row, with_opacity(color(Role::accent_subtle), state == RowState::current ? 1.0f : 0.5f));
  Rect bar = row.cut_left(canvas.px(3));
  if (state == RowState::current) return canvas.fill_rect(bar, color(Role::accent));
  // The bar of a calling row is broken in two, so that it differs without colour, too.
  canvas.fill_rect(bar.cut_top(row.height() * 0.3f), color(Role::accent));
  canvas.fill_rect(bar.cut_bottom(row.height() * 0.3f), color(Role::accent));
}

void draw_marked(Canvas& canvas, const scenes::CodePane& place, Rect row, scenes::MarkKind kind) {
  canvas.fill_rect(row, with_opacity(color(mark_role(kind)), 0.20f));
  draw_mark_sign(canvas, place.margin_of(row), kind);
}

// A line's number or an instruction's address.
void draw_number(Canvas& canvas, const scenes::CodePane& place, Rect row, const std::string& number) {
  canvas.text(place.number_of(row), number, drawing::faint_text(),
              {kCodeFont, AlignX::right, AlignY::center});
}

RowState state_of_line(int line, const std::vector<int>& current, const std::vector<int>& pointed) {
  if (!current.empty() && line == current.front()) return RowState::current;
  if (std::count(current.begin(), current.end(), line) > 0) return RowState::calling;
  return std::count(pointed.begin(), pointed.end(), line) > 0 ? RowState::related : RowState::plain;
}

// The next execution of an instruction by the followed warp, from the cursor on, wrapping around at the end.
std::optional<size_t> next_execution(const session::ViewState& state, uint32_t instruction) {
  const size_t steps = scenes::step_count(*state.block, state.playback.warp);
  const size_t here = scenes::position_of(*state.block, state.playback.warp, state.cursor.record);
  for (size_t i = 1; i <= steps; ++i) {
    const size_t record = scenes::record_at(*state.block, state.playback.warp, (here + i) % steps);
    if (state.block->trace.records[record].instruction == instruction) return record;
  }
  return std::nullopt;
}

// The lines of the kernel's own file at the cursor, as scenes::own_lines gives them.
std::vector<int> current_lines(const session::ViewState& state) {
  if (!session::is_tracing(state)) return {};
  return scenes::own_lines(*state.compiled, state.record().instruction);
}

// The source lines that the mouse points at, directly or through their instruction.
std::vector<int> pointed_lines(const session::ViewState& state) {
  if (state.hover.instruction && state.compiled != nullptr &&
      *state.hover.instruction < state.compiled->places.size())
    return scenes::own_lines(*state.compiled, *state.hover.instruction);
  return {state.hover.source_line.value_or(0)};
}

bool belongs_to_pointed_line(const session::ViewState& state, uint32_t instruction) {
  if (!state.hover.source_line) return false;
  const std::vector<int> lines = scenes::own_lines(*state.compiled, instruction);
  return std::count(lines.begin(), lines.end(), *state.hover.source_line) > 0;
}

}  // namespace

bool CodeView::is_broken(const session::ViewState& state) const {
  return state.failure && !state.failure->failure.diagnostics.empty() && state.catalog != nullptr &&
         state.catalog->find(state.experiment.kernel) != nullptr;
}

// The lines of the source as it is now: of the file that does not compile, else of the kernel that runs.
const std::vector<std::string>& CodeView::source_lines(const session::ViewState& state) {
  if (!is_broken(state)) return state.compiled->files[0].lines;
  const std::string& source = state.catalog->find(state.experiment.kernel)->source;
  if (broken_source_ != source) {
    broken_source_ = source;
    broken_lines_ = experiment::split_lines(broken_source_);
  }
  return broken_lines_;
}

// The line to keep visible: the first error, the cursor's line, or the kernel's head before anything runs. −2
// leaves the pane as it is.
int CodeView::marked_line(const session::ViewState& state, const std::vector<std::string>& lines) const {
  for (const scenes::CodeMark& mark : marks_)
    if (mark.kind == scenes::MarkKind::compile_error) return mark.line - 1;
  if (const std::vector<int> lines_now = current_lines(state); !lines_now.empty())
    return lines_now.front() - 1;
  if (source_.marked >= 0 || state.compiled == nullptr) return -2;
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(state.compiled->kernel.entry + "(") != std::string::npos) return static_cast<int>(i);
  return -1;
}

void CodeView::draw_source(const session::ViewState& state, session::Requests& requests,
                           scenes::CodePane place, Canvas& canvas) {
  const std::vector<std::string>& lines = source_lines(state);
  const bool broken = is_broken(state);
  const std::string title = broken ? "does not compile" : state.compiled->files[0].name;
  draw_heads(state, requests, place, canvas, title, title, broken);
  if (!broken) draw_frames_beside(state, place, canvas);
  const std::vector<int> now = broken ? std::vector<int>{} : current_lines(state);
  const int mark = marked_line(state, lines);
  const auto row_of = [&](int line) {
    return line < 0 ? -1 : source_rows_.row_of(static_cast<uint32_t>(line));
  };
  int reveal = -1;
  if (revealing_) {
    int line = state.code.reveal_line;
    if (state.code.selected && state.compiled != nullptr &&
        *state.code.selected < state.compiled->places.size())
      if (const int own = scenes::own_line(*state.compiled, *state.code.selected); own > 0) line = own;
    reveal = row_of(line - 1);
  }
  const int first = source_.begin(canvas, place, static_cast<int>(source_rows_.rows.size()),
                                  mark == -2 ? source_.marked : row_of(mark), reveal);
  const std::vector<int> pointed = broken ? std::vector<int>{} : pointed_lines(state);
  const drawing::ScopedClip clip(canvas,
                                 {place.area.left, place.body.top, place.area.right, place.area.bottom});
  for (const auto& [shown, row] : scenes::place_rows(place, source_rows_, first)) {
    const scenes::CodeRow& line = *shown;
    if (line.mark >= 0) {
      draw_sentence(state, requests, canvas, place, row, source_rows_, line);
      continue;
    }
    const int number = static_cast<int>(line.index) + 1;
    draw_row_background(canvas, row, state_of_line(number, now, pointed));
    const int sign = source_rows_.first_mark[line.index];
    if (sign >= 0) draw_marked(canvas, place, row, marks_[static_cast<size_t>(sign)].kind);
    if (canvas.hovered() && row.contains(canvas.mouse()) && grip_ == Grip::none) {
      requests.hover.source_line = number;
      drawing::tooltip(sign >= 0 ? marks_[static_cast<size_t>(sign)].sentence
                       : broken  ? trimmed(lines[line.index])
                                 : source_tooltip(state, number) + warps_text(warps_at_line(number)));
    }
    draw_number(canvas, place, row, std::to_string(number));
    if (!broken) draw_warps(canvas, place, row, warps_at_line(number));
    if (!broken && has_counts_ && line.index < counts_.lines.size())
      draw_cells(canvas, place, row, counts_.lines[line.index], counts_.most_of_lines);
    draw_tokens(canvas, place.text_of(row), scenes::tokens_of_source(lines[line.index]), source_.sideways);
  }
  draw_scrollbars(canvas, place, source_, source_rows_);
}

namespace {

// The line that runs, where the pane is too narrow for it.
std::optional<scenes::CallFrame> line_that_is_cut(const session::ViewState& state,
                                                  const scenes::CodePane& place, float character) {
  const std::vector<int> now = current_lines(state);
  if (now.empty()) return std::nullopt;
  const std::vector<std::string>& lines = state.compiled->files[0].lines;
  if (static_cast<size_t>(now.front()) > lines.size()) return std::nullopt;
  const std::string& line = lines[static_cast<size_t>(now.front()) - 1];
  if (fits_in_row(line, place.text_right - place.text_left, character)) return std::nullopt;
  return scenes::CallFrame{fmt::format("line {}", now.front()), trimmed(line)};
}

}  // namespace

// Shows the lines that are out of sight, or cut, in a strip below, so that the kernel's own text stands
// still.
void CodeView::draw_frames_beside(const session::ViewState& state, scenes::CodePane& place, Canvas& canvas) {
  if (!session::is_tracing(state)) return;
  constexpr size_t kMostRows = 3;  // of a line
  const float line_height = canvas.line_height(kCodeFont), character = canvas.text_width("0", kCodeFont);
  std::vector<scenes::CallFrame> frames = scenes::frames_beside(*state.compiled, state.record().instruction);
  const bool roomy = place.body.height() > 3 * kMostRows * line_height;
  if (std::optional<scenes::CallFrame> cut = line_that_is_cut(state, place, character); cut && roomy)
    frames.push_back(*std::move(cut));
  if (frames.empty()) return;
  const auto shown = [](const std::string& label) {
    return drawing::shown_text(label, drawing::FontRole::small);
  };
  float label_width = 0;
  for (const scenes::CallFrame& frame : frames)
    label_width = std::max(label_width, canvas.text_width(shown(frame.label), kCodeFont) + canvas.px(12));
  const float room = std::max(0.0f, place.body.width() - canvas.px(12) - label_width);
  std::vector<std::pair<std::string, std::string>> rows;  // label and code
  for (const scenes::CallFrame& frame : frames) {
    std::vector<std::string> lines = scenes::wrapped_code(frame.text, static_cast<size_t>(room / character));
    if (!roomy) lines = {frame.text};
    for (size_t i = 0; i < std::min(lines.size(), kMostRows); ++i)
      rows.emplace_back(i == 0 ? shown(frame.label) : "", std::move(lines[i]));
  }
  Rect strip = place.body.cut_bottom(static_cast<float>(rows.size()) * line_height + canvas.px(8));
  canvas.fill_rect(strip, color(Role::accent_subtle));
  strip = strip.inset(canvas.px(6), canvas.px(4));
  for (const auto& [label, text] : rows) {
    Rect line = strip.cut_top(line_height);
    canvas.text(line.cut_left(label_width), label, color(Role::text),
                {kCodeFont, AlignX::left, AlignY::center});
    draw_tokens(canvas, line, scenes::tokens_of_source(text));
  }
}

void CodeView::draw_sass(const session::ViewState& state, session::Requests& requests,
                         const scenes::CodePane& place, Canvas& canvas) {
  const experiment::CompiledKernel& compiled = *state.compiled;
  const bool tracing = session::is_tracing(state);
  const std::string arch(isa::arch_name(compiled.cubin.arch));
  draw_heads(state, requests, place, canvas,
             fmt::format("{}, {} instructions", arch, compiled.instructions.size()), arch, false);
  const int current = tracing ? static_cast<int>(state.record().instruction) : -1;
  // A ranking does not scroll while time goes on.
  const int mark = state.code.sorted ? sass_.marked
                   : current < 0     ? -1
                                     : sass_rows_.row_of(static_cast<uint32_t>(current));
  const int reveal = revealing_ && state.code.selected ? sass_rows_.row_of(*state.code.selected) : -1;
  const int first = sass_.begin(canvas, place, static_cast<int>(sass_rows_.rows.size()), mark, reveal);
  const drawing::ScopedClip clip(canvas,
                                 {place.area.left, place.body.top, place.area.right, place.area.bottom});
  for (const auto& [shown, row] : scenes::place_rows(place, sass_rows_, first)) {
    if (shown->mark >= 0) {
      draw_sentence(state, requests, canvas, place, row, sass_rows_, *shown);
      continue;
    }
    const uint32_t index = shown->index;
    const bool related = state.hover.instruction == index || belongs_to_pointed_line(state, index);
    draw_row_background(canvas, row,
                        static_cast<int>(index) == current ? RowState::current
                        : related                          ? RowState::related
                                                           : RowState::plain);
    const int sign = sass_rows_.first_mark[index];
    if (sign >= 0) draw_marked(canvas, place, row, marks_[static_cast<size_t>(sign)].kind);
    if (canvas.hovered() && row.contains(canvas.mouse()) && grip_ == Grip::none) {
      requests.hover.instruction = index;
      std::string text = instruction_tooltip(state, index) + warps_text(warps_at_instruction(index));
      if (sign >= 0) text = marks_[static_cast<size_t>(sign)].sentence + "\n\n" + text;
      drawing::tooltip(text);
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        asked_code(state, requests).selected = index;
        menu_.open_at(ImGui::GetIO().MousePos);
        requests.command = "code.menu";
      }
      if (canvas.clicked()) {
        asked_code(state, requests).selected = index;
        if (tracing)
          if (const std::optional<size_t> record = next_execution(state, index))
            requests.cursor = scenes::Cursor{*record, scenes::kAllWavefronts};
      }
    }
    draw_number(canvas, place, row, fmt::format("{:x}", compiled.instructions[index].address));
    draw_warps(canvas, place, row, warps_at_instruction(index));
    if (has_counts_)
      draw_cells(canvas, place, row, counts_.instructions[index], counts_.most_of_instructions);
    if (place.control_right > place.control_left)
      canvas.text_at({place.control_left, std::round(row.center().y - canvas.line_height(kCodeFont) / 2)},
                     scenes::control_column(compiled.instructions[index].control), color(Role::text_dim),
                     kCodeFont);
    const std::string text = scenes::instruction_text(compiled, index);
    draw_tokens(
        canvas, place.text_of(row),
        scenes::tokens_of_sass(text, scenes::work_kind_role(scenes::work_kind(compiled.instructions[index]))),
        sass_.sideways);
    if (compiled.changed != nullptr && compiled.changed->by_hand[index] != 0)  // beside the address
      canvas.fill_rect({place.number_right + canvas.px(1), row.top + canvas.px(1),
                        place.number_right + canvas.px(4), row.bottom - canvas.px(1)},
                       color(Role::selection));
    if (static_cast<int>(index) == current || state.code.selected == index)
      menu_.selection_at(canvas.to_screen({place.text_of(row).left, row.bottom}));
    if (state.code.selected == index)
      canvas.stroke_rect(row, with_opacity(color(Role::selection), 0.7f), canvas.px(1));
  }
  draw_scrollbars(canvas, place, sass_, sass_rows_);
}

}  // namespace gemmscope::views
