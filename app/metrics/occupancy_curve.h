// Occupancy as one need of a block varies: the cliffs, and the numbers of registers at which they stand.
#pragma once

#include <vector>

#include "metrics/occupancy.h"

namespace gemmscope::metrics {

enum class OccupancyAxis : uint8_t { registers, shared, threads };
inline constexpr int kOccupancyAxes = 3;

using OccupancyRule = Occupancy (*)(const SmLimits&, const BlockNeeds&);

// The values an axis has on an SM: from the least to the most that a block may ask for. `threads` has whole
// warps only, because a warp that is not full takes as much as a full one.
int least_on_axis(OccupancyAxis axis);
int most_on_axis(const SmLimits& sm, OccupancyAxis axis);
int value_on_axis(const BlockNeeds& block, OccupancyAxis axis);
BlockNeeds with_value(BlockNeeds block, OccupancyAxis axis, int value);

struct OccupancyStep {
  int first = 0, last = 0;    // values with the same result
  int blocks = 0, warps = 0;  // on one SM at once
};
// Steps in ascending order that cover the axis without a gap. They reach to the value of `block` where that
// is beyond the axis.
std::vector<OccupancyStep> occupancy_curve(const SmLimits& sm, const BlockNeeds& block, OccupancyAxis axis,
                                           OccupancyRule rule = occupancy);

// With one register more per thread than `registers`, `blocks_above` blocks fit in place of `blocks`.
struct RegisterBoundary {
  int registers = 0;
  int blocks = 0, blocks_above = 0;
  friend bool operator==(const RegisterBoundary&, const RegisterBoundary&) = default;
};
std::vector<RegisterBoundary> register_boundaries(const SmLimits& sm, const BlockNeeds& block);
// Those between two numbers of registers per thread, in ascending order.
std::vector<RegisterBoundary> crossed_boundaries(const SmLimits& sm, const BlockNeeds& block, int before,
                                                 int after);

}  // namespace gemmscope::metrics
