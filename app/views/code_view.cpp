#include "views/code_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "isa/disassemble.h"
#include "scenes/source_tokens.h"
#include "scenes/text.h"
#include "scenes/timeline_scene.h"
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

constexpr FontRole kCodeFont = FontRole::mono_small;

void draw_tokens(Canvas& canvas, Rect row, const std::vector<scenes::Token>& tokens) {
  float x = row.left;
  const float top = std::round(row.center().y - canvas.line_height(kCodeFont) / 2);
  // Indentation at half its width: in a narrow pane the text matters more.
  const float half_space = canvas.text_width(" ", kCodeFont) / 2;
  bool indenting = true;
  for (const scenes::Token& token : tokens) {
    if (x >= row.right) break;
    std::string_view text = token.text;
    for (; indenting && text.starts_with(' '); text.remove_prefix(1)) x += half_space;
    indenting = indenting && text.empty();
    const float width = canvas.text_width(text, kCodeFont);
    if (x + width > row.right) {
      // A line that is too long ends in "…", never in half a letter.
      const auto room = static_cast<int>((row.right - x) / (2 * half_space)) - 1;
      std::string shortened(text.substr(0, static_cast<size_t>(std::max(0, room))));
      while (!shortened.empty() && (static_cast<unsigned char>(text[shortened.size()]) & 0xc0) == 0x80)
        shortened.pop_back();
      if (room >= 0) canvas.text_at({std::floor(x), top}, shortened + "\u2026", color(token.role), kCodeFont);
      return;
    }
    canvas.text_at({std::floor(x), top}, text, color(token.role), kCodeFont);
    x += width;
  }
}

enum class RowState { plain, related, current };
void draw_row_background(Canvas& canvas, Rect row, RowState state) {
  if (state == RowState::plain) return;
  canvas.fill_rect(
      row, state == RowState::current ? color(Role::accent_subtle) : with_opacity(color(Role::hover), 0.16f));
  if (state == RowState::current) {
    Rect bar = row;
    canvas.fill_rect(bar.cut_left(canvas.px(3)), color(Role::accent));
  }
}

// The next execution of an instruction by the followed warp, from the cursor on and around.
std::optional<size_t> next_execution(const ViewState& state, uint32_t instruction) {
  const size_t steps = scenes::step_count(*state.block, state.playback.warp);
  const size_t here = scenes::position_of(*state.block, state.playback.warp, state.cursor.record);
  for (size_t i = 1; i <= steps; ++i) {
    const size_t record = scenes::record_at(*state.block, state.playback.warp, (here + i) % steps);
    if (state.block->trace.records[record].instruction == instruction) return record;
  }
  return std::nullopt;
}

std::string instruction_tooltip(const ViewState& state, uint32_t i) {
  const experiment::CompiledKernel& compiled = *state.compiled;
  std::string text = fmt::format("{}\n{}", scenes::instruction_text(compiled, i),
                                 isa::control_text(compiled.instructions[i]));
  if (const std::string place = scenes::place_text(compiled, i); !place.empty()) text += "\n" + place;
  if (state.block == nullptr || state.block->compiled != state.compiled) return text;
  const metrics::Counters& counters = state.block->counters;
  text +=
      fmt::format("\nthis block: issued {} times by its warps, executed by {} threads",
                  scenes::grouped(counters.executed.warps[i]), scenes::grouped(counters.executed.threads[i]));
  const metrics::InstructionTraffic& t = counters.traffic[i];
  for (const auto& [name, traffic] :
       {std::pair("shared load", t.shared_load), std::pair("shared store", t.shared_store)})
    if (traffic.requests > 0)
      text += fmt::format("\n{}: {} wavefronts, {} more than needed", name,
                          scenes::grouped(traffic.wavefronts), scenes::grouped(traffic.excess_wavefronts()));
  for (const auto& [name, traffic] :
       {std::pair("global load", t.global_load), std::pair("global store", t.global_store)})
    if (traffic.requests > 0)
      text += fmt::format("\n{}: {} sectors, {} more than needed", name, scenes::grouped(traffic.sectors),
                          scenes::grouped(traffic.excess_sectors()));
  return text;
}

