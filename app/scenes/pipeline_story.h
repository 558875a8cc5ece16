// What the pipeline picture says in words. All times in it are modelled.
#pragma once

#include "scenes/pipeline_scene.h"

namespace gemmscope::scenes {

// A launch that uses tensor cores has a lower clock.
double microseconds(const experiment::ModelResult& model, double cycles);

// One line over the picture: the device, the length of the wave, and how much of the loads is hidden.
std::string pipeline_headline(const experiment::ModelResult& model, uint32_t block);
// What in the picture is not the launch that was asked for; empty: nothing.
std::string pipeline_caveat(const experiment::ModelResult& model);

// The step, how long it waited and for what, its result, and whom it delayed; a line each.
std::vector<std::string> describe_step(const experiment::ModelResult& model, StepId step);
// Why no arrow leads to the step; empty where one does.
std::string why_no_arrow(const experiment::ModelResult& model, StepId step);
std::string describe_tile(const TileRect& tile);

// One pass of a block against the mean of those between the first and the last.
struct PassRow {
  std::string name;
  double pass = 0, mean = 0;  // cycles
};
std::vector<PassRow> compare_pass(const experiment::ModelResult& model, uint32_t block, uint32_t pass);

// The range moved as little as possible until it shows the span; zoomed in where the span would be too narrow
// to see, out where it is longer.
CycleRange framing(const experiment::ModelResult& model, CycleRange range, CycleRange span);
// From what the step waited for, or from the beginning of its wait, until it issues.
CycleRange span_of(const experiment::ModelResult& model, StepId step);
// `framing` of that span.
CycleRange framing(const experiment::ModelResult& model, CycleRange range, StepId step);
// The longest wait of the instruction in the range, of the warps of a block.
std::optional<StepId> longest_wait(const experiment::ModelResult& model, uint32_t block, uint32_t instruction,
                                   CycleRange range);

// The share of the time of all global loads between the first and the last tile in which the SM multiplies;
// −1 where there are none.
double hidden_loads(const experiment::ModelResult& model, uint32_t block);

}  // namespace gemmscope::scenes
