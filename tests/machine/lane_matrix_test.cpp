// Checks matrix instructions lane by lane against plain, slow models of the PTX ISA's fragments and of the
// rule for HMMA (app/machine/README.md).
#include <algorithm>
#include <cmath>
#include <limits>

#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

constexpr Row kA = 0, kB = 20, kC = 24;

using Matrix = std::vector<std::vector<long double>>;
Matrix zeroes(int rows, int columns) {
  return Matrix(static_cast<size_t>(rows), std::vector<long double>(static_cast<size_t>(columns), 0.0L));
}

// Returns the value of a binary floating-point number by its definition.
long double binary_value(uint32_t bits, int exponent_bits, int mantissa_bits) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1),
                 field = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
  const bool negative = (bits >> (exponent_bits + mantissa_bits) & 1u) != 0;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  long double value = 0;
  if (field == (1u << exponent_bits) - 1) {
    value = mantissa != 0 ? std::nanl("") : std::numeric_limits<long double>::infinity();
  } else if (field == 0) {
    value = std::ldexp(static_cast<long double>(mantissa), 1 - bias - mantissa_bits);
  } else {
    value = std::ldexp(1.0L + std::ldexp(static_cast<long double>(mantissa), -mantissa_bits),
                       static_cast<int>(field) - bias);
  }
  return negative ? -value : value;
}

struct HalfFormat {
  HalfType type;
  int exponent_bits, mantissa_bits, per_register, least_exponent;
  const char* name;
};
constexpr HalfFormat kFormats[] = {{HalfType::f16, 5, 10, 2, -14, "f16"},
                                   {HalfType::bf16, 8, 7, 2, -126, "bf16"},
                                   {HalfType::tf32, 8, 10, 1, -126, "tf32"}};

// Returns element i of one lane's register; TF32 is a float without its low 13 bits.
long double element(const HalfFormat& format, uint32_t word, int i) {
  if (format.type == HalfType::tf32) return binary_value(word >> 13, 8, 10);
  return binary_value(i == 0 ? word & 0xffffu : word >> 16, format.exponent_bits, format.mantissa_bits);
}

// Returns the exponent by which a term is aligned; a denormal number has the least exponent.
int exponent_of(long double value, int least) { return std::max(std::ilogb(value), least); }

long double fused_sum(const HalfFormat& format, const std::vector<long double>& a,
                      const std::vector<long double>& b, long double c) {
  std::vector<long double> terms;
  std::vector<int> exponents;
  bool special = !std::isfinite(c);
  long double plain = c;
  for (size_t k = 0; k < a.size(); ++k) {
    special |= !std::isfinite(a[k]) || !std::isfinite(b[k]);
    plain += a[k] * b[k];
    if (special || a[k] == 0 || b[k] == 0) continue;
    terms.push_back(a[k] * b[k]);
    exponents.push_back(exponent_of(a[k], format.least_exponent) + exponent_of(b[k], format.least_exponent));
  }
  if (special) return plain;
  if (terms.empty()) return c;
  if (c != 0) {
    terms.push_back(c);
    exponents.push_back(exponent_of(c, -126));
  }
  const int unit = std::max(*std::max_element(exponents.begin(), exponents.end()), -133) - 25;
  long double sum = 0;
  for (const long double term : terms) sum += std::trunc(std::ldexp(term, -unit));
  return std::ldexp(sum, unit);
}

// Rounds toward zero, to 24 bits or to multiples of 2^-149.
uint32_t float_towards_zero(long double x) {
  if (std::isnan(x)) return 0x7fffffffu;
  if (std::isinf(x)) return x > 0 ? 0x7f800000u : 0xff800000u;
  if (std::abs(x) < 0x1p-149L) return 0;  // +0 from either side
  const int unit = std::max(std::ilogb(x) - 23, -149);
  const long double truncated = std::ldexp(std::trunc(std::ldexp(x, -unit)), unit);
  return std::bit_cast<uint32_t>(static_cast<float>(truncated));
}

