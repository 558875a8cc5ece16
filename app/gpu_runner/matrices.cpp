#include "gpu_runner/matrices.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/random_element.h"
#include "gpu_runner/parallel.h"

namespace gemmscope::gpu {
namespace {

constexpr int64_t kLeastElements = 1 << 16;  // fewer elements are not worth a thread

}  // namespace

uint16_t bfloat16_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float bfloat16_value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

float matrix_element(char role, bool bfloat16, uint64_t index) {
  const float value = random_element(role - 'A', index);
  return bfloat16 ? bfloat16_value(bfloat16_bits(value)) : value;
}

void fill_matrix(char role, bool bfloat16, uint64_t first, std::span<std::byte> bytes) {
  const auto count = static_cast<int64_t>(bytes.size() / element_bytes(bfloat16));
  in_parallel(count, kLeastElements, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float value = random_element(role - 'A', first + static_cast<uint64_t>(i));
      if (bfloat16) {
        const uint16_t bits = bfloat16_bits(value);
        std::memcpy(&bytes[static_cast<size_t>(i) * 2], &bits, sizeof bits);
      } else {
        std::memcpy(&bytes[static_cast<size_t>(i) * 4], &value, sizeof value);
      }
    }
  });
}

void fill_float64(char role, bool bfloat16, bool absolute, uint64_t first, std::span<double> values) {
  in_parallel(static_cast<int64_t>(values.size()), kLeastElements, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double value = matrix_element(role, bfloat16, first + static_cast<uint64_t>(i));
      values[static_cast<size_t>(i)] = absolute ? std::abs(value) : value;
    }
  });
}

}  // namespace gemmscope::gpu