bool is_tracing(const ViewState& state) {
  return state.has_trace() && state.block->compiled == state.compiled;
}

// The line of the kernel's own file that the cursor is at, 0 where it is elsewhere.
int current_line(const ViewState& state) {
  if (!is_tracing(state)) return 0;
  const experiment::CompiledKernel::Place& place = state.compiled->places[state.record().instruction];
  return place.file == 0 ? place.line : 0;
}

const compile::Diagnostic* diagnostic_at(const ViewState& state, int line) {
  for (const compile::Diagnostic& d : state.failure->failure.diagnostics)
    if (d.line == line) return &d;
  return nullptr;
}

// "line 107: 1024 instructions, issued 131,072 times by this block"
std::string source_tooltip(const ViewState& state, int line) {
  size_t instructions = 0;
  uint64_t issued = 0;
  for (size_t i = 0; i < state.compiled->places.size(); ++i) {
    if (state.compiled->places[i].file != 0 || state.compiled->places[i].line != line) continue;
    ++instructions;
    if (is_tracing(state)) issued += state.block->counters.executed.warps[i];
  }
  const std::string& text = state.compiled->files[0].lines[static_cast<size_t>(line) - 1];
  const std::string trimmed = text.substr(std::min(text.find_first_not_of(' '), text.size()));
  if (instructions == 0) return fmt::format("{}\nline {}: no instruction of its own", trimmed, line);
  return fmt::format("{}\nline {}: {} instruction{}, issued {} times by this block", trimmed, line,
                     instructions, instructions == 1 ? "" : "s", scenes::grouped(issued));
}

}  // namespace

int CodeView::Pane::begin(Canvas& canvas, Rect area, int rows, float row_height, int mark) {
  const float most = std::max(0.0f, static_cast<float>(rows) * row_height - area.height());
  if (canvas.hovered() && area.contains(canvas.mouse())) {
    if (const float wheel = canvas.wheel(); wheel != 0) scroll -= wheel * 3 * row_height;
  }
  if (mark != marked && mark >= 0) {
    const float top = static_cast<float>(mark) * row_height;
    if (top < scroll + row_height || top > scroll + area.height() - 2 * row_height)
      scroll = top - area.height() * 0.4f;
  }
  marked = mark;
  // Whole rows, so that none is cut at the top.
  const int first = static_cast<int>(std::round(std::clamp(scroll, 0.0f, most) / row_height));
  scroll = std::clamp(scroll, 0.0f, most);
  drawn_from = static_cast<float>(first) * row_height;
  return first;
}

// Lines of the source as it is now: of the file that does not compile, else of what runs.
const std::vector<std::string>& CodeView::source_lines(const ViewState& state) {
  const catalog::Kernel* kernel =
      state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
  const bool broken = state.failure && !state.failure->failure.diagnostics.empty() && kernel != nullptr;
  if (!broken) return state.compiled->files[0].lines;
  if (broken_source_ != kernel->source) {
    broken_source_ = kernel->source;
    broken_lines_ = experiment::split_lines(broken_source_);
  }
  return broken_lines_;
}

// The row to keep in sight: the first error, the cursor's line, or the kernel's head before anything runs.
int CodeView::marked_row(const ViewState& state, const std::vector<std::string>& lines) const {
  if (state.failure)
    for (const compile::Diagnostic& d : state.failure->failure.diagnostics)
      if (d.severity == compile::Severity::error && d.line > 0) return d.line - 1;
  if (const int line = current_line(state); line > 0) return line - 1;
  if (source_.marked >= 0 || state.compiled == nullptr) return source_.marked;
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(state.compiled->kernel.entry + "(") != std::string::npos) return static_cast<int>(i);
  return -1;
}

