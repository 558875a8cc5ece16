#include "metrics/occupancy_curve.h"

#include <algorithm>

#include "machine/state/row_file.h"

namespace gemmscope::metrics {
namespace {

int BlockNeeds::*member_of(OccupancyAxis axis) {
  switch (axis) {
    case OccupancyAxis::registers:
      return &BlockNeeds::registers;
    case OccupancyAxis::shared:
      return &BlockNeeds::shared_bytes;
    case OccupancyAxis::threads:
      return &BlockNeeds::threads;
  }
  return &BlockNeeds::registers;
}

// The last value with the same result as `first`. Along registers and shared memory the number of blocks
// never rises, so that halving the interval finds it.
int end_of_step(const SmLimits& sm, const BlockNeeds& block, OccupancyAxis axis, OccupancyRule rule,
                OccupancyStep step, int most) {
  if (axis == OccupancyAxis::threads) return std::min(step.first + machine::kWarpLanes - 1, most);
  int same = step.first, different = most + 1;
  while (different - same > 1) {
    const int middle = same + (different - same) / 2;
    (rule(sm, with_value(block, axis, middle)).blocks == step.blocks ? same : different) = middle;
  }
  return same;
}

}  // namespace

int least_on_axis(OccupancyAxis axis) { return axis == OccupancyAxis::shared ? 0 : 1; }

int most_on_axis(const SmLimits& sm, OccupancyAxis axis) {
  switch (axis) {
    case OccupancyAxis::registers:
      return sm.registers_per_thread;
    case OccupancyAxis::shared:
      return sm.shared_per_block;
    case OccupancyAxis::threads:
      return sm.threads_per_block;
  }
  return 0;
}

int value_on_axis(const BlockNeeds& block, OccupancyAxis axis) { return block.*member_of(axis); }

BlockNeeds with_value(BlockNeeds block, OccupancyAxis axis, int value) {
  block.*member_of(axis) = value;
  return block;
}

std::vector<OccupancyStep> occupancy_curve(const SmLimits& sm, const BlockNeeds& block, OccupancyAxis axis,
                                           OccupancyRule rule) {
  const int most = std::max(most_on_axis(sm, axis), value_on_axis(block, axis));
  std::vector<OccupancyStep> steps;
  for (int first = least_on_axis(axis); first <= most; first = steps.back().last + 1) {
    // On the axis of threads a step is one number of warps; its full warps stand for it.
    const int shown =
        axis == OccupancyAxis::threads ? std::min(first + machine::kWarpLanes - 1, most) : first;
    const Occupancy o = rule(sm, with_value(block, axis, shown));
    OccupancyStep step{first, first, o.blocks, o.warps};
    step.last = end_of_step(sm, block, axis, rule, step, most);
    steps.push_back(step);
  }
  return steps;
}

std::vector<RegisterBoundary> register_boundaries(const SmLimits& sm, const BlockNeeds& block) {
  const std::vector<OccupancyStep> steps = occupancy_curve(sm, block, OccupancyAxis::registers);
  std::vector<RegisterBoundary> boundaries;
  for (size_t i = 1; i < steps.size(); ++i)
    if (steps[i].first <= sm.registers_per_thread)
      boundaries.push_back({steps[i - 1].last, steps[i - 1].blocks, steps[i].blocks});
  return boundaries;
}

std::vector<RegisterBoundary> crossed_boundaries(const SmLimits& sm, const BlockNeeds& block, int before,
                                                 int after) {
  std::vector<RegisterBoundary> crossed = register_boundaries(sm, block);
  std::erase_if(crossed, [&](const RegisterBoundary& b) {
    return b.registers < std::min(before, after) || b.registers >= std::max(before, after);
  });
  return crossed;
}

}  // namespace gemmscope::metrics