uint32_t half_to_nearest(long double x) {
  if (std::isnan(x)) return 0x7fff;
  if (std::abs(x) <= 0x1p-25L) return 0;  // half of the smallest: to even, and +0 from either side
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const long double magnitude = std::abs(x);
  uint32_t below = 0, above = 0x7c00;  // magnitudes ascend with the bits
  while (above - below > 1) {
    const uint32_t middle = (below + above) / 2;
    (binary_value(middle, 5, 10) <= magnitude ? below : above) = middle;
  }
  const long double upper = above == 0x7c00 ? 65536.0L : binary_value(above, 5, 10);
  const long double to_below = magnitude - binary_value(below, 5, 10), to_above = upper - magnitude;
  if (to_below != to_above) return sign | (to_below < to_above ? below : above);
  return sign | (below % 2 == 0 ? below : above);
}

// tiny: products and sums around the smallest denormal result, and many zeroes of either sign
enum class Kind { moderate, wide, special, tiny };

uint32_t half_word(const HalfFormat& format, Kind kind, LaneRandom& random) {
  const auto one = [&]() -> uint32_t {
    const uint32_t top = 1u << (format.exponent_bits + format.mantissa_bits),
                   bias = (1u << (format.exponent_bits - 1)) - 1;
    const uint32_t mantissa = random.word() & ((1u << format.mantissa_bits) - 1),
                   sign = random.coin() ? top : 0;
    const uint32_t fields = 1u << format.exponent_bits;
    if (random.below(kind == Kind::tiny ? 2 : 16) == 0) return sign;
    uint32_t field = bias - 6 + random.below(10);
    if (kind == Kind::tiny) field = bias - (format.type == HalfType::f16 ? 14 : 76) + random.below(3);
    if (kind == Kind::wide) field = random.below(fields - 1);
    if (kind == Kind::special && random.below(20) == 0) field = fields - 1;
    return sign | field << format.mantissa_bits | (kind == Kind::special && random.coin() ? 0 : mantissa);
  };
  if (format.type == HalfType::tf32) return one() << 13 | (random.word() & 0x1fff);
  return one() | one() << 16;
}
uint32_t float_word(Kind kind, LaneRandom& random) {
  if (kind == Kind::tiny) return (random.word() & 0x80000000u) | random.below(2);
  if (random.below(4) == 0) return 0;
  const uint32_t field = kind == Kind::moderate ? 110 + random.below(30)
                         : kind == Kind::wide   ? random.below(255)
                                                : 96 + random.below(160);
  return (random.word() & 0x807fffffu) | field << 23;
}

struct Case {
  MicroOp op;
  LaneState state;
};

// Returns the expected registers of D by the definition of the fragments.
std::vector<uint32_t> hmma_model(const HalfFormat& format, const Case& c, int depth, bool wide) {
  Matrix a = zeroes(16, depth), b = zeroes(depth, 8), sum = zeroes(16, 8);
  const int span = 4 * format.per_register;  // columns of A that one register of a warp covers
  for (int l = 0; l < kWarpLanes; ++l) {
    const int g = l / 4, t = l % 4;
    for (int r = 0; r < 2 * depth / span; ++r)
      for (int i = 0; i < format.per_register; ++i) {
        const auto row = static_cast<size_t>(g + 8 * (r % 2)),
                   k = static_cast<size_t>(t * format.per_register + i + span * (r / 2));
        a[row][k] = element(format, c.state.at(static_cast<Row>(kA + r), l), i);
      }
    for (int r = 0; r < depth / span; ++r)
      for (int i = 0; i < format.per_register; ++i)
        b[static_cast<size_t>(t * format.per_register + i + span * r)][static_cast<size_t>(g)] =
            element(format, c.state.at(static_cast<Row>(kB + r), l), i);
  }
  std::vector<uint32_t> result;
  for (int r = 0; r < (wide ? 4 : 2); ++r)
    for (int l = 0; l < kWarpLanes; ++l) {
      uint32_t word = 0;
      for (int i = 0; i < (wide ? 1 : 2); ++i) {
        const auto row = static_cast<size_t>(l / 4 + 8 * (wide ? r / 2 : r)),
                   column = static_cast<size_t>(l % 4 * 2 + (wide ? r % 2 : i));
        const uint32_t old = c.state.at(static_cast<Row>(kC + r), l);
        std::vector<long double> b_column;
        for (const auto& b_row : b) b_column.push_back(b_row[column]);
        const long double total =
            fused_sum(format, a[row], b_column,
                      wide ? binary_value(old, 8, 23) : binary_value(old >> (16 * i) & 0xffff, 5, 10));
        word |= wide ? float_towards_zero(total) : half_to_nearest(total) << (16 * i);
      }
      result.push_back(word);
    }
  return result;
}

