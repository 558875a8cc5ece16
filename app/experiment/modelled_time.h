// The modelled time of a kernel: executes the blocks that one SM of a device holds at once, exactly, and
// replays them on the model of that SM (sm/simulator.h).
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "experiment/results.h"
#include "sm/predict.h"

namespace gemmscope::experiment {

// What the model reads of a kernel, launch by launch. The machine code is that of the experiment's
// architecture, whatever the device.
struct TimingSample {
  std::vector<sm::SampledLaunch> launches;
  size_t shown_launch = 0;
  double trace_ms = 0;
};

// Errors: an instruction that has no modelled time, a block that does not fit on an SM or issues too many
// instructions to replay, a fault of the kernel, cancelled.
Outcome<TimingSample> sample_timing(const CompiledKernel& compiled, const Experiment& experiment,
                                    const sm::SmConfig& device, const std::atomic<bool>* cancelled = nullptr);

struct ModelledTime {
  std::string device;  // its name
  double milliseconds = 0;
  std::vector<sm::LaunchTime> launches;
  double model_ms = 0;  // how long the model took
};
// Errors: those of sm::predict.
Outcome<ModelledTime> model_time(const TimingSample& sample, const sm::SmConfig& device,
                                 const std::atomic<bool>* cancelled = nullptr);

}  // namespace gemmscope::experiment