void CodeView::draw_source(ViewState& state, Rect area, Canvas& canvas) {
  const std::vector<std::string>& lines = source_lines(state);
  const bool broken = &lines == &broken_lines_;
  Rect title = area.cut_top(canvas.line_height(FontRole::small) + canvas.px(4));
  canvas.text(title, broken ? "does not compile" : state.compiled->files[0].name,
              color(broken ? Role::error : Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  if (!broken) draw_included_line(state, area, canvas);
  const float row_height = canvas.line_height(kCodeFont) + canvas.px(2);
  const float number_width = canvas.text_width("0000", kCodeFont);
  const int now = broken ? 0 : current_line(state);
  const int first =
      source_.begin(canvas, area, static_cast<int>(lines.size()), row_height, marked_row(state, lines));
  const bool pointed = !broken && state.hover.instruction &&
                       *state.hover.instruction < state.compiled->places.size() &&
                       state.compiled->places[*state.hover.instruction].file == 0;
  const int related =
      pointed ? state.compiled->places[*state.hover.instruction].line : state.hover.source_line.value_or(0);
  const drawing::ScopedClip clip(canvas, area);
  for (int i = first; i < static_cast<int>(lines.size()); ++i) {
    const float top = std::round(area.top + static_cast<float>(i) * row_height - source_.drawn_from);
    if (top >= area.bottom) break;
    Rect row{area.left, top, area.right, top + row_height};
    const compile::Diagnostic* diagnostic = broken ? diagnostic_at(state, i + 1) : nullptr;
    draw_row_background(canvas, row,
                        i + 1 == now       ? RowState::current
                        : i + 1 == related ? RowState::related
                                           : RowState::plain);
    if (diagnostic != nullptr) canvas.fill_rect(row, with_opacity(color(Role::error), 0.22f));
    if (canvas.hovered() && row.intersected(area).contains(canvas.mouse())) {
      state.next_hover.source_line = i + 1;
      drawing::tooltip(diagnostic != nullptr ? diagnostic->message
                       : broken              ? ""
                                             : source_tooltip(state, i + 1));
    }
    row.left += canvas.px(4);
    canvas.text(row.cut_left(number_width), std::to_string(i + 1), with_opacity(color(Role::text_dim), 0.7f),
                {kCodeFont, AlignX::right, AlignY::center});
    row.left += canvas.px(8);
    const std::string& line = lines[static_cast<size_t>(i)];
    draw_tokens(canvas, row, scenes::tokens_of_source(line));
    if (diagnostic == nullptr) continue;
    // The message stands beside its line, over whatever is behind it.
    const float width = std::min(canvas.text_width(diagnostic->message, FontRole::small) + canvas.px(12),
                                 row.width() * 0.75f);
    const Rect message{row.right - width, row.top, row.right, row.bottom};
    canvas.fill_rect(message, color(Role::panel_raised));
    canvas.text(message.inset(canvas.px(6), 0), diagnostic->message, color(Role::error),
                {FontRole::small, AlignX::left, AlignY::center});
  }
}

// A line of an included file is shown below, so that the kernel's own text stands still.
void CodeView::draw_included_line(const ViewState& state, Rect& area, Canvas& canvas) {
  if (!is_tracing(state)) return;
  const experiment::CompiledKernel::Place now = state.compiled->places[state.record().instruction];
  if (now.file <= 0) return;
  const experiment::SourceFile& other = state.compiled->files[static_cast<size_t>(now.file)];
  const Rect strip = area.cut_bottom(2 * canvas.line_height(kCodeFont) + canvas.px(8));
  canvas.fill_rect(strip, color(Role::accent_subtle));
  Rect line = strip.inset(canvas.px(6), canvas.px(3));
  const Rect name = line.cut_top(canvas.line_height(kCodeFont));
  canvas.text(name, fmt::format("{}:{}", other.name, now.line), color(Role::text_dim),
              {kCodeFont, AlignX::left, AlignY::center});
  if (now.line >= 1 && static_cast<size_t>(now.line) <= other.lines.size())
    draw_tokens(canvas, line, scenes::tokens_of_source(other.lines[static_cast<size_t>(now.line) - 1]));
}

void CodeView::draw_sass(ViewState& state, Rect area, Canvas& canvas) {
  const experiment::CompiledKernel& compiled = *state.compiled;
  const bool tracing = is_tracing(state);
  Rect title = area.cut_top(canvas.line_height(FontRole::small) + canvas.px(4));
  canvas.text(title, fmt::format("machine code, {}", isa::arch_name(compiled.cubin.arch)),
              color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  const float row_height = canvas.line_height(kCodeFont) + canvas.px(2);
  const int current = tracing ? static_cast<int>(state.record().instruction) : -1;
  const int rows = static_cast<int>(compiled.instructions.size());
  const int first = sass_.begin(canvas, area, rows, row_height, current);
  const float address_width = canvas.text_width("00000", kCodeFont), bar_width = canvas.px(22);
  uint64_t most = 1;
  if (tracing)
    most = *std::max_element(state.block->counters.executed.warps.begin(),
                             state.block->counters.executed.warps.end());
  const drawing::ScopedClip clip(canvas, area);
  for (int i = first; i < rows; ++i) {
    const float top = std::round(area.top + static_cast<float>(i) * row_height - sass_.drawn_from);
    if (top >= area.bottom) break;
    const auto index = static_cast<uint32_t>(i);
    Rect row{area.left, top, area.right, top + row_height};
    const experiment::CompiledKernel::Place& place = compiled.places[index];
    const bool related = state.hover.instruction == index || (state.hover.source_line && place.file == 0 &&
                                                              place.line == *state.hover.source_line);
    draw_row_background(canvas, row,
                        i == current ? RowState::current
                        : related    ? RowState::related
                                     : RowState::plain);
    const bool hovered = canvas.hovered() && row.intersected(area).contains(canvas.mouse());
    if (hovered) {
      state.next_hover.instruction = index;
      drawing::tooltip(instruction_tooltip(state, index));
      if (canvas.clicked() && tracing)
        if (const std::optional<size_t> record = next_execution(state, index))
          state.requests.cursor = scenes::Cursor{*record, scenes::kAllWavefronts};
    }
    row.left += canvas.px(4);
    canvas.text(row.cut_left(address_width), fmt::format("{:x}", compiled.instructions[index].address),
                with_opacity(color(Role::text_dim), 0.7f), {kCodeFont, AlignX::right, AlignY::center});
    Rect bar = row.cut_left(bar_width + canvas.px(8)).inset(canvas.px(4), 0);
    if (tracing) {
      const metrics::Traffic traffic = state.block->counters.traffic[index].total();
      const uint64_t executed = state.block->counters.executed.warps[index];
      if (executed > 0) {
        const float share = static_cast<float>(std::log1p(static_cast<double>(executed)) /
                                               std::log1p(static_cast<double>(most)));
        const bool wasteful = traffic.excess_wavefronts() > 0;
        const Role role = wasteful                       ? Role::conflict
                          : traffic.excess_sectors() > 0 ? Role::warning
                                                         : Role::idle;
        Rect filled = bar.inset(0, std::round(row_height * 0.32f));
        filled.right = filled.left + std::max(canvas.px(1), bar.width() * share);
        canvas.fill_rect(filled, color(role));
      }
    }
    draw_tokens(
        canvas, row,
        scenes::tokens_of_sass(compiled.text[index],
                               scenes::work_kind_role(scenes::work_kind(compiled.instructions[index]))));
  }
}

void CodeView::draw(ViewState& state) {
  drawing::heading("Code", state.compiled == nullptr
                               ? ""
                               : fmt::format("{} instructions", state.compiled->instructions.size()));
  Canvas canvas("code");
  if (state.compiled == nullptr)
    return draw_empty(canvas, state.failure ? "No machine code." : "Compiling\u2026");
  Rect area = canvas.area();
  const Rect left = area.cut_left(std::round(area.width() * 0.5f - canvas.px(4)));
  area.left += canvas.px(8);
  draw_source(state, left, canvas);
  draw_sass(state, area, canvas);
}

}  // namespace gemmscope::views
