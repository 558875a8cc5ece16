#include "views/code_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "drawing/text_fit.h"
#include "isa/disassemble.h"
#include "scenes/control_words.h"
#include "scenes/figure_names.h"
#include "scenes/port_scene.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"
#include "session/code_state.h"

namespace gemmscope::views {

using drawing::Canvas;
using drawing::Rect;

namespace {

std::string times_text(uint64_t count) {
  return fmt::format("{} time{}", scenes::grouped(count), plural(count));
}

constexpr int kNarrowCharacters = 80;

void halve_indentation(std::vector<scenes::Token>& tokens) {
  for (scenes::Token& token : tokens) {
    const size_t spaces = std::min(token.text.find_first_not_of(' '), token.text.size());
    const bool text_begins = spaces < token.text.size();
    token.text.remove_prefix(spaces / 2);
    if (text_begins) return;
  }
}

}  // namespace

void draw_tokens(Canvas& canvas, Rect row, std::vector<scenes::Token> tokens, int skip) {
  const float character = canvas.text_width("0", kCodeFont);
  const auto most = static_cast<int>(row.width() / character);  // characters that fit
  if (most < kNarrowCharacters) halve_indentation(tokens);
  size_t length = 0;
  for (const scenes::Token& token : tokens) length += drawing::utf8_boundaries(token.text).size() - 1;
  // The last character gives way to the ellipsis where the line goes on.
  const bool truncated = static_cast<int>(length) - skip > most;
  const int last = truncated ? skip + most - 1 : static_cast<int>(length);
  const float top = std::round(row.center().y - canvas.line_height(kCodeFont) / 2);
  const auto left_of = [&](int at) {
    return std::floor(row.left + static_cast<float>(at - skip) * character);
  };
  int at = 0;
  for (const scenes::Token& token : tokens) {
    const std::vector<size_t> ends = drawing::utf8_boundaries(token.text);
    const auto size = static_cast<int>(ends.size()) - 1;
    const int from = std::clamp(skip - at, 0, size), to = std::clamp(last - at, 0, size);
    if (from < to) {
      const size_t begin = ends[static_cast<size_t>(from)], end = ends[static_cast<size_t>(to)];
      canvas.text_at({left_of(at + from), top}, token.text.substr(begin, end - begin),
                     drawing::word_color(token.role), kCodeFont);
    }
    at += size;
  }
  if (truncated && most > 0)
    canvas.text_at({left_of(last), top}, drawing::kEllipsis, color(drawing::Role::text_dim), kCodeFont);
}

bool fits_in_row(std::string_view line, float width, float character) {
  const auto most = static_cast<size_t>(std::max(width, 0.0f) / character);
  if (most < kNarrowCharacters)  // the indentation is halved
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()) / 2);
  return drawing::utf8_boundaries(line).size() - 1 <= most;
}

