// Counts what variants ask of global memory, on a thread of its own: the exact counters of their machine code
// (grid_sampling.h) for the roofline. One after the other on one core, so that the pictures stay quick.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {

struct CountedTraffic {
  std::string kernel;
  std::map<std::string, int64_t> toggles;
  double flop_per_byte = 0;  // 2 M N K by the bytes of all sectors; 0: it could not be counted
};

class IntensityCounter {
 public:
  // `wake` is called from the thread when there is something to take.
  explicit IntensityCounter(std::function<void()> wake);
  ~IntensityCounter();  // soon: what is being counted is cancelled
  IntensityCounter(const IntensityCounter&) = delete;
  IntensityCounter& operator=(const IntensityCounter&) = delete;

  // Counts these in this order and drops what was wanted before. Returns at once, and so does take().
  void want(std::vector<TimedKernel> variants, catalog::Problem problem, isa::Arch arch);
  // What was counted since the last time, never for an older wish.
  std::vector<CountedTraffic> take();

 private:
  struct Wish {
    std::vector<TimedKernel> variants;
    catalog::Problem problem;
    isa::Arch arch = isa::Arch::sm_90;
  };
  void loop();

  std::function<void()> wake_;
  std::mutex mutex_;  // guards the four below
  std::condition_variable ready_;
  std::optional<Wish> next_;
  std::vector<CountedTraffic> counted_;
  uint64_t generation_ = 0;
  bool stopping_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

// One of them. 0 where it cannot be compiled or launched, or only by executing a grid that is too large.
double count_intensity(const TimedKernel& choice, const catalog::Problem& problem, isa::Arch arch,
                       const std::atomic<bool>& cancelled);

}  // namespace gemmscope::experiment
