#include "machine/state/lane_words.h"

#include <bit>
#include <cstring>

namespace gemmscope::machine {
namespace {

// Four words, which the compiler keeps in a vector register.
using Quad = uint32_t __attribute__((vector_size(16)));

Quad load_quad(const void* from) {
  Quad quad;
  std::memcpy(&quad, from, sizeof quad);
  return quad;
}
void store_quad(void* to, Quad quad) { std::memcpy(to, &quad, sizeof quad); }

// Transposes a square of 4x4 words.
void transpose(std::array<Quad, 4>& q) {
  const Quad low01 = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5),
             high01 = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7);
  const Quad low23 = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5),
             high23 = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
  q[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  q[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  q[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  q[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

void read_quads(uint32_t* rows, const LanePointers& from) {
  std::array<Quad, 4> square;
  for (size_t l = 0; l < kWarpLanes; l += 4) {
    for (size_t i = 0; i < 4; ++i) square[i] = load_quad(from[l + i]);
    transpose(square);
    for (size_t i = 0; i < 4; ++i) store_quad(rows + i * kWarpLanes + l, square[i]);
  }
}

// to(lane) is where the lane's quad goes.
template <typename To>
void write_quads(const uint32_t* rows, To to) {
  std::array<Quad, 4> square;
  for (size_t l = 0; l < kWarpLanes; l += 4) {
    for (size_t i = 0; i < 4; ++i) square[i] = load_quad(rows + i * kWarpLanes + l);
    transpose(square);
    for (size_t i = 0; i < 4; ++i) store_quad(to(l + i), square[i]);
  }
}

}  // namespace

void read_words(uint32_t* rows, const LanePointers& from, uint32_t words, uint32_t active) {
  if (active == kAllLanes && words == 4) return read_quads(rows, from);
  if (active == kAllLanes && words == 1) {
    for (size_t l = 0; l < kWarpLanes; ++l) std::memcpy(rows + l, from[l], 4);
    return;
  }
  for (; active != 0; active &= active - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(active));
    for (size_t w = 0; w < words; ++w) std::memcpy(rows + w * kWarpLanes + l, from[l] + 4 * w, 4);
  }
}

void write_quads(const uint32_t* rows, std::byte* first, const std::array<int32_t, kWarpLanes>& distances) {
  write_quads(rows, [&](size_t l) { return first + distances[l]; });
}

void write_words(const uint32_t* rows, const LanePointers& to, uint32_t words, uint32_t active) {
  if (active == kAllLanes && words == 4) return write_quads(rows, [&](size_t l) { return to[l]; });
  if (active == kAllLanes && words == 1) {
    for (size_t l = 0; l < kWarpLanes; ++l) std::memcpy(to[l], rows + l, 4);
    return;
  }
  for (; active != 0; active &= active - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(active));
    for (size_t w = 0; w < words; ++w) std::memcpy(to[l] + 4 * w, rows + w * kWarpLanes + l, 4);
  }
}

}  // namespace gemmscope::machine
