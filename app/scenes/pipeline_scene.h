// The picture of a modelled timeline on one axis of time: above the stages of the k-tiles of one block, below
// them the warps of the SM by sub-core, below them the pipes.
//
// layout_pipeline places the rows. layout_pipeline_bars fills them for the visible range; it is the part that
// costs time, so a view keeps it until the range changes. Where a cycle is narrower than a pixel, shares of
// the time take the place of single instructions.
#pragma once

#include <string>
#include <vector>

#include "drawing/colored_rect.h"
#include "experiment/model_result.h"
#include "scenes/pipeline_place.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct PipelineInput {
  const experiment::ModelResult* model = nullptr;
  CycleRange visible;
  double cycle = 0;
  uint32_t block = 0;          // of the timeline
  int followed_warp = 0;       // of the block; kAllWarps: all
  std::optional<StepId> step;  // selected or hovered: its cause and effects get arrows
  const experiment::ModelResult* pinned = nullptr;
  double pinned_shift = 0;  // added to its cycles
};

enum class PipelineBand : uint8_t { stages, warps, pipes };

struct PipelineRow {
  PipelineBand band = PipelineBand::stages;
  drawing::Rect label, rect;
  std::string text;
  experiment::TileStage stage = experiment::TileStage::math;  // of a row of stages …
  int lane = 0;
  int slot = -1;        // … or of a row of a buffer …
  bool groups = false;  // … or of a lane of groups of copies
  uint32_t warp = 0;    // of a row of warps: index into Timeline::warps
  sm::Pipe pipe = sm::Pipe::issue;
  int sub_core = -1;  // of a row of warps
  bool followed = false;
  bool pinned = false;  // of the pinned timeline alone; of warps: all of a sub-core in one row
};

struct TimeTick {
  float x = 0;
  std::string text;
};

// The bar of a stage.
struct TileRect {
  drawing::Rect rect;
  experiment::TileStage stage = experiment::TileStage::math;
  int tile = 0;
  bool slot = false, pinned = false;
  int group = -1;               // of copies; `stage` says whether it is in flight (global load) or landed
  bool bulk = false;            // … of bulk copies
  uint32_t begin = 0, end = 0;  // cycles
  double hidden = -1;           // of a global load: the share of its time in which the SM multiplies
  std::string label;            // empty: no room
  drawing::Rect place;          // of the label: what no mark covers
};

struct PipelineScene {
  bool empty = true;
  std::string empty_text;
  drawing::Rect headline, overview, axis, plot, side;  // `side` may be empty
  std::vector<drawing::Rect> titles;                   // of the bands
  std::vector<std::string> title_texts;
  std::vector<PipelineRow> rows;
  std::vector<TimeTick> ticks;
  CycleRange visible;
  bool single_steps = false;  // a cycle is wide enough for single instructions

  float x_of(double cycle) const;
  double cycle_at(float x) const;
  float pixels_per_cycle() const;
  const PipelineRow* row_at(drawing::Point point) const;
};
PipelineScene layout_pipeline(const PipelineInput& input, drawing::Rect area, const SceneMetrics& metrics);

// Shares of the time, a cell for a column of pixels; drawn as one picture.
struct DensityCells {
  drawing::Rect rect;
  int columns = 0, rows = 0;
  std::vector<drawing::Color> cells;
};
struct PipelineBars {
  std::vector<TileRect> tiles;                 // drawn first, then what is exposed of them
  std::vector<drawing::Rect> exposed;          // parts of global loads during which the math pipes stand idle
  std::vector<drawing::ColoredRect> waits;     // for groups of copies: stalls at the wait, else its end
  std::vector<drawing::ColoredRect> bars;      // warps and pipes
  std::vector<DensityCells> densities;         // of warps, in place of bars
  std::vector<drawing::ColoredRect> overview;  // of the whole timeline
  std::vector<std::pair<drawing::Rect, std::string>> opcodes;  // where a cycle is wide enough to name them
  std::vector<std::pair<sm::Pipe, double>> pipe_use;           // in the visible range
};
PipelineBars layout_pipeline_bars(const PipelineInput& input, const PipelineScene& scene,
                                  const SceneMetrics& metrics);

struct StepArrow {
  drawing::Point from, to;
  bool from_visible = true, to_visible = true;  // else it starts or ends at the edge of the plot
  bool effect = false;                          // to what the step delayed
  bool below = false;                           // within the uppermost row: it bends down, clear of the title
};
// From what the step waited for to the step, and from the step to what it delayed.
std::vector<StepArrow> layout_step_arrows(const PipelineInput& input, const PipelineScene& scene);
// The rectangle of a step's wait and issue in its row; empty: not visible.
drawing::Rect step_rect(const PipelineInput& input, const PipelineScene& scene, StepId step);
// The step of a row of warps at a cycle: the one that issues or waits then.
std::optional<StepId> step_in_row(const PipelineInput& input, const PipelineRow& row, double cycle);
const TileRect* tile_at(const PipelineBars& bars, drawing::Point point);

// The share of [begin, end) in which the math pipes of the SM are busy for at least a twelfth of the time.
double hidden_share(const experiment::ModelResult& model, uint32_t begin, uint32_t end);

}  // namespace gemmscope::scenes