void check_hmma(const HalfFormat& format, int depth, bool wide, Kind kind, int count) {
  LaneRandom random(static_cast<uint64_t>(depth) * 100 + static_cast<uint64_t>(format.type) * 10 +
                    static_cast<uint64_t>(kind));
  for (int i = 0; i < count; ++i) {
    Case c;
    c.op.source = {kA, kB, kC, kZeroRow};
    c.op.destination = random.pick<Row>({kA, kB, kC, kTestDestination});
    c.op.mode = static_cast<uint8_t>(format.type);
    c.op.immediate = static_cast<uint32_t>(depth);
    c.op.flags = wide ? kWide : 0;
    for (uint32_t& word : c.state.rows) word = half_word(format, kind, random);
    if (wide)
      for (size_t w = static_cast<size_t>(kC) * kWarpLanes; w < (kC + 4u) * kWarpLanes; ++w)
        c.state.rows[w] = float_word(kind, random);
    const std::vector<uint32_t> expected = hmma_model(format, c, depth, wide);
    for (const LaneOps* table : usable_lane_ops()) {
      LaneState after = c.state;
      after.execute(*table, LaneOp::hmma, c.op, kAllLanes);
      for (size_t w = 0; w < expected.size(); ++w)
        ASSERT_EQ(
            after.at(static_cast<Row>(c.op.destination + w / kWarpLanes), static_cast<int>(w % kWarpLanes)),
            expected[w])
            << table->name << ' ' << format.name << " k" << depth << " case " << i << " register "
            << w / kWarpLanes << " lane " << w % kWarpLanes;
    }
  }
}

TEST(LaneMatrix, HalvesAreOneFusedSum) {
  for (const HalfFormat& format : kFormats)
    for (const int depth : {4, 8, 16})
      for (const Kind kind : {Kind::moderate, Kind::wide, Kind::special, Kind::tiny}) {
        if (depth == (format.type == HalfType::tf32 ? 16 : 4)) continue;
        check_hmma(format, depth, true, kind, 40);
        if (format.type == HalfType::f16) check_hmma(format, depth, false, kind, 20);
      }
}

// A(0, 0..k) times B(0..k, 0) plus C(0, 0) in float16 and float32, for sums that can be worked out by hand.
uint32_t one_sum(const std::vector<float>& a, const std::vector<float>& b, float c) {
  LaneState state;
  MicroOp op;
  op.source = {kA, kB, kC, kZeroRow};
  op.destination = kTestDestination;
  op.mode = static_cast<uint8_t>(HalfType::tf32);
  op.immediate = 8;
  op.flags = kWide;
  for (size_t k = 0; k < a.size(); ++k) {
    state.rows[(kA + 2 * (k / 4)) * kWarpLanes + k % 4] = std::bit_cast<uint32_t>(a[k]);
    state.rows[(kB + k / 4) * kWarpLanes + k % 4] = std::bit_cast<uint32_t>(b[k]);
  }
  state.rows[kC * kWarpLanes] = std::bit_cast<uint32_t>(c);
  state.execute(lane_ops(), LaneOp::hmma, op, kAllLanes);
  return state.at(kTestDestination, 0);
}

