// What the model says of the experiment that the window shows: the steps of one wave of blocks on an SM, and
// the sums that their picture is drawn from. The modelled time of the whole launch follows on its own.
#pragma once

#include "experiment/modelled_time.h"
#include "experiment/tile_stages.h"
#include "sm/timeline_index.h"

namespace gemmscope::experiment {

struct ModelResult {
  std::shared_ptr<const CompiledKernel> compiled;
  Experiment experiment;
  sm::SmConfig device;
  std::shared_ptr<const TimingSample> sample;
  sm::Timeline timeline;  // of the blocks that are resident at once
  sm::TimelineIndex index;
  CodeStages code;
  std::vector<BlockStages> stages;  // by block of the timeline
  int64_t depth = 0;                // K that the blocks were executed at
  double model_ms = 0;              // how long the model took

  const sm::LaunchTrace& launch() const { return sample->launches[sample->shown_launch].deep; }
  bool reduced_depth() const { return depth != experiment.problem.k; }
  double microseconds(double cycles) const { return cycles / device.clock_mhz; }
};

// There is no modelled time; the sentence says why.
struct NotModelled {
  std::string why;
};

// `sample` is that of `block`'s experiment. Errors: those of Simulator::run; too many instructions to keep.
Outcome<ModelResult> make_model_result(const BlockResult& block, std::shared_ptr<const TimingSample> sample,
                                       const sm::SmConfig& device,
                                       const std::atomic<bool>* cancelled = nullptr);

}  // namespace gemmscope::experiment
