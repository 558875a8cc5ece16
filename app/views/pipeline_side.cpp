// The panel beside the timeline: what the visible range is spent on.
#include <algorithm>
#include <cmath>

#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "scenes/pipeline_colors.h"
#include "scenes/pipeline_story.h"
#include "scenes/text.h"
#include "views/pipeline_parts.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;
using sm::Stall;

const drawing::TextStyle kLeft{FontRole::small, AlignX::left, AlignY::center};
const drawing::TextStyle kRight{FontRole::small, AlignX::right, AlignY::center};

// False: there is no room for it and a row below it.
bool title(Canvas& canvas, Rect& area, std::string_view text, std::string_view note = {}) {
  if (area.height() < 2 * canvas.line_height(FontRole::small) + canvas.px(7)) return false;
  area.cut_top(canvas.px(4));
  Rect line = area.cut_top(canvas.line_height(FontRole::small) + canvas.px(3));
  const float width = note.empty() ? 0 : canvas.text_width(note, FontRole::small);
  if (width > 0 && width + canvas.text_width(text, FontRole::small) + canvas.px(8) < line.width())
    canvas.text(line.cut_right(width), note, color(Role::text_dim), kRight);
  canvas.text(line, text, color(Role::text_strong), kLeft);
  return true;
}

// The reasons in the range, largest first: also the legend of their colours.
void draw_histogram(Canvas& canvas, Rect& area, const session::ViewState& state,
                    std::span<const sm::InstructionStalls> hotspots) {
  sm::StallCycles sum{};
  double all = 0;
  for (const sm::InstructionStalls& hotspot : hotspots)
    for (size_t r = 0; r < sm::kStalls; ++r) sum[r] += hotspot.cycles[r], all += hotspot.cycles[r];
  if (all == 0) return;
  std::array<int, sm::kStalls> order{};
  for (int r = 0; r < sm::kStalls; ++r) order[static_cast<size_t>(r)] = r;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](int r) { return sum[static_cast<size_t>(r)]; });
  if (!title(canvas, area, state.pipeline.measure ? "Warp cycles measured" : "Warp cycles in view",
             "modelled"))
    return;
  const float line = canvas.line_height(FontRole::small) + canvas.px(2);
  const double most = sum[static_cast<size_t>(order[0])];
  const auto shown = [&](int r) { return sum[static_cast<size_t>(r)] / all >= 0.005; };
  float longest = 0;
  for (const int r : order)
    if (shown(r))
      longest =
          std::max(longest, canvas.text_width(sm::kStallNames[static_cast<size_t>(r)], FontRole::small));
  for (const int r : order) {
    const double cycles = sum[static_cast<size_t>(r)];
    if (!shown(r) || area.height() < line) break;
    Rect row = area.cut_top(line);
    const Rect percent = row.cut_right(canvas.px(38));
    const Rect name = row.cut_left(std::min(row.width() * 0.8f, longest + canvas.px(8)));
    canvas.text(name, sm::kStallNames[static_cast<size_t>(r)], color(Role::text), kLeft);
    canvas.text(percent, fmt::format("{:.0f} %", 100 * cycles / all), color(Role::text_dim), kRight);
    const Rect bar{row.left, row.top + canvas.px(2),
                   row.left + row.width() * static_cast<float>(cycles / most), row.bottom - canvas.px(2)};
    canvas.fill_rect(bar, scenes::stall_color(static_cast<Stall>(r)));
  }
}

// The pointer links the row to the code; a click goes to the longest of the instruction's waits in the range.
void point_at_hotspot(Canvas& canvas, Rect row, const session::ViewState& state, session::Requests& requests,
                      uint32_t instruction) {
  if (canvas.hovered() && row.contains(canvas.mouse())) {
    requests.hover.instruction = instruction;
    drawing::tooltip("Click to go to its longest wait here.");
  }
  if (!canvas.spot(row, fmt::format("wait {}", instruction)).pressed || state.places == nullptr) return;
  const scenes::CycleRange range = state.pipeline.measure.value_or(state.pipeline.visible);
  requests.step = scenes::longest_wait(*state.model, state.pipeline.block, instruction, range);
  if (!requests.step) return;
  if (!requests.pipeline) requests.pipeline = state.pipeline;
  requests.pipeline->visible = scenes::framing(*state.model, state.pipeline.visible, *requests.step);
}

