// The sentences on an occupancy: what limits it, what would change it, and what the simpler rule says.
#pragma once

#include <optional>
#include <string>

#include "metrics/occupancy.h"
#include "metrics/occupancy_curve.h"

namespace gemmscope::scenes {

std::string capability_text(int compute_capability);   // "8.6"
std::string capability_title(int compute_capability);  // "8.6 Ampere (GA10x, RTX 30, A4000)"

// "registers, shared memory": the limits that decide.
std::string limiter_names(const metrics::Occupancy& occupancy);
// Which limit decides, and the arithmetic behind it; or why not even one block fits.
std::string limiter_sentence(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs);
// What would let one more block fit, or "".
std::string one_more_sentence(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs);
// The result of dividing without allocation units, and why it differs.
std::string textbook_sentence(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs);
// "At most 40 registers: 6 blocks; 48: 5; …": the boundaries of registers per thread.
std::string boundaries_sentence(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs);
// What changed from one point to the next, with the register boundaries that it crosses by name.
std::string change_sentence(const metrics::OccupancyPoint& before, const metrics::OccupancyPoint& now);

}  // namespace gemmscope::scenes
