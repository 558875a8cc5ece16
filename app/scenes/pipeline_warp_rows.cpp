#include <algorithm>
#include <cmath>

#include "scenes/pipeline_colors.h"
#include "scenes/pipeline_rows.h"

namespace gemmscope::scenes {
namespace {

using drawing::Color;
using drawing::Rect;
using sm::Stall;

constexpr float kStrip = 0.36f;  // of a row's height: its waits
constexpr int kCellRows = 4;     // of a density, for a warp: two of issues, one of waits, a gap
constexpr float kOpcodePixels = 26;

// Mixes colours by weight.
class ColorSum {
 public:
  void add(Color color, float weight) {
    r_ += weight * static_cast<float>(color.r);
    g_ += weight * static_cast<float>(color.g);
    b_ += weight * static_cast<float>(color.b);
    weight_ += weight;
  }
  Color mean(float opacity) const {
    if (weight_ <= 0) return {0, 0, 0, 0};
    const auto channel = [this](float sum) { return static_cast<uint8_t>(sum / weight_ + 0.5f); };
    return {channel(r_), channel(g_), channel(b_),
            static_cast<uint8_t>(std::clamp(opacity, 0.0f, 1.0f) * 255 + 0.5f)};
  }

 private:
  float r_ = 0, g_ = 0, b_ = 0, weight_ = 0;
};

std::array<Color, sm::kActivities> activity_colors() {
  std::array<Color, sm::kActivities> colors;
  for (int a = 0; a < sm::kActivities; ++a) colors[static_cast<size_t>(a)] = activity_color(a);
  return colors;
}

// The waits and the issue of each visible step of a row.
void add_steps(const PipelineInput& input, const PipelineScene& scene, const SceneMetrics& metrics,
               const PipelineRow& row, const std::array<Color, sm::kActivities>& colors, PipelineBars& bars) {
  const sm::WarpTimeline& warp = input.model->timeline.warps[row.warp];
  const float border = row.rect.bottom - std::max(1.0f, row.rect.height() * kStrip);
  const float top = row.rect.top + (row.rect.height() > 7 ? 1.0f : 0.0f), bottom = row.rect.bottom - 1;
  const bool named = scene.pixels_per_cycle() >= kOpcodePixels * metrics.scale &&
                     row.rect.height() > metrics.small_height * 0.9f;
  const auto add = [&](double begin, double end, float from_y, Color color) {
    const float left = std::max(row.rect.left, scene.x_of(begin));
    const float right = std::min(row.rect.right, scene.x_of(end));
    if (right > left) bars.bars.push_back({{left, from_y, right, bottom}, color});
  };
  const auto first = static_cast<uint32_t>(std::max(0.0, std::floor(scene.visible.from)));
  for (size_t k = sm::TimelineIndex::first_step_at(warp, first); k < warp.steps.size(); ++k) {
    if (warp.begin_of(k) >= scene.visible.to) break;
    const sm::TimelineStep& step = warp.steps[k];
    sm::for_each_wait(warp, k, [&](uint32_t begin, uint32_t end, Stall reason) {
      add(begin, end, border, colors[static_cast<size_t>(sm::activity_of(reason))]);
    });
    const sm::IssueKind kind = sm::issue_kind(input.model->launch().code[step.instruction]);
    add(step.issued, step.issued + 1.0, top, colors[static_cast<size_t>(sm::activity_of(kind))]);
    if (named && scene.visible.contains(step.issued)) {
      const std::string& text = input.model->compiled->text[step.instruction];
      bars.opcodes.emplace_back(
          Rect{scene.x_of(step.issued) + 2, row.rect.top, scene.x_of(step.issued + 1.0), row.rect.bottom},
          text.substr(text.starts_with('@') ? text.find(' ') + 1 : 0, text.find_first_of(" ;.") + 0));
    }
  }
}

// The shares of a column's cycles in a row: exactly from the steps where a column is narrower than a bucket
// of the sums.
void add_exact_columns(const experiment::ModelResult& model, CycleRange visible, uint32_t w, int columns,
                       std::vector<sm::ActivityCycles>& shares) {
  const sm::WarpTimeline& warp = model.timeline.warps[w];
  const double per_column = visible.length() / columns;
  const auto add = [&](double begin, double end, int activity) {
    begin = std::max(begin, visible.from);
    end = std::min(end, visible.to);
    if (end <= begin) return;
    const auto column_at = [&](double cycle) {
      return std::clamp(static_cast<int>((cycle - visible.from) / per_column), 0, columns - 1);
    };
    for (int column = column_at(begin); column <= column_at(end); ++column) {
      const double left = visible.from + column * per_column;
      const double part = std::min(end, left + per_column) - std::max(begin, left);
      // In 256ths of a cycle.
      if (part > 0)
        shares[static_cast<size_t>(column)][static_cast<size_t>(activity)] +=
            static_cast<uint32_t>(part * 256);
    }
  };
  const auto first = static_cast<uint32_t>(std::max(0.0, std::floor(visible.from)));
  for (size_t k = sm::TimelineIndex::first_step_at(warp, first); k < warp.steps.size(); ++k) {
    if (warp.begin_of(k) >= visible.to) break;
    const sm::TimelineStep& step = warp.steps[k];
    sm::for_each_wait(warp, k, [&](uint32_t begin, uint32_t end, Stall reason) {
      add(begin, end, sm::activity_of(reason));
    });
    add(step.issued, step.issued + 1.0,
        sm::activity_of(sm::issue_kind(model.launch().code[step.instruction])));
  }
}

// Adds the shares of one warp; the range may begin before its timeline and end behind it.
void add_shares(const experiment::ModelResult& model, CycleRange visible, uint32_t w, int columns,
                std::vector<sm::ActivityCycles>& shares) {
  const sm::TimelineIndex& index = model.index;
  const double per_column = visible.length() / columns;
  if (per_column < index.bucket_cycles()) return add_exact_columns(model, visible, w, columns, shares);
  for (int c = 0; c < columns; ++c) {
    const double from = visible.from + c * per_column;
    if (from < 0 || from >= model.timeline.cycles) continue;
    const auto first = static_cast<size_t>(from / index.bucket_cycles());
    const auto last = static_cast<size_t>((from + per_column) / index.bucket_cycles());
    const sm::ActivityCycles more = index.activities(w, first, std::max(last, first + 1));
    for (size_t a = 0; a < more.size(); ++a) shares[static_cast<size_t>(c)][a] += more[a];
  }
}

// Of the row's warp, or of all warps of the pinned timeline on its sub-core.
void read_shares(const PipelineInput& input, const PipelineScene& scene, const PipelineRow& row, int columns,
                 std::vector<sm::ActivityCycles>& shares) {
  shares.assign(static_cast<size_t>(columns), {});
  if (!row.pinned) return add_shares(*input.model, scene.visible, row.warp, columns, shares);
  const CycleRange visible{scene.visible.from - input.pinned_shift, scene.visible.to - input.pinned_shift};
  const std::vector<sm::WarpTimeline>& warps = input.pinned->timeline.warps;
  for (uint32_t w = 0; w < warps.size(); ++w)
    if (warps[w].sub_core == row.sub_core) add_shares(*input.pinned, visible, w, columns, shares);
}

// One picture for rows of warps that lie below each other.
DensityCells density_of(const PipelineInput& input, const PipelineScene& scene, const SceneMetrics& metrics,
                        std::span<const PipelineRow* const> rows,
                        const std::array<Color, sm::kActivities>& colors) {
  DensityCells density;
  density.columns =
      std::clamp(static_cast<int>(scene.plot.width() / std::max(1.0f, 1.5f * metrics.scale)), 1, 2048);
  density.rows = static_cast<int>(rows.size()) * kCellRows;
  density.rect = {rows.front()->rect.left, rows.front()->rect.top, rows.front()->rect.right,
                  rows.back()->rect.bottom};
  const auto columns = static_cast<size_t>(density.columns);
  density.cells.assign(columns * static_cast<size_t>(density.rows), Color{0, 0, 0, 0});
  std::vector<sm::ActivityCycles> shares;
  for (size_t r = 0; r < rows.size(); ++r) {
    read_shares(input, scene, *rows[r], density.columns, shares);
    for (size_t c = 0; c < columns; ++c) {
      ColorSum issue, wait;
      float issued = 0, all = 0;
      for (int a = 0; a < sm::kActivities; ++a) {
        const auto cycles = static_cast<float>(shares[c][static_cast<size_t>(a)]);
        if (cycles == 0) continue;
        all += cycles;
        if (a < sm::kIssueKinds) issued += cycles;
        (a < sm::kIssueKinds ? issue : wait).add(colors[static_cast<size_t>(a)], cycles);
      }
      if (all == 0) continue;
      // A warp of four on a sub-core issues every fourth cycle at best, and is seen as full then.
      const Color issue_color = issue.mean(std::sqrt(std::min(1.0f, 4 * issued / all)));
      Color* const cell = &density.cells[r * kCellRows * columns + c];
      cell[0] = cell[columns] = issue_color;
      cell[2 * columns] = wait.mean(std::sqrt((all - issued) / all));
    }
  }
  return density;
}

}  // namespace

void add_warp_bars(const PipelineInput& input, const PipelineScene& scene, const SceneMetrics& metrics,
                   PipelineBars& bars) {
  const auto colors = activity_colors();
  std::vector<const PipelineRow*> group;
  const auto finish = [&] {
    if (!group.empty()) bars.densities.push_back(density_of(input, scene, metrics, group, colors));
    group.clear();
  };
  for (const PipelineRow& row : scene.rows) {
    if (row.band != PipelineBand::warps) continue;
    if (scene.single_steps && !row.pinned) {
      add_steps(input, scene, metrics, row, colors, bars);
      continue;
    }
    // The rows of one picture are alike in height.
    const bool apart = row.followed || row.pinned;
    if (apart || (!group.empty() && group.back()->sub_core != row.sub_core)) finish();
    group.push_back(&row);
    if (apart) finish();
  }
  finish();
}

}  // namespace gemmscope::scenes