TEST(LaneMatrix, SumsByHand) {
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  EXPECT_EQ(one_sum({1, 2, 3}, {4, 5, 6}, 7), bits(39));
  // The addends are 1 and units of 2^-25. After truncation to 24 bits two units make no difference, four do.
  EXPECT_EQ(one_sum({1, 0x1p-12f, 0x1p-12f}, {1, 0x1p-13f, 0x1p-13f}, 0), bits(1));
  EXPECT_EQ(
      one_sum({1, 0x1p-12f, 0x1p-12f, 0x1p-12f, 0x1p-12f}, {1, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f}, 0),
      bits(1 + 0x1p-23f));
  // A term below 2^-25 is truncated to zero before the sum, however many there are.
  EXPECT_EQ(one_sum({1, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f},
                    {1, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f, 0x1p-13f}, 0),
            bits(1));
  // Rounding is toward zero: 1 − 2^-25 does not fit into 24 bits.
  EXPECT_EQ(one_sum({1, -0x1p-12f}, {1, 0x1p-13f}, 0), bits(1 - 0x1p-24f));
  // A large C that cancels has already hidden the small terms.
  EXPECT_EQ(one_sum({0x1p15f, 1}, {0x1p15f, 1}, -0x1p30f), bits(0));
  EXPECT_EQ(one_sum({0x1p15f, 64}, {0x1p15f, 1}, -0x1p30f), bits(64));
  EXPECT_EQ(one_sum({std::numeric_limits<float>::infinity()}, {1}, -std::numeric_limits<float>::infinity()),
            0x7fffffffu);
  EXPECT_EQ(one_sum({std::numeric_limits<float>::infinity()}, {-1}, 1), 0xff800000u);
}

TEST(LaneMatrix, IntegersAreExact) {
  LaneRandom random(77);
  for (int i = 0; i < 400; ++i) {
    Case c;
    choose_variant(LaneOp::imma, c.op, random);
    c.op.source = {kA, kB, kC, kZeroRow};
    c.op.destination = random.pick<Row>({kA, kB, kC, kTestDestination});
    for (uint32_t& word : c.state.rows) word = random.word();
    const int depth = static_cast<int>(c.op.immediate), height = (c.op.flags & kWide) != 0 ? 16 : 8;
    const int bits = (c.op.flags & kWrap) != 0 ? 4 : 8, per_register = 32 / bits, span = 4 * per_register;
    const auto at = [&](Row row, int lane, int place, bool is_signed) {
      const auto value = static_cast<int64_t>(c.state.at(row, lane) >> (bits * place) & ((1u << bits) - 1));
      return is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
    };
    // Finds the lane and register that hold an element of A or B, anew for each product.
    const auto a_of = [&](int row, int k) {
      return at(static_cast<Row>(kA + row / 8 + height / 8 * (k / span)),
                row % 8 * 4 + k % span / per_register, k % per_register, (c.op.flags & kSigned) != 0);
    };
    const auto b_of = [&](int k, int column) {
      return at(static_cast<Row>(kB + k / span), column * 4 + k % span / per_register, k % per_register,
                (c.op.flags & kRight) != 0);
    };
    for (const LaneOps* table : usable_lane_ops()) {
      LaneState after = c.state;
      after.execute(*table, LaneOp::imma, c.op, kAllLanes);
      for (int r = 0; r < height / 4; ++r)
        for (int l = 0; l < kWarpLanes; ++l) {
          int64_t sum = static_cast<int32_t>(c.state.at(static_cast<Row>(kC + r), l));
          for (int k = 0; k < depth; ++k) sum += a_of(l / 4 + 8 * (r / 2), k) * b_of(k, l % 4 * 2 + r % 2);
          if ((c.op.flags & kSaturate) != 0)
            sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                      std::numeric_limits<int32_t>::max());
          ASSERT_EQ(after.at(static_cast<Row>(c.op.destination + r), l), static_cast<uint32_t>(sum))
              << table->name << " case " << i << " register " << r << " lane " << l;
        }
    }
  }
}

