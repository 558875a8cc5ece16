// Runs one micro-op on a row file of random values, with every table of lane functions.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>

#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {

inline constexpr std::array<const char*, static_cast<size_t>(LaneOp::count)> kLaneOpNames = {
#define X(name) #name,
    GEMMSCOPE_LANE_OPS(X)
#undef X
};
inline const char* name_of(LaneOp op) { return kLaneOpNames[static_cast<size_t>(op)]; }

// Rows 0–7 hold values, row 8 stands for RZ; rows from 10 on are the destination unless a test lets it
// overlap. A matrix operation reads up to 16 rows from its source on and writes up to 8.
inline constexpr Row kTestRows = 32, kTestZero = 8, kTestDestination = 10;

struct LaneState {
  alignas(64) std::array<uint32_t, static_cast<size_t>(kTestRows) * kWarpLanes> rows{};
  std::array<uint32_t, kPredicateCount> predicates{};

  uint32_t at(Row row, int lane) const {
    return rows[static_cast<size_t>(row) * kWarpLanes + static_cast<size_t>(lane)];
  }
  void execute(const LaneOps& table, LaneOp lane_op, const MicroOp& op, uint32_t mask) {
    table[lane_op](rows.data(), predicates.data(), op, mask);
  }
};

class LaneRandom {
 public:
  explicit LaneRandom(uint64_t seed) : engine_(seed) {}

  uint32_t word() { return static_cast<uint32_t>(engine_()); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine_() % n); }
  bool coin() { return (engine_() & 1) != 0; }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<uint32_t>(values.size()))];
  }

  uint32_t mask() {
    switch (below(6)) {
      case 0:
        return 1u << below(32);
      case 1:
        return word() | 1u << below(32);
      case 2:
        return pick({0x0000ffffu, 0x55555555u, 0xfffffffeu, 0x7fffffffu, 0x80000001u});
      default:
        return kAllLanes;
    }
  }
  // Returns edge cases of integer and float operations, mixed with plain random words.
  uint32_t value() {
    static constexpr uint32_t kHard[] = {
        0,          1,          2,          31,         32,         33,         63,         64,
        65,         0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x0000ffff, 0xffff0000,
        0x00ff00ff, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x7f800000, 0xff800000, 0x7fc00000,
        0xffc00001, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000, 0x007fffff, 0x807fffff,
        0x00000001, 0x80000001, 0x33800000, 0x4b000000, 0x4b800001, 0x4f000000, 0x5f000000, 0x3c003c00,
        0x7c00fc00, 0x7e01fe01, 0x00018001, 0x03ff0400, 0x7bfffbff};
    switch (below(4)) {
      case 0:
        return kHard[below(std::size(kHard))];
      case 1:
        return below(70);
      case 2:
        return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(word())) * 0x1p-31f);
      default:
        return word();
    }
  }
  LaneState state() {
    LaneState s;
    for (uint32_t& x : s.rows) x = value();
    for (size_t l = 0; l < kWarpLanes; ++l) s.rows[kTestZero * kWarpLanes + l] = 0;
    for (uint32_t& p : s.predicates) p = pick({0u, kAllLanes, word()});
    s.predicates[7] = s.predicates[kUniformPredicate + 7] = kAllLanes;
    return s;
  }
  // Sets the operands that any operation may use: four sources with modifiers, predicates in and out.
  MicroOp operands() {
    MicroOp op;
    op.destination = kTestDestination;
    for (size_t i = 0; i < 4; ++i) {
      op.source[i] = static_cast<Row>(below(9));
      if (below(3) == 0) op.modifier[i] = static_cast<SourceModifier>(below(6));
    }
    for (uint8_t& p : op.predicate_in) p = static_cast<uint8_t>(below(8));
    for (bool& negate : op.predicate_in_negate) negate = coin();
    for (uint8_t& p : op.predicate_out) p = coin() ? static_cast<uint8_t>(below(7)) : kTrashPredicate;
    if (op.predicate_out[0] == op.predicate_out[1]) op.predicate_out[1] = kTrashPredicate;
    return op;
  }

 private:
  std::mt19937_64 engine_;
};

// Returns a source of one lane with its modifier applied.
inline uint32_t source_of(const LaneState& state, const MicroOp& op, size_t i, int lane) {
  const uint32_t x = state.at(op.source[i], lane);
  switch (op.modifier[i]) {
    case SourceModifier::none:
      return x;
    case SourceModifier::float_negate:
      return x ^ 0x80000000u;
    case SourceModifier::float_absolute:
      return x & 0x7fffffffu;
    case SourceModifier::float_negative_absolute:
      return x | 0x80000000u;
    case SourceModifier::bit_not:
      return ~x;
    case SourceModifier::negate:
      return static_cast<uint32_t>(-static_cast<int64_t>(x));
  }
  return 0;
}
inline bool predicate_of(const LaneState& state, const MicroOp& op, size_t i, int lane) {
  return ((state.predicates[op.predicate_in[i]] >> lane & 1u) != 0) != op.predicate_in_negate[i];
}

// Draws a mode, flags and an immediate that the translator may give to the operation.
void choose_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random);

}  // namespace gemmscope::machine