// The instructions that wait most in the range.
void draw_hotspots(Canvas& canvas, Rect& area, const session::ViewState& state, session::Requests& requests,
                   std::span<const sm::InstructionStalls> hotspots, size_t most_rows) {
  if (hotspots.empty()) return;
  const experiment::ModelResult& model = *state.model;
  if (!title(canvas, area, "Waiting instructions", "share of waits")) return;
  double all = 0;
  for (const sm::InstructionStalls& hotspot : hotspots) all += hotspot.stalled();
  if (all == 0) return;
  const float line = canvas.line_height(FontRole::mono_small) + canvas.px(1);
  for (const sm::InstructionStalls& hotspot : hotspots.first(std::min(most_rows, hotspots.size()))) {
    if (area.height() < line + canvas.px(8)) return;
    Rect row = area.cut_top(line);
    const Rect whole = row;
    if (canvas.hovered() && whole.contains(canvas.mouse())) canvas.fill_rect(whole, color(Role::control));
    canvas.text(row.cut_right(canvas.px(38)), fmt::format("{:.0f} %", 100 * hotspot.stalled() / all),
                color(Role::text_dim), kRight);
    canvas.text(row, model.compiled->text[hotspot.instruction], color(Role::text),
                {FontRole::mono_small, AlignX::left, AlignY::center});
    point_at_hotspot(canvas, whole, state, requests, hotspot.instruction);
    Rect bar = area.cut_top(canvas.px(5));
    bar.bottom -= canvas.px(2);
    float left = bar.left;
    for (int r = 1; r < sm::kStalls; ++r) {
      const auto width =
          static_cast<float>(hotspot.cycles[static_cast<size_t>(r)] / hotspots[0].stalled()) * bar.width();
      canvas.fill_rect({left, bar.top, left + width, bar.bottom}, scenes::stall_color(static_cast<Stall>(r)));
      left += width;
    }
  }
}

// The latency of an instruction's results, and how much of it is exposed: to its warp, and the part of that
// in which no other warp of the sub-core issues either.
void draw_latency_bar(Canvas& canvas, Rect bar, const sm::ExposedLatency& exposed) {
  if (exposed.latency <= 0) return;
  const auto part = [&](double cycles) {
    return std::round(bar.width() * static_cast<float>(std::min(1.0, cycles / exposed.latency)));
  };
  canvas.fill_rect(bar, color(Role::grid_strong));
  canvas.fill_rect({bar.left, bar.top, bar.left + part(exposed.warp), bar.bottom},
                   with_opacity(color(Role::conflict), 0.5f));
  canvas.fill_rect({bar.left, bar.top, bar.left + part(exposed.sub_core), bar.bottom}, color(Role::conflict));
}

// The results whose latency the warps had to wait for, over the whole timeline.
void draw_exposed(Canvas& canvas, Rect& area, const experiment::ModelResult& model, size_t most_rows) {
  const auto exposed = model.index.exposed();
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < exposed.size(); ++i)
    if (exposed[i].warp > 0 && exposed[i].executions > 0) order.push_back(i);
  std::ranges::sort(order, std::ranges::greater{}, [&](uint32_t i) { return exposed[i].warp; });
  if (order.empty()) return;
  if (!title(canvas, area, "Exposed latency", "cycles of all")) return;
  const float line = canvas.line_height(FontRole::mono_small) + canvas.px(1);
  for (const uint32_t i : std::span(order).first(std::min(most_rows, order.size()))) {
    if (area.height() < line + canvas.px(8)) return;
    Rect row = area.cut_top(line);
    const auto n = static_cast<double>(exposed[i].executions);
    const std::string figures = fmt::format("{:.0f} of {:.0f}", exposed[i].warp / n, exposed[i].latency / n);
    if (canvas.hovered() && row.contains(canvas.mouse()))
      drawing::tooltip(
          fmt::format("on average {:.0f} cycles of latency: {:.0f} exposed to the warp, {:.0f} to "
                      "the whole sub-core",
                      exposed[i].latency / n, exposed[i].warp / n, exposed[i].sub_core / n));
    canvas.text(row.cut_right(canvas.text_width(figures, FontRole::small) + canvas.px(4)), figures,
                color(Role::conflict), kRight);
    canvas.text(row, model.compiled->text[i], color(Role::text),
                {FontRole::mono_small, AlignX::left, AlignY::center});
    Rect bar = area.cut_top(canvas.px(6));
    bar.bottom -= canvas.px(2);
    draw_latency_bar(canvas, bar, exposed[i]);
  }
}

