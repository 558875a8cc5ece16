#include "shell/frame_time.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/plots.h"
#include "drawing/session.h"
#include "shell/overlay.h"

namespace gemmscope::shell {

using namespace drawing;

void FrameTimes::add(double milliseconds) {
  ring_[next_] = static_cast<float>(milliseconds);
  next_ = (next_ + 1) % kCapacity;
  count_ = std::min(count_ + 1, kCapacity);
}

std::vector<float> FrameTimes::history_ms() const {
  std::vector<float> history;
  history.reserve(count_);
  for (std::size_t i = 0; i < count_; ++i)
    history.push_back(ring_[(next_ + kCapacity - count_ + i) % kCapacity]);
  return history;
}

FrameTimeSummary FrameTimes::summary() const { return summarize(history_ms()); }

double percentile(std::vector<float> values, double percent) {
  if (values.empty()) return 0;
  const double rank = std::ceil(std::clamp(percent, 0.0, 100.0) * static_cast<double>(values.size()) / 100);
  const auto index = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[static_cast<std::size_t>(index)];
}

FrameTimeSummary summarize(const std::vector<float>& milliseconds) {
  return {percentile(milliseconds, 50), percentile(milliseconds, 99), percentile(milliseconds, 100),
          milliseconds.size()};
}

void draw_frame_time_overlay(const FrameTimes& times) {
  const float scale = ui_scale(), margin = std::round(12 * scale);
  const Size size{std::round(220 * scale), std::round(84 * scale)};
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  begin_overlay("##frame_times", Rect::at({display.x - size.width - margin, margin}, size), 0.94f);
  Canvas canvas("strip");
  Rect area = canvas.area();
  const FrameTimeSummary summary = times.summary();
  const Rect line = area.cut_top(canvas.line_height(FontRole::mono_small) + canvas.px(6));
  canvas.text(
      line,
      fmt::format("p50 {:.1f}  p99 {:.1f}  max {:.1f} ms", summary.p50_ms, summary.p99_ms, summary.max_ms),
      color(Role::text), {FontRole::mono_small});
  // The scale covers at least two frames of 60 Hz, so that a steady picture looks steady.
  const float top = std::max(33.3f, static_cast<float>(summary.max_ms));
  draw_sparkline(canvas, area, times.history_ms(), color(Role::accent), 0, top);
  const float budget = std::round(area.bottom - area.height() * 16.7f / top);
  canvas.line({area.left, budget}, {area.right, budget}, color(Role::grid_strong), canvas.px(1));
  end_overlay();
}

}  // namespace gemmscope::shell
