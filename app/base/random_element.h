// The random numbers that matrices hold. An index gives the same number on every machine, so results of the
// CPU and of a GPU in another process can be compared bit by bit.
#pragma once

#include <cstdint>

namespace gemmscope {

// SplitMix64's finalizer (Steele, Lea, Flood 2014): a counter becomes 64 well-mixed bits.
constexpr uint64_t mix_bits(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
constexpr uint64_t random_bits(int which, uint64_t i) {
  return mix_bits(i * 3 + static_cast<uint64_t>(which) + 0x5eed);
}
// Element i of matrix `which` (0 A, 1 B, 2 C): uniform in [-1, 1), multiples of 2^-23.
constexpr float random_element(int which, uint64_t i) {
  return static_cast<float>(static_cast<int64_t>(random_bits(which, i) >> 40) - (1 << 23)) /
         static_cast<float>(1 << 23);
}

}  // namespace gemmscope
