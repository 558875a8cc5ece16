#include "machine/state/lane_words.h"

#include <atomic>
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

// Stores in one piece, as every plain store of x86-64 does.
template <typename Value>
void store_relaxed(std::byte* to, Value value) {
  std::atomic_ref<Value>(*reinterpret_cast<Value*>(to)).store(value, std::memory_order_relaxed);
}
// Stores in two pieces.
void store_relaxed(std::byte* to, Quad quad) {
  std::array<uint64_t, 2> halves;
  store_quad(halves.data(), quad);
  store_relaxed(to, halves[0]);
  store_relaxed(to + 8, halves[1]);
}

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

// put(lane, quad) takes the quad of a lane.
template <typename Put>
void for_quads(const uint32_t* rows, Put put) {
  std::array<Quad, 4> square;
  for (size_t l = 0; l < kWarpLanes; l += 4) {
    for (size_t i = 0; i < 4; ++i) square[i] = load_quad(rows + i * kWarpLanes + l);
    transpose(square);
    for (size_t i = 0; i < 4; ++i) put(l + i, square[i]);
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
  for_quads(rows, [&](size_t l, Quad quad) { store_quad(first + distances[l], quad); });
}

void write_words(const uint32_t* rows, const LanePointers& to, uint32_t words, uint32_t active) {
  if (active == kAllLanes && words == 4)
    return for_quads(rows, [&](size_t l, Quad quad) { store_quad(to[l], quad); });
  if (active == kAllLanes && words == 1) {
    for (size_t l = 0; l < kWarpLanes; ++l) std::memcpy(to[l], rows + l, 4);
    return;
  }
  for (; active != 0; active &= active - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(active));
    for (size_t w = 0; w < words; ++w) std::memcpy(to[l] + 4 * w, rows + w * kWarpLanes + l, 4);
  }
}

void write_common_memory(const uint32_t* rows, const LanePointers& to, uint32_t width, uint32_t active) {
  if (width < 4) {
    for (; active != 0; active &= active - 1) {
      const auto l = static_cast<size_t>(std::countr_zero(active));
      if (width == 2) {
        store_relaxed(to[l], static_cast<uint16_t>(rows[l]));
      } else {
        store_relaxed(to[l], static_cast<uint8_t>(rows[l]));
      }
    }
    return;
  }
  if (active == kAllLanes && width == 16)
    return for_quads(rows, [&](size_t l, Quad quad) { store_relaxed(to[l], quad); });
  if (active == kAllLanes && width == 4) {
    for (size_t l = 0; l < kWarpLanes; ++l) store_relaxed(to[l], rows[l]);
    return;
  }
  const uint32_t words = width / 4;
  for (; active != 0; active &= active - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(active));
    for (size_t w = 0; w < words; ++w) store_relaxed(to[l] + 4 * w, rows[w * kWarpLanes + l]);
  }
}

}  // namespace gemmscope::machine
