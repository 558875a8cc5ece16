// The panel beside the timeline: what the visible range is spent on.
#include <algorithm>
#include <cmath>

#include "drawing/text_fit.h"
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

void title(Canvas& canvas, Rect& area, std::string_view text, std::string_view note = {}) {
  if (area.height() < 2 * canvas.line_height(FontRole::small)) return;
  area.cut_top(canvas.px(4));
  Rect line = area.cut_top(canvas.line_height(FontRole::small) + canvas.px(3));
  const float width = note.empty() ? 0 : canvas.text_width(note, FontRole::small);
  if (width > 0 && width + canvas.text_width(text, FontRole::small) + canvas.px(8) < line.width())
    canvas.text(line.cut_right(width), note, color(Role::text_dim), kRight);
  canvas.text(line, text, color(Role::text_strong), kLeft);
}

// The reasons in the visible range, largest first: also the legend of their colours.
void draw_histogram(Canvas& canvas, Rect& area, std::span<const sm::InstructionStalls> hotspots) {
  sm::StallCycles sum{};
  double all = 0;
  for (const sm::InstructionStalls& hotspot : hotspots)
    for (size_t r = 0; r < sm::kStalls; ++r) sum[r] += hotspot.cycles[r], all += hotspot.cycles[r];
  if (all == 0) return;
  std::array<int, sm::kStalls> order{};
  for (int r = 0; r < sm::kStalls; ++r) order[static_cast<size_t>(r)] = r;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](int r) { return sum[static_cast<size_t>(r)]; });
  title(canvas, area, "Warp cycles in view", "modelled");
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

// The instructions that wait most in the visible range, and the latency of their results that nobody hides.
void draw_hotspots(Canvas& canvas, Rect& area, const experiment::ModelResult& model,
                   std::span<const sm::InstructionStalls> hotspots, size_t most_rows) {
  if (hotspots.empty()) return;
  title(canvas, area, "Waiting instructions", "share of waits");
  double all = 0;
  for (const sm::InstructionStalls& hotspot : hotspots) all += hotspot.stalled();
  if (all == 0) return;
  const float line = canvas.line_height(FontRole::mono_small) + canvas.px(1);
  for (const sm::InstructionStalls& hotspot : hotspots.first(std::min(most_rows, hotspots.size()))) {
    if (area.height() < line + canvas.px(8)) return;
    Rect row = area.cut_top(line);
    canvas.text(row.cut_right(canvas.px(38)), fmt::format("{:.0f} %", 100 * hotspot.stalled() / all),
                color(Role::text_dim), kRight);
    canvas.text(row, model.compiled->text[hotspot.instruction], color(Role::text),
                {FontRole::mono_small, AlignX::left, AlignY::center});
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

// The results whose latency the warps had to wait for.
void draw_exposed(Canvas& canvas, Rect& area, const experiment::ModelResult& model, size_t most_rows) {
  const auto exposed = model.index.exposed();
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < exposed.size(); ++i)
    if (exposed[i].warp > 0 && exposed[i].executions > 0) order.push_back(i);
  std::ranges::sort(order, std::ranges::greater{}, [&](uint32_t i) { return exposed[i].warp; });
  if (order.empty()) return;
  title(canvas, area, "Exposed latency", "warp / sub-core, of all");
  const float line = canvas.line_height(FontRole::mono_small) + canvas.px(2);
  for (const uint32_t i : std::span(order).first(std::min(most_rows, order.size()))) {
    if (area.height() < line) return;
    Rect row = area.cut_top(line);
    const auto n = static_cast<double>(exposed[i].executions);
    const std::string figures = fmt::format("{:.0f} / {:.0f} of {:.0f}", exposed[i].warp / n,
                                            exposed[i].sub_core / n, exposed[i].latency / n);
    canvas.text(row.cut_right(canvas.text_width(figures, FontRole::small) + canvas.px(4)), figures,
                color(Role::conflict), kRight);
    canvas.text(row, model.compiled->text[i], color(Role::text),
                {FontRole::mono_small, AlignX::left, AlignY::center});
  }
}

void draw_pass(Canvas& canvas, Rect& area, const session::ViewState& state) {
  const uint32_t block = state.pipeline.block;
  if (block >= state.model->stages.size()) return;
  const uint32_t pass = scenes::pass_at(state.model->stages[block], state.pipeline.cycle);
  title(canvas, area, fmt::format("Pass {} against the mean", pass + 1), "cycles, modelled");
  const float line = canvas.line_height(FontRole::small) + canvas.px(2);
  for (const scenes::PassRow& pass_row : scenes::compare_pass(*state.model, block, pass)) {
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
                        const scenes::PipelineInput& input, std::span<const sm::InstructionStalls> hotspots) {
  const experiment::ModelResult& model = *input.model;
  // What was pointed at or selected is what the user asks about, so it has room first.
  std::vector<std::string> sentences;
  if (input.step) sentences = scenes::describe_step(model, *input.step);
  const float needed = sentences.empty() ? 0 : height_of_step(canvas, sentences, area.width());
  const Rect step = area.cut_bottom(std::min(area.height() * 0.7f, needed));
  draw_histogram(canvas, area, hotspots);
  if (state.pipeline.one_pass) draw_pass(canvas, area, state);
  draw_hotspots(canvas, area, model, hotspots, 6);
  draw_exposed(canvas, area, model, 5);
  if (!sentences.empty()) draw_step(canvas, step, sentences);
}

}  // namespace gemmscope::views