uint64_t double_word(LaneRandom& random, bool special) {
  if (special && random.below(6) == 0)
    return random.pick<uint64_t>({0, 1ull << 63, 0x7ffull << 52, 0xfffull << 52, 0x7ff8000000000001,
                                  0xfff8000000000002, 0x7ff0000000000003, 0x7fefffffffffffff}) ^
           uint64_t { random.below(2) } << 63;
  return std::bit_cast<uint64_t>(std::ldexp(static_cast<double>(static_cast<int32_t>(random.word())),
                                            static_cast<int>(random.below(40)) - 50));
}
bool is_nan(uint64_t bits) { return std::isnan(std::bit_cast<double>(bits)); }
// Returns a * b + c. A NaN of B wins over one of the sum, which wins over one of A.
uint64_t fused(uint64_t a, uint64_t b, uint64_t c) {
  constexpr uint64_t kQuietBit = 1ull << 51;
  if (is_nan(b)) return b | kQuietBit;
  if (is_nan(c)) return c | kQuietBit;
  if (is_nan(a)) return a | kQuietBit;
  const double sum = std::fma(std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(c));
  return std::isnan(sum) ? 0xfff8000000000000 : std::bit_cast<uint64_t>(sum);
}

TEST(LaneMatrix, DoublesAreFusedInTheOrderOfK) {
  LaneRandom random(78);
  for (int i = 0; i < 200; ++i) {
    Case c;
    c.op.immediate = random.pick({4u, 8u, 16u});
    const bool high = random.coin();
    c.op.flags = high ? kWide : 0;
    c.op.source = {kA, kB, kC, kZeroRow};
    c.op.destination = random.pick<Row>({kA, kB, kC});
    for (size_t row = 0; row < kTestRows; row += 2)
      for (size_t l = 0; l < kWarpLanes; ++l) {
        const uint64_t bits = double_word(random, i % 2 == 1);
        c.state.rows[row * kWarpLanes + l] = static_cast<uint32_t>(bits);
        c.state.rows[(row + 1) * kWarpLanes + l] = static_cast<uint32_t>(bits >> 32);
      }
    const auto at = [&](int row, int lane) {
      return static_cast<uint64_t>(c.state.at(static_cast<Row>(row + 1), lane)) << 32 |
             c.state.at(static_cast<Row>(row), lane);
    };
    LaneState after = c.state;
    after.execute(lane_ops(), LaneOp::dmma, c.op, kAllLanes);
    const int pairs_of_a = high ? 2 : 1;
    for (int r = 0; r < 2 * pairs_of_a; ++r)
      for (int l = 0; l < kWarpLanes; ++l) {
        uint64_t sum = at(kC + 2 * r, l);
        for (int k = 0; k < static_cast<int>(c.op.immediate); ++k)
          sum = fused(at(kA + 2 * (pairs_of_a * (k / 4) + r / 2), l / 4 * 4 + k % 4),
                      at(kB + 2 * (k / 4), (l % 4 * 2 + r % 2) * 4 + k % 4), sum);
        const auto got = static_cast<uint64_t>(after.at(static_cast<Row>(c.op.destination + 2 * r + 1), l))
                             << 32 |
                         after.at(static_cast<Row>(c.op.destination + 2 * r), l);
        ASSERT_EQ(got, sum) << std::hex << "case " << i << " pair " << r << " lane " << l;
      }
  }
}

TEST(LaneMatrix, MovmTransposes) {
  LaneState state;
  for (uint32_t l = 0; l < kWarpLanes; ++l)  // each half holds 16 times its row plus its column
    state.rows[l] = (l / 4 * 16 + l % 4 * 2) | (l / 4 * 16 + l % 4 * 2 + 1) << 16;
  MicroOp op;
  op.source[0] = 0;
  op.destination = 0;
  state.execute(lane_ops(), LaneOp::movm, op, kAllLanes);
  for (int l = 0; l < kWarpLanes; ++l)
    for (int half = 0; half < 2; ++half) {
      const int row = l / 4, column = l % 4 * 2 + half;
      EXPECT_EQ(state.at(0, l) >> (16 * half) & 0xffff, static_cast<uint32_t>(column * 16 + row));
    }
}

}  // namespace
}  // namespace gemmscope::machine
