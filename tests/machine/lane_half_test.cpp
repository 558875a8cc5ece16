// Checks pairs of 16-bit floats: every half, and arithmetic against long double and __float128.
#include <algorithm>
#include <cmath>

#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kHalfNan = 0x7fff;

bool is_half_nan(uint32_t h) { return (h & 0x7c00) == 0x7c00 && (h & 0x3ff) != 0; }

// Returns the value of an IEEE binary16 by its definition.
long double half_value(uint32_t h) {
  const long double sign = (h & 0x8000) != 0 ? -1.0L : 1.0L;
  const int exponent = static_cast<int>(h >> 10 & 31), mantissa = static_cast<int>(h & 0x3ff);
  if (exponent == 31) return mantissa != 0 ? std::nanl("") : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(static_cast<long double>(mantissa), -24)
                       : sign * std::ldexp(1024.0L + mantissa, exponent - 25);
}

// Finds the nearest half, ties to even, by searching all halves for the neighbours.
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
  after.execute(baseline_lane_ops(), LaneOp::hfma2, op, kAllLanes);
  for (const LaneOps* table : usable_lane_ops()) {
    LaneState other = before;
    other.execute(*table, LaneOp::hfma2, op, kAllLanes);
    EXPECT_EQ(after.rows, other.rows) << table->name;
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

// A 32-bit source is truncated to a half. The inputs are each half, the midpoint to the next one, and their
// neighbours.
TEST(LaneHalf, EveryFloatNearAHalfIsTruncatedToIt) {
  const MicroOp op = three_sources(picks(HalfPick::float32, HalfPick::both, HalfPick::both));
  for (uint32_t h = 0; h < 0x7c00; ++h) {
    const auto here = static_cast<float>(half_value(h));
    const auto next = static_cast<float>(h == 0x7bff ? 65536.0L : half_value(h + 1));
    const float near[] = {here, std::nextafter(here, INFINITY), (here + next) / 2,
                          std::nextafter(next, 0.0f)};
    LaneState state;
    for (uint32_t l = 0; l < kWarpLanes; ++l) {
      const float x = near[l / 2 % 4];
      state.rows[l] = std::bit_cast<uint32_t>(l % 2 == 0 ? x : -x);
      state.rows[kWarpLanes + l] = 0x3c003c00;
      state.rows[2 * kWarpLanes + l] = 0x80008000;
    }
    const LaneState after = execute(op, state);
    // −x * 1 + −0 is −x, also for zero; +0 + −0 is +0.
    for (int l = 0; l < 8; ++l)
      ASSERT_EQ(after.at(kTestDestination, l) & 0xffff, l % 2 == 0 ? h : h | 0x8000) << near[l / 2 % 4];
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
  for (int i = 0; i < 8000; ++i) {
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

// ---- both formats, with all flags

uint32_t random_brain(LaneRandom& random) {
  switch (random.below(6)) {
    case 0:
      return random.pick({0u, 0x8000u, 1u, 0x8001u, 0x7fu, 0x80u, 0x7f7fu, 0xff7fu, 0x7f80u, 0xff80u, 0x7fc1u,
                          0x3f80u, 0xbf80u});
    case 1:
      return random.below(0x100) | random.below(2) << 15;
    default:
      return (random.below(2) << 15) | (110 + random.below(30)) << 7 | random.below(0x80);
  }
}
long double brain_value(uint32_t h) { return std::bit_cast<float>(h << 16); }

// Adds x + y + z. Their bits may lie too far apart for one number, so the errors of both sums are kept.
int sign_of_sum(__float128 x, __float128 y, __float128 z) {
  const auto two_sum = [](__float128 a, __float128 b) {
    const __float128 s = a + b, part = s - a;
    return std::pair(s, (a - (s - part)) + (b - part));
  };
  const auto [first, first_error] = two_sum(y, z);
  const auto [all, error] = two_sum(first, x);
  const __float128 sum = all + (error + first_error);
  const __float128 finite = sum == sum ? sum : first + x;  // infinities have no error
  return finite > 0 ? 1 : finite < 0 ? -1 : 0;
}

struct PairFormat {
  bool brain;
  long double value(uint32_t h) const { return brain ? brain_value(h) : half_value(h); }
  uint32_t random(LaneRandom& r) const { return brain ? random_brain(r) : random_half(r); }
  uint32_t infinity() const { return brain ? 0x7f80 : 0x7c00; }
  uint32_t exponent() const { return infinity(); }
  // Returns the half nearest to p + c, ties to even, by the search of nearest_half.
  uint32_t nearest(__float128 p, __float128 c) const {
    const __float128 x = p + c;
    if (x != x) return kHalfNan;
    const bool negative = x < 0 || (x == 0 && std::signbit(static_cast<double>(x)));
    if (negative) p = -p, c = -c;
    uint32_t below = 0, above = infinity();
    while (above - below > 1) {
      const uint32_t middle = (below + above) / 2;
      (sign_of_sum(p, c, -value(middle)) >= 0 ? below : above) = middle;
    }
    const __float128 step = value(infinity() - 1) - value(infinity() - 2);
    const __float128 upper = above == infinity() ? value(infinity() - 1) + step : value(above);
    const int side = sign_of_sum(p, c, -(value(below) + upper) / 2);
    const bool up = side > 0 || (side == 0 && (below & 1) != 0);
    return (negative ? 0x8000 : 0) | (up ? above : below);
  }
  bool is_nan(uint32_t h) const { return (h & 0x7fff) > infinity(); }
  uint32_t flushed(uint32_t h) const { return (h & exponent()) == 0 ? h & 0x8000 : h; }
};
constexpr PairFormat kFormats[] = {{false}, {true}};

LaneState random_pairs(const PairFormat& f, LaneRandom& random) {
  LaneState state;
  for (size_t k = 0; k < 3 * kWarpLanes; ++k) state.rows[k] = f.random(random) << 16 | f.random(random);
  for (uint32_t& p : state.predicates) p = random.word();
  state.predicates[7] = kAllLanes;
  return state;
}
// Returns the bits of the selected half of a source, flushed and with its sign applied.
uint32_t picked_bits(const PairFormat& f, const LaneState& s, const MicroOp& op, uint32_t source, int l,
                     uint32_t which) {
  const uint32_t how = op.immediate >> source * kHalfBits, word = s.at(static_cast<Row>(source), l);
  const auto pick = static_cast<HalfPick>(how & 3);
  const bool upper = pick == HalfPick::high_twice || (pick == HalfPick::both && which == 1);
  uint32_t h = upper ? word >> 16 : word & 0xffff;
  if ((op.flags & kFlushDenormals) != 0) h = f.flushed(h);
  if ((how & kHalfAbsolute) != 0) h &= 0x7fff;
  return (how & kHalfNegate) != 0 ? h ^ 0x8000 : h;
}
MicroOp variant(LaneOp lane_op, const PairFormat& f, LaneRandom& random) {
  MicroOp op = three_sources(0);
  choose_variant(lane_op, op, random);
  for (uint32_t s = 0; s < 3; ++s)  // every pick but the 32-bit one
    if ((op.immediate >> s * kHalfBits & 3) == static_cast<uint32_t>(HalfPick::float32))
      op.immediate &= ~(3u << s * kHalfBits);
  op.immediate = f.brain ? op.immediate | kHalfBrain : op.immediate & ~kHalfBrain;
  op.predicate_out = {2, 5};
  op.predicate_in[0] = static_cast<uint8_t>(random.below(8));
  return op;
}
template <typename Wanted>
void check_pairs(LaneOp lane_op, uint64_t seed, int rounds, Wanted wanted) {
  LaneRandom random(seed);
  for (const PairFormat& f : kFormats)
    for (int i = 0; i < rounds; ++i) {
      const MicroOp op = variant(lane_op, f, random);
      const LaneState before = random_pairs(f, random);
      for (const LaneOps* table : usable_lane_ops()) {
        LaneState after = before;
        after.execute(*table, lane_op, op, kAllLanes);
        for (int l = 0; l < kWarpLanes; ++l) wanted(f, op, before, after, l);
      }
    }
}

TEST(LaneHalf, MultiplyAddWithEveryFlag) {
  check_pairs(
      LaneOp::hfma2, 61, 500,
      [](const PairFormat& f, const MicroOp& op, const LaneState& before, const LaneState& after, int l) {
        for (uint32_t h = 0; h < 2; ++h) {
          const auto source = [&](uint32_t s) { return f.value(picked_bits(f, before, op, s, l, h)); };
          const __float128 a = source(0), b = source(1), c = source(2);
          const bool wins = (op.flags & kZeroWins) != 0 && (a == 0 || b == 0);
          __float128 p = wins ? __float128{0} : a * b, last = c;
          const __float128 x = p + last;
          if ((op.flags & kSaturate) != 0 && !(x > 0 && x < 1)) p = x >= 1 ? 1 : 0, last = 0;
          if ((op.immediate & kHalfRelu) != 0 && x <= 0) p = last = 0;
          uint32_t wanted = f.nearest(p, last);
          if ((op.flags & kFlushDenormals) != 0) wanted = f.flushed(wanted);
          ASSERT_EQ(after.at(kTestDestination, l) >> 16 * h & 0xffff, wanted)
              << f.brain << " " << static_cast<double>(a) << " * " << static_cast<double>(b) << " + "
              << static_cast<double>(c) << " flags " << int{op.flags} << std::hex << " " << op.immediate;
        }
      });
}

// A product on a tie, and an addend far below it that decides: more bits than a double has.
TEST(LaneHalf, AFarAddendBreaksATie) {
  // (1 + 2^-7) * 1.5 = 1.5 + 1.5 * 2^-7, halfway between two bfloat16.
  const MicroOp op = three_sources(kHalfBrain);
  LaneState state;
  for (size_t l = 0; l < kWarpLanes; ++l) {
    state.rows[l] = 0x3f813f81;
    state.rows[kWarpLanes + l] = 0x3fc03fc0;
    state.rows[2 * kWarpLanes + l] = 0x00018001;  // ±2^-133
  }
  EXPECT_EQ(execute(op, state).at(kTestDestination, 3), 0x3fc23fc1u);
}

TEST(LaneHalf, SumAsFloat) {
  check_pairs(
      LaneOp::hadd2_f32, 62, 4000,
      [](const PairFormat& f, const MicroOp& op, const LaneState& before, const LaneState& after, int l) {
        const auto a = static_cast<float>(f.value(picked_bits(f, before, op, 0, l, 0))),
                   b = static_cast<float>(f.value(picked_bits(f, before, op, 1, l, 0)));
        float sum = a + b;
        if ((op.flags & kFlushDenormals) != 0 && std::abs(sum) < 0x1p-126f) sum = std::copysign(0.0f, sum);
        if ((op.flags & kSaturate) != 0) sum = sum > 0 ? std::min(sum, 1.0f) : 0.0f;
        const uint32_t wanted = std::isnan(sum) ? 0x7fffffff : std::bit_cast<uint32_t>(sum);
        ASSERT_EQ(after.at(kTestDestination, l), wanted) << a << " + " << b;
      });
}

TEST(LaneHalf, MinimumAndMaximum) {
  check_pairs(
      LaneOp::hminmax2, 63, 4000,
      [](const PairFormat& f, const MicroOp& op, const LaneState& before, const LaneState& after, int l) {
        for (uint32_t h = 0; h < 2; ++h) {
          uint32_t a = picked_bits(f, before, op, 0, l, h), b = picked_bits(f, before, op, 1, l, h);
          const uint32_t sign = (a ^ b) & 0x8000;
          const bool xor_sign = (op.flags & kWide) != 0, minimum = predicate_of(before, op, 0, l);
          if (xor_sign) a &= 0x7fff, b &= 0x7fff;
          uint32_t wanted = 0;
          // Bits read as sign and magnitude order the floats, −0 below +0.
          const auto order = [](uint32_t x) {
            return (x & 0x8000) != 0 ? -static_cast<int>(x & 0x7fff) - 1 : static_cast<int>(x);
          };
          if (f.is_nan(a) || f.is_nan(b))
            wanted = (op.flags & kHigh) != 0 || (f.is_nan(a) && f.is_nan(b)) ? kHalfNan : f.is_nan(a) ? b : a;
          else
            wanted = (order(a) < order(b)) == minimum ? a : b;
          if (xor_sign && wanted != kHalfNan) wanted = (wanted & 0x7fff) | sign;
          ASSERT_EQ(after.at(kTestDestination, l) >> 16 * h & 0xffff, wanted)
              << std::hex << a << " " << b << " flags " << int{op.flags};
        }
      });
}

bool truth(uint32_t code, long double a, long double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (code == 0 || code == 15) return code == 15;
  if (code == 7 || code == 8) return unordered == (code == 8);
  if (unordered) return code > 8;
  const bool table[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b};
  return table[code % 8];
}
bool combined(const MicroOp& op, bool x, bool q) {
  return op.combine == 0 ? x && q : op.combine == 1 ? x || q : x != q;
}

TEST(LaneHalf, ComparisonsIntoRegisters) {
  check_pairs(
      LaneOp::hset2, 64, 4000,
      [](const PairFormat& f, const MicroOp& op, const LaneState& before, const LaneState& after, int l) {
        const uint32_t one = (op.flags & kWide) == 0 ? 0xffff : f.brain ? 0x3f80 : 0x3c00;
        for (uint32_t h = 0; h < 2; ++h) {
          const bool set = combined(op,
                                    truth(op.mode, f.value(picked_bits(f, before, op, 0, l, h)),
                                          f.value(picked_bits(f, before, op, 1, l, h))),
                                    predicate_of(before, op, 0, l));
          ASSERT_EQ(after.at(kTestDestination, l) >> 16 * h & 0xffff, set ? one : 0u)
              << "code " << int{op.mode};
        }
      });
}
TEST(LaneHalf, ComparisonsIntoPredicates) {
  check_pairs(
      LaneOp::hsetp2, 65, 4000,
      [](const PairFormat& f, const MicroOp& op, const LaneState& before, const LaneState& after, int l) {
        const auto half = [&](uint32_t h) {
          return truth(op.mode, f.value(picked_bits(f, before, op, 0, l, h)),
                       f.value(picked_bits(f, before, op, 1, l, h)));
        };
        const bool q = predicate_of(before, op, 0, l), both = half(0) && half(1),
                   joined = (op.flags & kWide) != 0;
        ASSERT_EQ((after.predicates[2] >> l & 1u) != 0, combined(op, joined ? both : half(0), q));
        ASSERT_EQ((after.predicates[5] >> l & 1u) != 0, combined(op, joined ? !both : half(1), q));
      });
}

// Compilers set a register to a constant with −0 * 0 + {high, low}.
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
