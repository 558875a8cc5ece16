// Aligns two sequences of lines by their longest common subsequence (E. W. Myers, "An O(ND) Difference
// Algorithm and Its Variations", Algorithmica 1, 1986: the refinement in linear space).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gemmscope::scenes {

// Equal lines have equal numbers.
struct NumberedLines {
  std::vector<uint32_t> a, b;
};
NumberedLines number_lines(std::span<const std::string> a, std::span<const std::string> b);

// Pairs of indices (into a, into b) of equal lines; both ascend. There are as many as possible as long as a
// part differs in fewer than `most_cost` lines on its way to the middle. A part that differs in more is
// split where the search has come furthest, so that two foreign files take no longer than a frame.
inline constexpr int kMostDiffCost = 300;
std::vector<std::pair<uint32_t, uint32_t>> common_lines(std::span<const uint32_t> a,
                                                        std::span<const uint32_t> b,
                                                        int most_cost = kMostDiffCost);

}  // namespace gemmscope::scenes
