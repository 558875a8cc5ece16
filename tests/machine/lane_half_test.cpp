// Pairs of 16-bit floats: every half there is, and fused multiply-adds against long double.
#include <algorithm>
#include <cmath>

#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kHalfNan = 0x7fff;

bool is_half_nan(uint32_t h) { return (h & 0x7c00) == 0x7c00 && (h & 0x3ff) != 0; }

// IEEE binary16 by its definition.
long double half_value(uint32_t h) {
  const long double sign = (h & 0x8000) != 0 ? -1.0L : 1.0L;
  const int exponent = static_cast<int>(h >> 10 & 31), mantissa = static_cast<int>(h & 0x3ff);
  if (exponent == 31) return mantissa != 0 ? std::nanl("") : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(static_cast<long double>(mantissa), -24)
                       : sign * std::ldexp(1024.0L + mantissa, exponent - 25);
}

// The nearest half, ties to even, found by looking for the neighbours among all of them.
uint32_t nearest_half(long double x) {
  if (std::isnan(x)) return kHalfNan;
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const long double magnitude = std::abs(x);
  uint32_t below = 0, above = 0x7c00;  // magnitudes ascend with the bits
  while (above - below > 1) {
    const uint32_t middle = (below + above) / 2;
    (half_value(middle) <= magnitude ? below : above) = middle;
  }
  const long double upper = above == 0x7c00 ? 65536.0L : half_value(above);  // where the next half would be
  const long double to_below = magnitude - half_value(below), to_above = upper - magnitude;
  if (to_below != to_above) return sign | (to_below < to_above ? below : above);
  return sign | ((below & 1) == 0 ? below : above);
}

LaneState execute(const MicroOp& op, const LaneState& before) {
  LaneState after = before;
  after.execute(lane_ops(), LaneOp::hfma2, op, kAllLanes);
  if (cpu_has_avx2()) {
    LaneState other = before;
    other.execute(baseline_lane_ops(), LaneOp::hfma2, op, kAllLanes);
    EXPECT_EQ(after.rows, other.rows);
  }
  return after;
}

uint32_t picks(HalfPick a, HalfPick b, HalfPick c) {
  return static_cast<uint32_t>(a) | static_cast<uint32_t>(b) << kHalfBits |
         static_cast<uint32_t>(c) << 2 * kHalfBits;
}

MicroOp three_sources(uint32_t how) {
  MicroOp op;
  op.destination = kTestDestination;
  op.source = {0, 1, 2, kTestZero};
  op.immediate = how;
  return op;
}

// x * 1 + (−0) is x, so each half must come back, denormals and both zeroes included.
TEST(LaneHalf, EveryHalfSurvivesAMultiplicationByOne) {
  const MicroOp op = three_sources(0);
  for (uint32_t h = 0; h < 0x10000; h += kWarpLanes) {
    LaneState state;
    for (uint32_t l = 0; l < kWarpLanes; ++l) {
      state.rows[l] = (h + l) << 16 | (h + l);
      state.rows[kWarpLanes + l] = 0x3c003c00;
      state.rows[2 * kWarpLanes + l] = 0x80008000;
    }
    const LaneState after = execute(op, state);
    for (uint32_t l = 0; l < kWarpLanes; ++l) {
      const uint32_t wanted = is_half_nan(h + l) ? kHalfNan : h + l;
      ASSERT_EQ(after.at(kTestDestination, static_cast<int>(l)), wanted << 16 | wanted) << std::hex << h + l;
    }
  }
}

