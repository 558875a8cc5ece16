// What the warps of the ladder's steps wait for: modelled, against Nsight Compute's counters of an H200.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "sm/config.h"

namespace gemmscope::experiment {

// Prints for each launch of `csv` (as ncu_h200_stalls.csv) without toggles the three largest stall reasons
// and the issue slots used, both ways, and how many of the reasons agree. Returns 0, or 1 with a message
// where a step cannot be modelled.
int print_stall_agreement(const std::string& csv, const catalog::Catalog& catalog,
                          const sm::SmConfig& device);

}  // namespace gemmscope::experiment
