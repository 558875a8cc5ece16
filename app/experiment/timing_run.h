// Measures variants in turn, one sample each, without end or until each has enough. It has no thread: the
// caller takes the steps (live_timing.h).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/pipeline.h"
#include "experiment/timing_device.h"
#include "experiment/warm_up.h"

namespace gemmscope::experiment {

// A kernel with the toggles and typed inputs that differ from its defaults.
struct TimedKernel {
  catalog::Kernel kernel;  // a copy: the file may change meanwhile
  std::map<std::string, int64_t> toggles;
  std::map<std::string, std::string> inputs = {};
  CodeChanges changes = {};  // of the machine code
};

struct TimingOptions {
  bool flush_l2 = false;
  bool library_bars = true;   // also times cuBLAS in each grade that a variant has
  size_t samples_wanted = 0;  // per variant; 0: no limit
  size_t history = 600;       // the newest samples of a variant that are kept; older ones are dropped
};

struct TimingJob {
  std::vector<TimedKernel> variants;
  catalog::Problem problem;
  TimingOptions options;
};

using CompileFunction = std::function<Outcome<CompiledKernel>(const catalog::Kernel&, const Experiment&)>;

// A variant is compiled for the device, prepared and checked when its first turn comes. A variant that cannot
// be launched, cannot be checked or computes a wrong C gets `trouble` and no samples. A variant that ends the
// runner is left out until its machine code changes; the others are prepared again and keep their samples.
class TimingRun {
 public:
  // `previous`: the previous run, or null. Variants that are the same in both (kernel, toggles, machine code,
  // problem, L2) continue where they were, and those that faulted stay left out.
  TimingRun(TimingDevice& device, CompileFunction compile, TimingJob job,
            std::unique_ptr<TimingRun> previous = nullptr);

  // Gives the next variant its turn. Returns false if there is nothing (more) to do, see timings().trouble.
  bool step(const std::atomic<bool>& cancelled);
  const Timings& timings() const { return timings_; }
  size_t rounds() const { return rounds_; }  // rounds begun; in each, every variant has its turn
  size_t fewest_samples() const;             // among the variants that are still measured
  void release_all();                        // releases everything that the device has prepared

 private:
  struct Entry {
    std::optional<TimedKernel> choice;  // nothing for the library's product
    std::shared_ptr<const CompiledKernel> compiled;
    std::optional<uint64_t> handle;
    WarmUp warm_up;
    uint32_t launches = 1;
    int runners_lost = 0;  // runners that ended in its turns
    // This variant's entry in the previous run, until it is known whether the machine code is the same. Then
    // it is taken over or dropped.
    std::shared_ptr<Entry> before;
  };
  // A kernel that ended the runner.
  struct Fault {
    std::shared_ptr<const CompiledKernel> compiled;
    std::string message;
  };

  bool connect(const std::atomic<bool>& cancelled);
  void take_over(TimingRun& previous);
  void add_library(Grade grade);
  bool has_turn(size_t index) const;
  void turn(size_t index, const std::atomic<bool>& cancelled);
  bool compile(size_t index);
  bool prepare(size_t index, const std::atomic<bool>& cancelled);
  void sample(size_t index, const std::atomic<bool>& cancelled);
  void adopt(size_t index);
  void drop_before(size_t index);
  void check(size_t index, const gpu::GpuVerification& verification);
  void keep(size_t index, const gpu::TimeReply& reply);
  void failed(size_t index, const gpu::RunnerError& error);
  void lose_runner(size_t index, const std::string& message);
  void count_loss(const std::string& message);
  void forget_handles();
  void give_up(size_t index, std::string why);
  Experiment experiment_of(const Entry& entry) const;

  TimingDevice& device_;
  CompileFunction compile_;
  TimingJob job_;
  isa::Arch arch_ = isa::Arch::sm_90;
  bool connected_ = false;
  std::vector<Entry> entries_;  // parallel to timings_.variants
  std::vector<Fault> faults_;
  Timings timings_;
  size_t next_ = 0, rounds_ = 0;
  int lost_in_a_row_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace gemmscope::experiment