// A 32-bit source is rounded to a half once: each half, the midpoints to the next one, and their neighbours.
TEST(LaneHalf, EveryFloatNearAHalfIsRoundedToIt) {
  const MicroOp op = three_sources(picks(HalfPick::float32, HalfPick::both, HalfPick::both));
  for (uint32_t h = 0; h < 0x7c00; ++h) {
    const auto here = static_cast<float>(half_value(h));
    const auto middle =
        static_cast<float>((half_value(h) + (h == 0x7bff ? 65536.0L : half_value(h + 1))) / 2);
    const float near[] = {here,   std::nextafter(here, INFINITY),   std::nextafter(here, -INFINITY),
                          middle, std::nextafter(middle, INFINITY), std::nextafter(middle, -INFINITY)};
    LaneState state;
    for (uint32_t l = 0; l < kWarpLanes; ++l) {
      const float x = near[l / 2 % 6];
      state.rows[l] = std::bit_cast<uint32_t>(l % 2 == 0 ? x : -x);
      state.rows[kWarpLanes + l] = 0x3c003c00;
      state.rows[2 * kWarpLanes + l] = 0x80008000;
    }
    const LaneState after = execute(op, state);
    for (int l = 0; l < 12; ++l) {
      const float x = std::bit_cast<float>(state.at(0, l));
      // −x * 1 + −0 is −x for zero too; +0 + −0 is +0.
      ASSERT_EQ(after.at(kTestDestination, l) & 0xffff, nearest_half(x)) << x;
    }
  }
}

uint32_t random_half(LaneRandom& random) {
  switch (random.below(6)) {
    case 0:
      return random.pick({0u, 0x8000u, 1u, 0x8001u, 0x3ffu, 0x400u, 0x7bffu, 0xfbffu, 0x7c00u, 0xfc00u,
                          0x7e00u, 0x3c00u, 0xbc00u});
    case 1:
      return random.below(0x800) | random.below(2) << 15;
    case 2:
      return 0x3800 + random.below(0x800);
    default:
      return random.below(0x10000);
  }
}

long double picked(uint32_t word, uint32_t how, uint32_t which) {
  const auto pick = static_cast<HalfPick>(how & 3);
  const bool upper = pick == HalfPick::high_twice || (pick == HalfPick::both && which == 1);
  long double x = half_value(upper ? word >> 16 : word & 0xffff);
  if ((how & kHalfAbsolute) != 0) x = std::abs(x);
  return (how & kHalfNegate) != 0 ? -x : x;
}

// A product of two halves has 22 bits and its sum with a third fits into long double's 64 wherever it
// matters.
TEST(LaneHalf, FusedMultiplyAddIsRoundedOnce) {
  LaneRandom random(31);
  for (int i = 0; i < 20000; ++i) {
    uint32_t how = 0;
    for (uint32_t s = 0; s < 3; ++s)
      how |= (random.below(3) | random.pick({0u, kHalfNegate, kHalfAbsolute, kHalfNegate | kHalfAbsolute}))
             << s * kHalfBits;
    const MicroOp op = three_sources(how);
    LaneState state;
    for (size_t k = 0; k < 3 * kWarpLanes; ++k)
      state.rows[k] = random_half(random) << 16 | random_half(random);
    const LaneState after = execute(op, state);
    for (int l = 0; l < kWarpLanes; ++l)
      for (uint32_t h = 0; h < 2; ++h) {
        const long double a = picked(state.at(0, l), how, h), b = picked(state.at(1, l), how >> kHalfBits, h),
                          c = picked(state.at(2, l), how >> 2 * kHalfBits, h);
        const uint32_t got = after.at(kTestDestination, l) >> 16 * h & 0xffff;
        ASSERT_EQ(got, nearest_half(a * b + c))
            << static_cast<double>(a) << " * " << static_cast<double>(b) << " + " << static_cast<double>(c);
      }
  }
}

// How compilers set a register to a constant: −0 * 0 + {high, low}.
TEST(LaneHalf, MovesAConstant) {
  const MicroOp op = three_sources(kHalfNegate);
  for (const uint32_t constant : {0u, 0x80008000u, 0x3f800000u, 0x00010001u, 0x12345678u, 0x7c00fc00u}) {
    LaneState state;
    for (size_t l = 0; l < kWarpLanes; ++l) state.rows[2 * kWarpLanes + l] = constant;
    EXPECT_EQ(execute(op, state).at(kTestDestination, 5), constant) << std::hex << constant;
  }
}

}  // namespace
}  // namespace gemmscope::machine
