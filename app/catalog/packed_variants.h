// The variants of a kernel whose machine code the program ships, for computers without NVRTC.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace gemmscope::catalog {

// Toggles that differ from their defaults, by name.
using ToggleValues = std::map<std::string, int64_t>;

// A kernel with at most so many combinations of toggles ships all of them.
inline constexpr size_t kMostPackedCombinations = 128;

// The default first. Then, if there are few, every combination; else every value of every toggle alone;
// for the workbench on sm_86 and sm_90, for its ablation lattice, every pair of such changes; on sm_86 what
// the lessons compare. Combinations that no launch allows are left out; none for an
// architecture that the kernel does not know. `sm`: 86 for sm_86.
std::vector<ToggleValues> packed_variants(const Kernel& kernel, int sm);

}  // namespace gemmscope::catalog