void draw_pass(Canvas& canvas, Rect& area, const session::ViewState& state) {
  const uint32_t block = state.pipeline.block;
  if (block >= state.model->stages.size()) return;
  const uint32_t pass = scenes::pass_at(state.model->stages[block], state.pipeline.cycle);
  const std::vector<scenes::PassRow> rows = scenes::compare_pass(*state.model, block, pass);
  if (!title(canvas, area, fmt::format("Pass {} against the mean", pass + 1),
             rows.empty() ? "too few passes" : "cycles, modelled"))
    return;
  const float line = canvas.line_height(FontRole::small) + canvas.px(2);
  for (const scenes::PassRow& pass_row : rows) {
    if (area.height() < line) return;
    Rect row = area.cut_top(line);
    canvas.text(row.cut_right(canvas.px(52)), fmt::format("{:.0f}", pass_row.mean), color(Role::text_dim),
                kRight);
    const bool longer = pass_row.pass > pass_row.mean * 1.05;
    canvas.text(row.cut_right(canvas.px(52)), fmt::format("{:.0f}", pass_row.pass),
                color(longer ? Role::conflict : Role::text_strong), kRight);
    canvas.text(row, pass_row.name, color(Role::text), kLeft);
  }
}

// The lines of a sentence in the language of the screen.
std::vector<std::string_view> wrapped(const Canvas& canvas, std::string_view text, float width) {
  std::vector<std::string_view> lines;
  text = drawing::shown_text(text, FontRole::small);
  while (!text.empty()) {
    size_t end = 0;
    while (end < text.size()) {
      const size_t next = drawing::next_break(text, end);
      if (end > 0 && canvas.text_width(text.substr(0, next), FontRole::small) > width) break;
      end = next;
    }
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return lines;
}

float sentence_line(const Canvas& canvas) { return std::round(canvas.line_height(FontRole::small) * 1.15f); }

// As high as its title and sentences need.
float height_of_step(const Canvas& canvas, std::span<const std::string> sentences, float width) {
  float height = canvas.line_height(FontRole::small) + canvas.px(9);
  for (const std::string& sentence : sentences)
    height +=
        static_cast<float>(wrapped(canvas, sentence, width).size()) * sentence_line(canvas) + canvas.px(2);
  return height;
}

void draw_step(Canvas& canvas, Rect area, std::span<const std::string> sentences) {
  title(canvas, area, "This step");
  bool first = true;
  for (const std::string& sentence : sentences) {
    for (const std::string_view line : wrapped(canvas, sentence, area.width())) {
      if (area.height() < sentence_line(canvas)) return;
      canvas.text(area.cut_top(sentence_line(canvas)), line, color(first ? Role::text_strong : Role::text),
                  {.font = FontRole::small, .align_x = AlignX::left, .verbatim = true});
    }
    area.cut_top(canvas.px(2));
    first = false;
  }
}

}  // namespace

void draw_pipeline_side(Canvas& canvas, Rect area, const session::ViewState& state,
                        session::Requests& requests, const scenes::PipelineInput& input,
                        std::span<const sm::InstructionStalls> hotspots) {
  const experiment::ModelResult& model = *input.model;
  // What was asked for has room first: the pass, then the step that was pointed at or selected.
  if (state.pipeline.one_pass) draw_pass(canvas, area, state);
  std::vector<std::string> sentences;
  if (input.step) sentences = scenes::describe_step(model, *input.step);
  const float needed = sentences.empty() ? 0 : height_of_step(canvas, sentences, area.width());
  const float reasons =
      state.pipeline.one_pass ? 0 : 4 * (canvas.line_height(FontRole::small) + canvas.px(3));
  const Rect step =
      area.cut_bottom(std::min(std::max(area.height() * 0.7f, area.height() - reasons), needed));
  draw_histogram(canvas, area, state, hotspots);
  draw_hotspots(canvas, area, state, requests, hotspots, 6);
  draw_exposed(canvas, area, model, 5);
  if (!sentences.empty()) draw_step(canvas, step, sentences);
}

}  // namespace gemmscope::views
