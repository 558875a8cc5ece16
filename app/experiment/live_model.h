// Models the times of variants on a thread of its own, one after the other, so that the window stays
// responsive. What was executed and modelled before is kept: another device, or another number of it, needs
// no new execution, and a variant that comes back no new run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/model_report.h"
#include "experiment/newest_request.h"
#include "experiment/timing_choice.h"
#include "experiment/timing_run.h"

namespace gemmscope::experiment {

struct ModelledVariant {
  VariantKey key;
  std::string title;
  Grade grade = Grade::fp32;
  bool is_product = true;
  double milliseconds = 0;         // 0: there is no modelled time
  std::string trouble;             // why, a sentence
  std::string bound;               // what bounds its longest launch, a sentence
  sm::LaunchFigures figures = {};  // of that launch
  double l2_bytes = 0;             // between L1 and L2, in all launches
};

struct ModelRequest {
  std::vector<TimedKernel> variants;
  catalog::Problem problem;
  sm::SmConfig device;
  isa::Arch arch = isa::Arch::sm_90;
  metrics::SmLimits limits;  // of the device's SM, perhaps changed
};
// The request on a device as its file has it. Its capability must be one that metrics::sm_limits knows.
ModelRequest model_request(std::vector<TimedKernel> variants, const catalog::Problem& problem,
                           const sm::SmConfig& device);

class LiveModel {
 public:
  // `wake` is called from the thread when there is something to take.
  explicit LiveModel(std::function<void()> wake);

  // Models these in this order and drops earlier requests. Returns at once, and so does take().
  void want(ModelRequest request) { requests_.replace(std::move(request)); }
  void cancel() { requests_.replace(std::nullopt); }
  // Returns what was modelled since the last call, never for an older request.
  std::vector<ModelledVariant> take() { return requests_.take(); }
  bool busy() const { return requests_.busy(); }

 private:
  NewestRequest<ModelRequest, std::vector<ModelledVariant>> requests_;
};

// Modelled times as timings with one sample each, for the charts. `device` gives clock, peaks and bandwidth.
Timings modelled_timings(const sm::SmConfig& device, const catalog::Problem& problem,
                         const std::vector<ModelledVariant>& variants);

// `timings` with the modelled time of each variant that `modelled` has at the same size on a device of the
// same name (TimedVariant::modelled_ms), and with the other variants of `modelled` that are in `racers`
// without samples. Otherwise unchanged.
Timings with_modelled(Timings timings, const Timings& modelled, const std::vector<VariantKey>& racers);
bool is_same_contest(const Timings& timings, const Timings& modelled);  // the device's name and the size

}  // namespace gemmscope::experiment
