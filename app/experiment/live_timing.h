// Measures the chosen variants on a thread of its own, in turn and for ever: quickly at first, then without
// haste. The UI hands a choice in and
// takes what there is once a frame; it never waits.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {

class LiveTiming {
 public:
  // `wake` is called from the thread when there is something to take. `compile`: for tests; by default
  // compile_kernel, whose cache makes the second time short.
  LiveTiming(std::unique_ptr<TimingDevice> device, std::function<void()> wake,
             CompileFunction compile = compile_kernel);
  // Ends within the time that a cancelled request takes: the GPU runner is killed if it is busy.
  ~LiveTiming();
  LiveTiming(const LiveTiming&) = delete;
  LiveTiming& operator=(const LiveTiming&) = delete;

  // From now on these are measured, after the sample that is under way. Variants that are the same as before,
  // on the same problem, keep their samples. Returns at once; so do the others.
  void start(TimingJob job);
  // After the sample that is under way nothing is measured, and the GPU's memory is given back.
  void stop();
  // The newest since the last time, never of a choice before the last start(); else null.
  std::shared_ptr<const Timings> take();
  // False once stopped, finished, or nothing can be measured; after that take() has the last word.
  bool busy() const { return busy_.load(); }

 private:
  void loop();
  void measure(TimingJob job, uint64_t generation);
  void post(uint64_t generation);
  bool superseded(uint64_t generation);
  void rest(uint64_t generation, std::chrono::steady_clock::time_point until);

  std::unique_ptr<TimingDevice> device_;
  std::function<void()> wake_;
  CompileFunction compile_;
  std::unique_ptr<TimingRun> run_;  // of the thread
  std::mutex mutex_;                // guards the five below
  std::condition_variable ready_;
  std::optional<TimingJob> next_;
  std::shared_ptr<const Timings> newest_;
  uint64_t generation_ = 0;
  bool stopping_ = false, stop_wanted_ = false;
  std::atomic<bool> cancelled_{false}, busy_{false};
  std::thread thread_;
};

}  // namespace gemmscope::experiment
