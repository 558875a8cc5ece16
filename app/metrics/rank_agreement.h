// How far two lists of values put the same things into the same order.
#pragma once

#include <optional>
#include <span>

namespace gemmscope::metrics {

// Kendall's tau-b (Kendall 1945): of all pairs, those in the same order minus those in the opposite order,
// over the geometric mean of the pairs without a tie in either list. 1: the same order; 0: no relation; −1:
// the opposite order. Nothing where a list has no two different values. Both lists have the same length.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

}  // namespace gemmscope::metrics
