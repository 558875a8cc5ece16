// Everything that the model says of an experiment on a device: the time, what each launch used and waited
// for, and what bounds it.
#pragma once

#include "experiment/modelled_time.h"
#include "metrics/occupancy.h"
#include "sm/bound.h"

namespace gemmscope::experiment {

struct ModelledLaunch {
  std::string title;
  sm::LaunchFigures figures;
  sm::BoundReport bound;
};

struct ModelReport {
  sm::SmConfig device;
  std::shared_ptr<const TimingSample> sample;
  std::shared_ptr<const ModelledTime> time;
  std::vector<ModelledLaunch> launches;
  size_t shown_launch = 0;
  double tflops = 0;  // 0: not a product

  double milliseconds() const { return time->milliseconds; }
  const ModelledLaunch& shown() const { return launches[shown_launch]; }
  // The launch that takes most of the time.
  const ModelledLaunch& longest() const;
};

// As sample_timing. Errors: those, and code for tensor cores on a device without them.
Outcome<TimingSample> sample_model(const CompiledKernel& compiled, const Experiment& experiment,
                                   const sm::SmConfig& device, const std::atomic<bool>* cancelled = nullptr);
// Of a sample that may have been taken for a device with other numbers, but of the same capability. As many
// blocks are resident as `limits` allow. Errors: those of model_time; a block that does not fit.
Outcome<ModelReport> report_sample(const CompiledKernel& compiled, const Experiment& experiment,
                                   const sm::SmConfig& device, std::shared_ptr<const TimingSample> sample,
                                   const metrics::SmLimits& limits,
                                   const std::atomic<bool>* cancelled = nullptr);
// Both. Errors: those of both.
Outcome<ModelReport> report_model(const CompiledKernel& compiled, const Experiment& experiment,
                                  const sm::SmConfig& device, const std::atomic<bool>* cancelled = nullptr);

}  // namespace gemmscope::experiment
