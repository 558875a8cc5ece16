// Compares a kernel's buffers with those of its reference. The CPU and the GPU runner use the same rule.
#pragma once

#include <algorithm>

#include "base/element_type.h"

namespace gemmscope {

struct Deviation {
  double largest_error = 0;     // absolute
  double largest_ratio = 0;     // error / tolerance; 0 where the bits must be equal
  uint64_t wrong_elements = 0;  // beyond the tolerance, or NaN in one of the two buffers only
};

// Adds the deviation of one buffer. An element is right if its bits equal the reference's, or if its error is
// at most `tolerance` times the largest magnitude in the reference's buffer. A tolerance of 0 demands equal
// bits. Both buffers have the same size.
inline void compare_elements(std::span<const std::byte> result, std::span<const std::byte> reference,
                             ElementType type, double tolerance, Deviation& deviation) {
  const size_t bytes = size_of(type), count = reference.size() / bytes;
  double largest = 0;
  for (uint64_t i = 0; i < count && tolerance > 0; ++i)
    largest = std::max(largest, std::abs(element_value(reference, type, i)));
  for (uint64_t i = 0; i < count; ++i) {
    if (std::memcmp(result.data() + i * bytes, reference.data() + i * bytes, bytes) == 0) continue;
    const double error = std::abs(element_value(result, type, i) - element_value(reference, type, i));
    if (!(error <= tolerance * largest) || tolerance == 0) ++deviation.wrong_elements;  // NaN as well
    if (!std::isfinite(error)) continue;
    deviation.largest_error = std::max(deviation.largest_error, error);
    if (tolerance * largest > 0)
      deviation.largest_ratio = std::max(deviation.largest_ratio, error / (tolerance * largest));
  }
}

}  // namespace gemmscope
