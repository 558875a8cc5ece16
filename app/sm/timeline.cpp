#include "sm/timeline.h"

#include <algorithm>

namespace gemmscope::sm {
namespace {

// Cycles of [begin, end) within [from, to).
double overlap(uint32_t begin, uint32_t end, uint32_t from, uint32_t to) {
  const uint32_t first = std::max(begin, from), last = std::min(end, to);
  return last > first ? last - first : 0;
}

}  // namespace

StallCycles stall_cycles(const WarpTimeline& warp, size_t k, uint32_t from, uint32_t to) {
  const TimelineStep& step = warp.steps[k];
  StallCycles cycles{};
  for_each_wait(warp, k, [&](uint32_t begin, uint32_t end, Stall reason) {
    cycles[static_cast<size_t>(reason)] += overlap(begin, end, from, to);
  });
  cycles[static_cast<size_t>(Stall::selected)] += overlap(step.issued, step.issued + 1, from, to);
  return cycles;
}

StallCycles stall_cycles(const Timeline& timeline, uint32_t from, uint32_t to) {
  StallCycles total{};
  for (const WarpTimeline& warp : timeline.warps) {
    // The first step that ends after `from`.
    const auto first = std::ranges::lower_bound(warp.steps, from, {}, &TimelineStep::issued);
    for (auto k = static_cast<size_t>(first - warp.steps.begin()); k < warp.steps.size(); ++k) {
      if (warp.begin_of(k) >= to) break;
      const StallCycles cycles = stall_cycles(warp, k, from, to);
      for (size_t i = 0; i < total.size(); ++i) total[i] += cycles[i];
    }
  }
  return total;
}

}  // namespace gemmscope::sm
