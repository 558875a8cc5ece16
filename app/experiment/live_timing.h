// Measures the chosen variants in turn on its own thread until it is stopped: as fast as possible at first,
// then at a limited rate. Once a frame the UI submits choices and takes results; it never waits.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {

class LiveTiming {
 public:
  // `wake` is called from the thread when there is something to take. `compile` can be replaced in tests; the
  // default compile_kernel has a cache that makes the second compilation fast.
  LiveTiming(std::unique_ptr<TimingDevice> device, std::function<void()> wake,
             CompileFunction compile = compile_kernel);
  // Returns within the time that a cancelled request takes: the GPU runner is killed if it is busy.
  ~LiveTiming();
  LiveTiming(const LiveTiming&) = delete;
  LiveTiming& operator=(const LiveTiming&) = delete;

  // Measures these variants from now on, after the sample in progress. Variants that are the same as before,
  // on the same problem, keep their samples. Returns at once, as all functions here do.
  void start(TimingJob job);
  // Stops measuring after the sample in progress and frees the GPU's memory.
  void stop();
  // The newest timings since the last call, never those of a choice before the last start(); else null.
  std::shared_ptr<const Timings> take();
  // False once it has stopped or finished, or if nothing can be measured; then take() returns the final
  // timings.
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
  std::unique_ptr<TimingRun> run_;  // used by the thread only
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
