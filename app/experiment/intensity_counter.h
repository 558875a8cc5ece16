// Counts the traffic of variants through L1 and shared memory for the roofline, on its own thread: the exact
// counters of their machine code (grid_sampling.h). It uses one core for one variant at a time, so the window
// stays responsive.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {

struct CountedTraffic {
  std::string kernel;
  std::map<std::string, int64_t> toggles;
  double flop_per_byte = 0;  // 2 M N K / metrics::l1_bytes; 0: it could not be counted
  CodeChanges changes = {};
};

class IntensityCounter {
 public:
  // `wake` is called from the thread when there is something to take.
  explicit IntensityCounter(std::function<void()> wake);
  ~IntensityCounter();  // cancels the running count, so it returns soon
  IntensityCounter(const IntensityCounter&) = delete;
  IntensityCounter& operator=(const IntensityCounter&) = delete;

  // Counts these in this order and drops earlier requests. Returns at once, and so does take().
  void want(std::vector<TimedKernel> variants, catalog::Problem problem, isa::Arch arch);
  // Returns what was counted since the last call, never for an older request.
  std::vector<CountedTraffic> take();

 private:
  struct Request {
    std::vector<TimedKernel> variants;
    catalog::Problem problem;
    isa::Arch arch = isa::Arch::sm_90;
  };
  void loop();

  std::function<void()> wake_;
  std::mutex mutex_;  // guards the four below
  std::condition_variable ready_;
  std::optional<Request> next_;
  std::vector<CountedTraffic> counted_;
  uint64_t generation_ = 0;
  bool stopping_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

// FLOP per byte of one variant. 0 where it cannot be compiled or launched, or where counting it would need
// the execution of a grid that is too large.
double count_intensity(const TimedKernel& choice, const catalog::Problem& problem, isa::Arch arch,
                       const std::atomic<bool>& cancelled);

}  // namespace gemmscope::experiment