std::string cell_text(const scenes::CodeCounts& counts, const scenes::CodeCount& count,
                      scenes::CodeColumn column) {
  if (column == scenes::CodeColumn::stalled)
    return fmt::format("{:.1f} %", 100 * scenes::stall_share(counts, count));
  const uint64_t value = count[column];
  return (count.is_least(column) ? "\u2265" : "") +
         (value < 100'000 ? scenes::grouped(value) : scenes::short_number(static_cast<double>(value)));
}

std::string warps_text(std::span<const int> warps) {
  std::string text;
  for (const int warp : warps) text += fmt::format("{}{}", text.empty() ? "" : ", ", warp);
  return text.empty() ? "" : fmt::format("\nnow here: {} {}", warps.size() == 1 ? "warp" : "warps", text);
}

std::string trimmed(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

namespace {

const char* scope_text(scenes::CountScope scope) {
  return scope == scenes::CountScope::grid ? "whole grid" : "this block";
}

void add_traffic(std::string& text, const metrics::InstructionTraffic& t) {
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds) {
    const metrics::Traffic& traffic = t.*kind.member;
    if (traffic.requests == 0) continue;
    // A GPU may count more for a copy, which writes when its bytes arrive.
    const char* const least = kind.member == &metrics::InstructionTraffic::async_shared ? "\u2265" : "";
    text +=
        fmt::format("\n{}: {}{} {}, {} of them excess", kind.name, least,
                    scenes::grouped(kind.shared ? traffic.wavefronts : traffic.sectors),
                    kind.shared ? "wavefronts" : "sectors",
                    scenes::grouped(kind.shared ? traffic.excess_wavefronts() : traffic.excess_sectors()));
  }
}

// None where they would answer the question of a lesson's page.
scenes::CountSource shown_counts(const session::ViewState& state) {
  return state.lesson.hides().counts ? scenes::CountSource{} : session::code_counts_of(state);
}

// What the model says of an instruction: the latency of its result, and why warps wait to issue it.
void add_modelled(std::string& text, const session::ViewState& state, uint32_t i) {
  if (state.model == nullptr || state.model->compiled != state.compiled) return;
  if (state.lesson.hides().counts) return;
  const experiment::ModelResult& model = *state.model;
  const sm::ExposedLatency& exposed = model.index.exposed()[i];
  if (exposed.executions > 0) {
    const auto n = static_cast<double>(exposed.executions);
    text += fmt::format(
        "\nmodelled: {:.0f} cycles of latency, {:.0f} exposed to the warp, {:.0f} to the whole sub-core",
        exposed.latency / n, exposed.warp / n, exposed.sub_core / n);
  }
  const sm::StallCycles& cycles = model.index.stalls_by_instruction()[i];
  const double issues = cycles[static_cast<size_t>(sm::Stall::selected)];
  if (issues == 0) return;
  std::string waits;
  for (size_t r = 1; r < sm::kStalls; ++r)
    if (const double mean = cycles[r] / issues; mean >= 0.5)
      waits += fmt::format("{}{} {:.0f}", waits.empty() ? "" : ", ", sm::kStallNames[r], mean);
  if (!waits.empty()) text += fmt::format("\nmodelled: a warp waits to issue it, in cycles: {}", waits);
}

}  // namespace

std::string instruction_tooltip(const session::ViewState& state, uint32_t i) {
  const experiment::CompiledKernel& compiled = *state.compiled;
  std::string text = scenes::instruction_text(compiled, i);
  if (const std::string place = scenes::place_and_call_text(compiled, i); !place.empty())
    text += "\n" + place;
  if (const scenes::CountSource source = shown_counts(state); source.counters != nullptr) {
    const metrics::Counters& counters = *source.counters;
    text += fmt::format("\n{}: issued {} by its warps, executed by {} thread{}", scope_text(source.scope),
                        times_text(counters.executed.warps[i]), scenes::grouped(counters.executed.threads[i]),
                        plural(counters.executed.threads[i]));
    add_traffic(text, counters.traffic[i]);
  }
  if (const metrics::InstructionPorts& ports = compiled.ports.instructions[i]; ports.one_cycle)
    text += fmt::format("\nregister ports: {}", scenes::port_text(ports));
  add_modelled(text, state, i);
  if (!state.code.control_codes) return text;
  text += fmt::format("\n{}", scenes::control_column(compiled.instructions[i].control));
  for (const std::string& sentence : scenes::control_sentences(compiled.instructions[i]))
    text += "\n\u00b7 " + sentence;
  return text;
}

std::string source_tooltip(const session::ViewState& state, int line) {
  const experiment::CompiledKernel& compiled = *state.compiled;
  size_t instructions = 0, of_called = 0;
  uint64_t issued = 0;
  metrics::InstructionTraffic traffic;
  const scenes::CountSource source = shown_counts(state);
  for (size_t i = 0; i < compiled.places.size(); ++i) {
    const std::vector<int> lines = scenes::own_lines(compiled, i);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) continue;
    ++instructions;
    if (compiled.places[i].file != 0 || compiled.places[i].line != line) ++of_called;
    if (source.counters == nullptr) continue;
    issued += source.counters->executed.warps[i];
    traffic.add(source.counters->traffic[i]);
  }
  std::string text = trimmed(compiled.files[0].lines[static_cast<size_t>(line) - 1]);
  if (instructions == 0) return fmt::format("{}\nline {}: no instruction of its own", text, line);
  text += fmt::format("\nline {}: {} instruction{}", line, instructions, instructions == 1 ? "" : "s");
  if (of_called > 0)
    text += of_called == instructions ? ", all in functions called here"
                                      : fmt::format(", {} of them in functions called here", of_called);
  if (source.counters == nullptr) return text;
  text += fmt::format(", issued {} by {}", times_text(issued),
                      source.scope == scenes::CountScope::grid ? "the whole grid" : "this block");
  add_traffic(text, traffic);
  return text;
}

std::string column_tooltip(scenes::CodeColumn column, const scenes::CodeChoice& choice) {
  return fmt::format("{}\n{}\nA source line includes the functions called on it.\n{}",
                     scenes::column_name(column).sentence, scenes::nsight_line(scenes::figure_name(column)),
                     choice.sorted && choice.rank_by == column
                         ? "Click: back to the order of the code."
                         : "Click: sort the instructions by this column, highest first.");
}

const char* control_tooltip() {
  return "Control codes: what the compiler tells the scheduler.\n"
         "B012345: scoreboards that the instruction waits for before it issues\n"
         "R: scoreboard that is set until its sources are read\n"
         "W: scoreboard that is set until its result is written\n"
         "Y: yield, another warp may go first\n"
         "S: cycles until its warp may issue again";
}

}  // namespace gemmscope::views
