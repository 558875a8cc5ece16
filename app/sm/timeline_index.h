// A timeline summed up, so that any range of it can be drawn and counted without a walk over its steps: what
// each warp does, how busy the pipes are, which instructions wait, and whose latency nobody hides.
#pragma once

#include <optional>
#include <span>

#include "sm/launch_trace.h"
#include "sm/timeline.h"

namespace gemmscope::sm {

enum class IssueKind : uint8_t { math, shared, global, other };
inline constexpr int kIssueKinds = 4;
IssueKind issue_kind(const TimedInstruction& instruction);

// What a warp does in a cycle: it issues an instruction of a kind, or it waits for a reason. Index of the
// reason: kIssueKinds + reason − 1, since `selected` is the issue.
inline constexpr int kActivities = kIssueKinds + kStalls - 1;
using ActivityCycles = std::array<uint32_t, kActivities>;
inline constexpr int activity_of(IssueKind kind) { return static_cast<int>(kind); }
inline constexpr int activity_of(Stall reason) { return kIssueKinds + static_cast<int>(reason) - 1; }

// The rows of the picture of pipes, each of all four sub-cores together; `data` is the stage of shared memory
// and L1 that they share.
enum class Pipe : uint8_t { issue, fma, alu, fp64, xu, tensor, uniform, data };
inline constexpr int kPipes = 8;
inline constexpr std::array<const char*, kPipes> kPipeNames = {"issue slots", "FMA",    "ALU",     "FP64",
                                                               "XU",          "Tensor", "Uniform", "L1 data"};
std::optional<Pipe> pipe_of(Unit unit);

// Of all executions of an instruction whose result others wait for. Cycles of warps.
struct ExposedLatency {
  uint64_t executions = 0;
  double latency = 0;   // from issue to the result
  double warp = 0;      // of these, those in which the warp that needs it had nothing else to issue
  double sub_core = 0;  // and those in which no warp of its sub-core issued anything
};

struct InstructionStalls {
  uint32_t instruction = 0;
  StallCycles cycles{};
  double stalled() const;  // without `selected`
};

class TimelineIndex {
 public:
  TimelineIndex() = default;
  // `timeline` and `launch` must belong together and outlive this object.
  TimelineIndex(const Timeline& timeline, const LaunchTrace& launch, double fma_halves);

  uint32_t bucket_cycles() const { return bucket_; }
  size_t buckets() const { return buckets_; }
  // The warp's cycles in the buckets [first, last).
  ActivityCycles activities(size_t warp, size_t first, size_t last) const;
  // The share of the pipe's time in the buckets [first, last) in which it is busy, 0 to 1.
  double pipe_share(Pipe pipe, size_t first, size_t last) const;
  bool pipe_used(Pipe pipe) const;
  // Instructions that a sub-core issues in the cycles [from, to).
  uint32_t issued(size_t sub_core, uint32_t from, uint32_t to) const;

  // Warp cycles by reason in [from, to), exact.
  StallCycles stalls(uint32_t from, uint32_t to) const;
  // The same by instruction, most stalled first; those that neither issue nor wait there are left out.
  std::vector<InstructionStalls> hotspots(uint32_t from, uint32_t to) const;
  // By instruction of the code, over the whole timeline.
  std::span<const ExposedLatency> exposed() const { return exposed_; }
  std::span<const StallCycles> stalls_by_instruction() const { return stalls_; }

  // The first step of a warp that issues at or after the cycle.
  static size_t first_step_at(const WarpTimeline& warp, uint32_t cycle);

 private:
  void add_step(size_t warp, size_t step, double fma_halves);
  void add_exposure(size_t warp, size_t step);
  void sum_up();
  StallCycles* slice(size_t index, uint32_t instruction) {
    return &slices_[index * instructions_ + instruction];
  }

  const Timeline* timeline_ = nullptr;
  const LaunchTrace* launch_ = nullptr;
  uint32_t bucket_ = 1;
  size_t buckets_ = 0, instructions_ = 0;
  std::vector<ActivityCycles> activities_;  // by warp and bucket, summed from the first bucket on
  std::array<std::vector<double>, kPipes> pipes_;
  std::vector<std::vector<uint32_t>> issued_;  // by sub-core and cycle, summed
  uint32_t slice_ = 1;                         // cycles
  std::vector<StallCycles> slices_;            // by slice of the time and instruction
  std::vector<ExposedLatency> exposed_;
  std::vector<StallCycles> stalls_;
};

}  // namespace gemmscope::sm
