// When each warp of an SM issued each instruction, what it waited for before, and when the result was there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sm/stall.h"

namespace gemmscope::sm {

inline constexpr uint32_t kNoStep = 0xffff'ffff;

// One issued instruction. It waits from the cycle after the warp's step before it; the parts of the wait
// follow each other, and each ends at its time (equal times: the part is empty). Times are in cycles of the
// SM.
struct TimelineStep {
  uint32_t instruction = 0;  // index into the code
  uint32_t issued = 0;       // cycle
  uint32_t waited = 0;       // end of the last instruction's stall count
  uint32_t ready = 0;        // end of `ready_reason`: branch or fetch
  uint32_t released = 0;     // end of the wait at a barrier; 0 where it need not wait for one
  uint32_t results = 0;      // end of the wait for scoreboards
  uint32_t unthrottled = 0;  // end of `throttle_reason`: the cycles in which a pipe or a queue was full
  uint32_t done = 0;         // when its result was there, or its copy or store complete; without one: issued
  uint32_t data_begin = 0;   // when its access reached the data stage of shared memory and L1 …
  uint16_t data_cycles = 0;  // … and how long it took it
  uint16_t blocked_cycles = 0;  // of the rest until `issued`: dispatch stalls; the remainder is not selected
  uint32_t cause = kNoStep;     // the step that it waited for: the scoreboard's, or the last arrival's
  uint16_t cause_warp = 0;      // index into Timeline::warps
  uint16_t pass = 0;            // of the main loop
  Stall ready_reason = Stall::wait;
  Stall results_reason = Stall::long_scoreboard;
  Stall throttle_reason = Stall::math_pipe_throttle;
};

struct WarpTimeline {
  uint32_t block = 0;  // index into Timeline::blocks
  uint16_t warp = 0;   // of the block
  uint8_t sub_core = 0;
  uint32_t start = 0;  // the warp's first cycle
  std::vector<TimelineStep> steps;

  // The first cycle in which step `k` waits or issues.
  uint32_t begin_of(size_t k) const { return k == 0 ? start : steps[k - 1].issued + 1; }
};

struct BlockSpan {
  std::array<uint32_t, 3> block{};  // blockIdx
  uint32_t trace = 0;               // index into LaunchTrace::blocks of the execution that it replays
  uint32_t begin = 0, end = 0;      // cycles
};

struct Timeline {
  uint32_t cycles = 0;
  std::vector<BlockSpan> blocks;
  std::vector<WarpTimeline> warps;
  std::vector<double> intervals;  // by instruction of the code: cycles that it takes its pipe
};

// Calls `wait(begin, end, reason)` for each part of the wait before step `k` that has cycles, in their order.
template <typename Wait>
void for_each_wait(const WarpTimeline& warp, size_t k, Wait&& wait) {
  const TimelineStep& step = warp.steps[k];
  uint32_t at = warp.begin_of(k);
  const auto until = [&](uint32_t end, Stall reason) {
    end = std::clamp(end, at, step.issued);
    if (end > at) wait(at, end, reason);
    at = end;
  };
  until(step.waited, Stall::wait);
  until(step.ready, step.ready_reason);
  until(step.released, Stall::barrier);
  until(step.results, step.results_reason);
  until(step.unthrottled, step.throttle_reason);
  until(at + step.blocked_cycles, Stall::dispatch_stall);
  until(step.issued, Stall::not_selected);
}

// The cycles of a step, or of the part of it within [from, to), by reason; `selected` is its issue.
StallCycles stall_cycles(const WarpTimeline& warp, size_t step, uint32_t from = 0, uint32_t to = kNoStep);

// The same for all steps in the range: warp cycles by reason.
StallCycles stall_cycles(const Timeline& timeline, uint32_t from, uint32_t to);

}  // namespace gemmscope::sm
