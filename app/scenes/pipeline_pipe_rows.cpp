#include <algorithm>
#include <cmath>

#include "scenes/pipeline_colors.h"
#include "scenes/pipeline_rows.h"
#include "sm/state.h"

namespace gemmscope::scenes {
namespace {

using drawing::Color;
using drawing::Rect;
using drawing::Role;
using sm::Pipe;

Color pipe_color(Pipe pipe) {
  switch (pipe) {
    case Pipe::issue:
      return drawing::color(Role::accent);
    case Pipe::fma:
    case Pipe::fp64:
    case Pipe::tensor:
      return drawing::color(Role::math);
    case Pipe::data:
      return drawing::color(Role::memory);
    default:
      return drawing::color(Role::control_flow);
  }
}

// Sub-cores lie above each other in the row; the data stage is one for all.
void add_steps(const PipelineInput& input, const PipelineScene& scene, const PipelineRow& row,
               PipelineBars& bars) {
  const experiment::ModelResult& model = *input.model;
  const Color color = pipe_color(row.pipe);
  const float quarter = row.rect.height() / sm::kSubCores;
  const auto add = [&](double begin, double end, float top, float bottom) {
    const float left = std::max(row.rect.left, scene.x_of(begin));
    const float right = std::min(row.rect.right, scene.x_of(end));
    if (right > left) bars.bars.push_back({{left, top, right, bottom}, color});
  };
  // Accesses reach the data stage long after their issue.
  constexpr double kLongestQueue = 2000;
  const bool data = row.pipe == Pipe::data;
  const double from = std::max(0.0, scene.visible.from - (data ? kLongestQueue : 40));
  for (const sm::WarpTimeline& warp : model.timeline.warps) {
    const float top = row.rect.top + quarter * static_cast<float>(warp.sub_core);
    for (size_t k = sm::TimelineIndex::first_step_at(warp, static_cast<uint32_t>(from));
         k < warp.steps.size(); ++k) {
      const sm::TimelineStep& step = warp.steps[k];
      if (step.issued >= scene.visible.to) break;
      if (data) {
        if (step.data_cycles > 0)
          add(step.data_begin, step.data_begin + static_cast<double>(step.data_cycles), row.rect.top + 1,
              row.rect.bottom - 1);
        continue;
      }
      const bool issue = row.pipe == Pipe::issue;
      if (!issue && sm::pipe_of(model.launch().code[step.instruction].unit) != row.pipe) continue;
      const double interval = issue ? 1 : std::max(1.0, model.timeline.intervals[step.instruction]);
      add(step.issued, step.issued + interval, top + (quarter > 3 ? 1.0f : 0.0f), top + quarter);
    }
  }
}

// The height of a column is the share of the time in which the pipe is busy.
void add_columns(const PipelineInput& input, CycleRange range, Pipe pipe, Rect area, float width, Color color,
                 std::vector<drawing::ColoredRect>& out) {
  const sm::TimelineIndex& index = input.model->index;
  const int columns = std::max(1, static_cast<int>(area.width() / width));
  const double per_column = range.length() / columns;
  for (int c = 0; c < columns; ++c) {
    const double from = range.from + c * per_column;
    const auto first = static_cast<size_t>(from / index.bucket_cycles());
    const auto last = static_cast<size_t>((from + per_column) / index.bucket_cycles());
    const auto share = static_cast<float>(index.pipe_share(pipe, first, std::max(last, first + 1)));
    if (share <= 0) continue;
    const float left = area.left + area.width() * static_cast<float>(c) / static_cast<float>(columns);
    const float right = area.left + area.width() * static_cast<float>(c + 1) / static_cast<float>(columns);
    out.push_back({{left, area.bottom - share * area.height(), right, area.bottom}, color});
  }
}

// The pinned timeline's share: a line over the columns.
void add_pinned_line(const PipelineInput& input, CycleRange range, const PipelineRow& row,
                     std::vector<drawing::ColoredRect>& out) {
  const sm::TimelineIndex& index = input.pinned->index;
  const Rect area = row.rect.inset(0, 1);
  constexpr float kWidth = 6, kThickness = 2;
  const int columns = std::max(1, static_cast<int>(area.width() / kWidth));
  const double per_column = range.length() / columns;
  const Color color = drawing::with_opacity(drawing::color(Role::text_strong), 0.75f);
  float before = -1;
  for (int c = 0; c < columns; ++c) {
    const double from = range.from - input.pinned_shift + c * per_column;
    if (from < 0 || from >= input.pinned->timeline.cycles) continue;
    const auto first = static_cast<size_t>(from / index.bucket_cycles());
    const auto last = static_cast<size_t>((from + per_column) / index.bucket_cycles());
    const auto share = static_cast<float>(index.pipe_share(row.pipe, first, std::max(last, first + 1)));
    const float left = area.left + kWidth * static_cast<float>(c);
    const float y = std::min(area.bottom - share * area.height(), area.bottom - kThickness);
    out.push_back({{left, y, left + kWidth, y + kThickness}, color});
    if (before >= 0 && std::abs(before - y) > kThickness)  // up or down from the column before
      out.push_back({{left, std::min(before, y) + kThickness, left + 1, std::max(before, y)}, color});
    before = y;
  }
}

}  // namespace

void add_pipe_bars(const PipelineInput& input, const PipelineScene& scene, PipelineBars& bars) {
  const sm::TimelineIndex& index = input.model->index;
  for (const PipelineRow& row : scene.rows) {
    if (row.band != PipelineBand::pipes) continue;
    const auto first = static_cast<size_t>(scene.visible.from / index.bucket_cycles());
    const auto last = static_cast<size_t>(std::ceil(scene.visible.to / index.bucket_cycles()));
    bars.pipe_use.emplace_back(row.pipe, index.pipe_share(row.pipe, first, std::max(last, first + 1)));
    if (scene.single_steps)
      add_steps(input, scene, row, bars);
    else
      add_columns(input, scene.visible, row.pipe, row.rect.inset(0, 1), 2, pipe_color(row.pipe), bars.bars);
    if (input.pinned != nullptr && !scene.single_steps) add_pinned_line(input, scene.visible, row, bars.bars);
  }
}

void add_overview(const PipelineInput& input, const PipelineScene& scene, PipelineBars& bars) {
  if (scene.overview.empty()) return;
  const Color color = drawing::with_opacity(pipe_color(math_pipe(*input.model)), 0.75f);
  add_columns(input, whole_range(*input.model), math_pipe(*input.model), scene.overview.inset(0, 1), 2, color,
              bars.overview);
}

}  // namespace gemmscope::scenes
