// Checks conversions against lists of every value of the small formats, and against the CPU's rounding modes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lane_bench.h"
#include "rounding_reference.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kCanonicalNan = 0x7fffffff;

uint32_t formats(FloatFormat source, FloatFormat target) {
  return static_cast<uint32_t>(source) << kConvertSourceBits | static_cast<uint32_t>(target)
                                                                   << kConvertTargetBits;
}

// ---- every non-negative number of a small format, ascending with its bits, by the format's definition
struct SmallFormat {
  FloatFormat format;
  int mantissa_bits, bias;
  uint32_t numbers;  // the bits of the first value that is not a number: infinity or NaN
  uint32_t nan, sign;
};
constexpr SmallFormat kSmallFormats[] = {{FloatFormat::f16, 10, 15, 0x7c00, 0x7fff, 0x8000},
                                         {FloatFormat::bf16, 7, 127, 0x7f80, 0x7fff, 0x8000},
                                         {FloatFormat::e4m3, 3, 7, 0x7f, 0x7f, 0x80},
                                         {FloatFormat::e5m2, 2, 15, 0x7c, 0x7f, 0x80}};

double number_of(const SmallFormat& f, uint32_t bits) {
  const auto exponent = static_cast<int>(bits >> f.mantissa_bits);
  const double fraction = static_cast<double>(bits & ((1u << f.mantissa_bits) - 1)) / (1 << f.mantissa_bits);
  return exponent == 0 ? std::ldexp(fraction, 1 - f.bias) : std::ldexp(1 + fraction, exponent - f.bias);
}
// Finds the neighbours among all numbers. Past the last number lies infinity, or with `finite` the last
// number itself.
uint32_t rounded_by_search(const SmallFormat& f, long double x, Rounding mode, bool finite) {
  if (std::isnan(x)) return f.nan;
  const uint32_t sign = std::signbit(x) ? f.sign : 0;
  const long double magnitude = std::abs(x);
  if (std::isinf(x)) return sign | (finite ? f.numbers - 1 : f.numbers);
  uint32_t below = 0, above = f.numbers;
  while (above - below > 1) {
    const uint32_t middle = (below + above) / 2;
    (number_of(f, middle) <= magnitude ? below : above) = middle;
  }
  const long double to_below = magnitude - number_of(f, below), to_above = number_of(f, above) - magnitude;
  if (to_below == 0) return sign | below;
  const bool away = (mode == Rounding::up && sign == 0) || (mode == Rounding::down && sign != 0);
  bool up = away;
  if (mode == Rounding::nearest) up = to_above < to_below || (to_above == to_below && (below & 1) != 0);
  const uint32_t result = up ? above : below;
  return sign | (finite ? std::min(result, f.numbers - 1) : result);
}

// Returns numbers, midpoints and their neighbours, over the whole range of a format and beyond it.
double hard_for(const SmallFormat& f, LaneRandom& random) {
  const double sign = random.coin() ? 1 : -1;
  switch (random.below(8)) {
    case 0:
      return sign * random.pick({0.0, double{INFINITY}, double{NAN}, 1e300, 1e-300, 0x1p-1074});
    case 1:
      return sign *
             std::ldexp(1.0 + random.below(1 << 20) * 0x1p-20, static_cast<int>(random.below(400)) - 200);
    default: {
      const uint32_t bits = random.below(f.numbers);
      const double here = number_of(f, bits), next = number_of(f, bits + 1),
                   middle = here + (next - here) / 2;
      const double x = random.pick({here, middle, next});
      return sign * random.pick({x, std::nextafter(x, 1e308), std::nextafter(x, -1e308)});
    }
  }
}

void put_double(LaneState& state, size_t lane, double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  state.rows[lane] = static_cast<uint32_t>(bits);
  state.rows[kWarpLanes + lane] = static_cast<uint32_t>(bits >> 32);
}
double double_at(const LaneState& state, Row row, int lane) {
  return std::bit_cast<double>(uint64_t{state.at(static_cast<Row>(row + 1), lane)} << 32 |
                               state.at(row, lane));
}
MicroOp conversion(uint32_t immediate, Rounding mode = Rounding::nearest) {
  MicroOp op;
  op.destination = kTestDestination;
  op.source = {0, 1, 2, kTestZero};
  op.immediate = immediate;
  op.mode = static_cast<uint8_t>(mode);
  return op;
}
void execute(LaneOp lane_op, const MicroOp& op, LaneState& state) {
  const LaneState before = state;
  state.execute(baseline_lane_ops(), lane_op, op, kAllLanes);
  for (const LaneOps* table : usable_lane_ops()) {
    LaneState other = before;
    other.execute(*table, lane_op, op, kAllLanes);
    EXPECT_EQ(state.rows, other.rows) << table->name;
  }
}

TEST(LaneConvert, DoublesToHalvesAndBrainFloatsRoundOnce) {
  LaneRandom random(51);
  for (const SmallFormat& f : {kSmallFormats[0], kSmallFormats[1]})
    for (int i = 0; i < 4000; ++i) {
      const auto mode = static_cast<Rounding>(random.below(4));
      const MicroOp op = conversion(formats(FloatFormat::f64, f.format), mode);
      LaneState state;
      std::array<double, kWarpLanes> values{};
      for (size_t l = 0; l < kWarpLanes; ++l) put_double(state, l, values[l] = hard_for(f, random));
      execute(LaneOp::f2f, op, state);
      for (int l = 0; l < kWarpLanes; ++l)
        ASSERT_EQ(state.at(kTestDestination, l),
                  rounded_by_search(f, values[static_cast<size_t>(l)], mode, false))
            << values[static_cast<size_t>(l)] << " mode " << static_cast<int>(mode);
    }
}

TEST(LaneConvert, DoublesToFloats) {
  LaneRandom random(52);
  for (int i = 0; i < 8000; ++i) {
    const auto mode = static_cast<Rounding>(random.below(4));
    const MicroOp op = conversion(formats(FloatFormat::f64, FloatFormat::f32), mode);
    LaneState state;
    std::array<double, kWarpLanes> values{};
    for (size_t l = 0; l < kWarpLanes; ++l) {
      // Each value is close to a float, or halfway to the next one.
      const double near = std::bit_cast<float>(random.value());
      const double half_ulp = std::abs(near) * 0x1p-25;
      values[l] = random.pick({near, near + half_ulp, near * (1 + 0x1p-24), near * (1 + 0x1p-40), near * 1e-8,
                               std::nextafter(near, 1e308), near * 0x1p60});
      put_double(state, l, values[l]);
    }
    execute(LaneOp::f2f, op, state);
    for (int l = 0; l < kWarpLanes; ++l) {
      const double x = values[static_cast<size_t>(l)];
      const uint32_t wanted =
          std::isnan(x) ? kCanonicalNan : std::bit_cast<uint32_t>(rounded_to_float(x, mode));
      ASSERT_EQ(state.at(kTestDestination, l), wanted) << x << " mode " << static_cast<int>(mode);
    }
  }
}

// Covers both halves of a register, every 16-bit pattern, and changed signs.
TEST(LaneConvert, EverySixteenBitFloatWidensExactly) {
  for (const SmallFormat& f : {kSmallFormats[0], kSmallFormats[1]})
    for (uint32_t first = 0; first < 0x10000; first += kWarpLanes)
      for (const bool upper : {false, true}) {
        MicroOp op = conversion(formats(f.format, FloatFormat::f64));
        op.combine = upper ? 16 : 0;
        op.modifier[0] = SourceModifier::float_negate;
        LaneState state;
        for (uint32_t l = 0; l < kWarpLanes; ++l)
          state.rows[l] = upper ? (first + l) << 16 | 0x1234 : 0x56780000 | (first + l);
        execute(LaneOp::f2f, op, state);
        for (int l = 0; l < kWarpLanes; ++l) {
          const uint32_t bits = first + static_cast<uint32_t>(l), magnitude = bits & 0x7fff;
          const double got = double_at(state, kTestDestination, l);
          const double wanted = magnitude > f.numbers    ? NAN
                                : magnitude == f.numbers ? INFINITY
                                                         : number_of(f, magnitude);
          if (std::isnan(wanted)) {
            ASSERT_TRUE(std::isnan(got)) << std::hex << bits;
          } else {
            ASSERT_EQ(got, bits > 0x7fff ? wanted : -wanted) << std::hex << bits;
            ASSERT_EQ(std::signbit(got), bits <= 0x7fff) << std::hex << bits;
          }
        }
      }
}

TEST(LaneConvert, WholeNumbers) {
  LaneRandom random(53);
  // FRND's modes are nearest, floor, ceil and truncate, in the order of Rounding.
  for (int i = 0; i < 4000; ++i) {
    const auto mode = static_cast<Rounding>(random.below(4));
    const MicroOp op = conversion(formats(FloatFormat::f64, FloatFormat::f64), mode);
    LaneState state;
    std::array<double, kWarpLanes> values{};
    for (size_t l = 0; l < kWarpLanes; ++l) {
      values[l] =
          random.pick({static_cast<double>(static_cast<int32_t>(random.word())) * 0x1p-20,
                       static_cast<double>(random.below(100)) * 0.5 - 25, 0x1p52 + random.below(9) * 0.5,
                       -0.0, 0x1p-1074, -0.4, double{INFINITY}, 4503599627370497.5});
      put_double(state, l, values[l]);
    }
    execute(LaneOp::frnd, op, state);
    for (int l = 0; l < kWarpLanes; ++l) {
      const double x = values[static_cast<size_t>(l)], wanted = rounded_whole(x, mode);
      ASSERT_EQ(double_at(state, kTestDestination, l), wanted) << x;
      ASSERT_EQ(std::signbit(double_at(state, kTestDestination, l)), std::signbit(x)) << x;
    }
  }
}
TEST(LaneConvert, WholeHalves) {
  const SmallFormat& f = kSmallFormats[0];
  for (uint32_t mode = 0; mode < 4; ++mode)
    for (uint32_t first = 0; first < 0x10000; first += kWarpLanes) {
      const MicroOp op = conversion(formats(FloatFormat::f16, FloatFormat::f16), static_cast<Rounding>(mode));
      LaneState state;
      for (uint32_t l = 0; l < kWarpLanes; ++l) state.rows[l] = first + l;
      execute(LaneOp::frnd, op, state);
      for (int l = 0; l < kWarpLanes; ++l) {
        const uint32_t bits = first + static_cast<uint32_t>(l), magnitude = bits & 0x7fff;
        const double x =
            magnitude >= f.numbers ? (magnitude > f.numbers ? NAN : INFINITY) : number_of(f, magnitude);
        const double whole = rounded_whole(bits > 0x7fff ? -x : x, static_cast<Rounding>(mode));
        ASSERT_EQ(state.at(kTestDestination, l), rounded_by_search(f, whole, Rounding::nearest, false))
            << std::hex << bits << " mode " << mode;
      }
    }
}

// ---- F2FP

double relu(double x) { return x <= 0 ? 0 : x; }

TEST(LaneConvert, PacksTwoFloats) {
  LaneRandom random(54);
  for (const SmallFormat& f : kSmallFormats)
    for (int i = 0; i < 3000; ++i) {
      const bool byte = f.sign == 0x80, clamps = random.coin(), finite = byte || random.coin();
      const auto mode = !byte && random.coin() ? Rounding::zero : Rounding::nearest;
      const MicroOp op = conversion(formats(FloatFormat::f32, f.format) | kPackTwo | (byte ? kPackMerge : 0) |
                                        (clamps ? kPackRelu : 0) | (finite ? kPackFinite : 0),
                                    mode);
      LaneState state = random.state();
      for (size_t l = 0; l < 2 * kWarpLanes; ++l)
        state.rows[l] = std::bit_cast<uint32_t>(static_cast<float>(hard_for(f, random)));
      const LaneState before = state;
      execute(LaneOp::f2fp, op, state);
      for (int l = 0; l < kWarpLanes; ++l) {
        const auto packed = [&](Row row) {
          const double x = std::bit_cast<float>(before.at(row, l));
          return rounded_by_search(f, clamps ? relu(x) : x, mode, finite);
        };
        const uint32_t wanted =
            byte ? before.at(2, l) << 16 | packed(0) << 8 | packed(1) : packed(0) << 16 | packed(1);
        ASSERT_EQ(state.at(kTestDestination, l), wanted)
            << std::bit_cast<float>(before.at(0, l)) << " " << std::bit_cast<float>(before.at(1, l));
      }
    }
}
TEST(LaneConvert, PacksHalvesIntoBytes) {
  const SmallFormat& half = kSmallFormats[0];
  for (const SmallFormat& f : {kSmallFormats[2], kSmallFormats[3]})
    for (uint32_t first = 0; first < 0x10000; first += kWarpLanes) {
      const MicroOp op = conversion(formats(FloatFormat::f16, f.format) | kPackTwo | kPackFromPair |
                                    kPackMerge | kPackFinite);
      LaneState state;
      for (uint32_t l = 0; l < kWarpLanes; ++l)
        state.rows[kWarpLanes + l] = (first + l) << 16 | ((first + l) ^ 0x8000);
      execute(LaneOp::f2fp, op, state);
      for (int l = 0; l < kWarpLanes; ++l) {
        const auto packed = [&](uint32_t bits) {
          const uint32_t magnitude = bits & 0x7fff;
          const double x = magnitude > 0x7c00    ? NAN
                           : magnitude == 0x7c00 ? INFINITY
                                                 : number_of(half, magnitude);
          return rounded_by_search(f, (bits & 0x8000) != 0 ? -x : x, Rounding::nearest, true);
        };
        const uint32_t bits = first + static_cast<uint32_t>(l);
        ASSERT_EQ(state.at(kTestDestination, l), packed(bits) << 8 | packed(bits ^ 0x8000))
            << std::hex << bits;
      }
    }
}
TEST(LaneConvert, UnpacksEveryByte) {
  for (const SmallFormat& f : {kSmallFormats[2], kSmallFormats[3]})
    for (uint32_t first = 0; first < 256; first += kWarpLanes) {
      const MicroOp op = conversion(formats(f.format, FloatFormat::f16) | kPackTwo | kPackFromPair);
      LaneState state;
      for (uint32_t l = 0; l < kWarpLanes; ++l)
        state.rows[kWarpLanes + l] = 0xabcd0000 | (first + l) << 8 | 0x38;
      execute(LaneOp::f2fp, op, state);
      for (int l = 0; l < kWarpLanes; ++l) {
        const uint32_t bits = first + static_cast<uint32_t>(l), magnitude = bits & 0x7f;
        const bool infinite = f.format == FloatFormat::e5m2 && magnitude == f.numbers;
        const double x = infinite ? INFINITY : magnitude >= f.numbers ? NAN : number_of(f, magnitude);
        const auto half = [](double y) {
          return rounded_by_search(kSmallFormats[0], y, Rounding::nearest, false);
        };
        ASSERT_EQ(state.at(kTestDestination, l), half(bits > 0x7f ? -x : x) << 16 | half(number_of(f, 0x38)))
            << std::hex << bits;
      }
    }
}
TEST(LaneConvert, MergesAHalf) {
  for (const bool upper : {false, true}) {
    const MicroOp op =
        conversion(formats(FloatFormat::f32, FloatFormat::f16) | kPackMerge | (upper ? kPackMergeHigh : 0));
    LaneState state;
    state.rows.fill(0x12345678);
    for (size_t l = 0; l < kWarpLanes; ++l) state.rows[kWarpLanes + l] = std::bit_cast<uint32_t>(-1.5f);
    execute(LaneOp::f2fp, op, state);
    EXPECT_EQ(state.at(kTestDestination, 9), upper ? 0x1234be00u : 0x5678be00u);
  }
}
// TF32 is a float32 whose mantissa has 10 bits.
TEST(LaneConvert, Tf32) {
  LaneRandom random(55);
  for (const Rounding mode : {Rounding::nearest, Rounding::zero})
    for (int i = 0; i < 2000; ++i) {
      const MicroOp op = conversion(formats(FloatFormat::f32, FloatFormat::tf32), mode);
      LaneState state;
      for (size_t l = 0; l < kWarpLanes; ++l) {
        const uint32_t x = random.word();
        state.rows[kWarpLanes + l] =
            random.coin() ? x : (x & 0xffffe000) | random.pick({0x1000u, 0x0fffu, 0x1001u});
      }
      execute(LaneOp::f2fp, op, state);
      for (int l = 0; l < kWarpLanes; ++l) {
        const uint32_t bits = state.at(1, l), rest = bits & 0x1fff, below = bits - rest;
        if ((bits & 0x7fffffff) > 0x7f800000) continue;
        const bool up =
            mode == Rounding::nearest && (rest > 0x1000 || (rest == 0x1000 && (below & 0x2000) != 0));
        ASSERT_EQ(state.at(kTestDestination, l), up ? below + 0x2000 : below) << std::hex << bits;
      }
    }
}

// ---- integers

uint64_t integer_of(const LaneState& s, const MicroOp& op, int l) {
  const uint32_t bits = op.immediate & 0xff;
  if (bits == 64) return uint64_t{source_of(s, op, 1, l)} << 32 | source_of(s, op, 0, l);
  const uint32_t x = source_of(s, op, 0, l) >> op.combine;
  return bits == 32 ? x : x & ((1u << bits) - 1);
}
// Returns the integer's neighbour in the rounding mode, starting from the CPU's own conversion.
template <typename Float>
Float nearest_in_mode(long double exact, Rounding mode) {
  const auto guess = static_cast<Float>(exact);
  if (guess == exact) return guess;
  const Float below = guess < exact ? guess : std::nextafter(guess, -std::numeric_limits<Float>::infinity()),
              above = guess > exact ? guess : std::nextafter(guess, std::numeric_limits<Float>::infinity());
  switch (mode) {
    case Rounding::down:
      return below;
    case Rounding::up:
      return above;
    case Rounding::zero:
      return exact > 0 ? below : above;
    case Rounding::nearest:
      break;
  }
  return guess;  // the CPU rounds to nearest even
}
// Returns what I2F writes, as 64 bits.
uint64_t converted(long double exact, FloatFormat format, Rounding mode) {
  switch (format) {
    case FloatFormat::f32:
      return std::bit_cast<uint32_t>(nearest_in_mode<float>(exact, mode));
    case FloatFormat::f64:
      return std::bit_cast<uint64_t>(nearest_in_mode<double>(exact, mode));
    default:
      break;
  }
  const SmallFormat& f = kSmallFormats[format == FloatFormat::f16 ? 0 : 1];
  return rounded_by_search(f, exact, mode, false);
}

TEST(LaneConvert, IntegersToFloats) {
  LaneRandom random(25);
  for (int i = 0; i < 8000; ++i) {
    MicroOp op = random.operands();
    choose_variant(LaneOp::i2f, op, random);
    const auto format = static_cast<FloatFormat>(op.immediate >> kConvertTargetBits & 15);
    const LaneState before = random.state();
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::i2f, op, kAllLanes);
    for (int l = 0; l < kWarpLanes; ++l) {
      const uint64_t x = integer_of(before, op, l);
      const auto shift = 64 - (op.immediate & 0xff);
      const long double exact = (op.flags & kSigned) != 0
                                    ? static_cast<long double>(static_cast<int64_t>(x << shift) >> shift)
                                    : static_cast<long double>(x);
      const uint64_t wanted = converted(exact, format, static_cast<Rounding>(op.mode));
      ASSERT_EQ(after.at(op.destination, l), static_cast<uint32_t>(wanted))
          << std::hex << x << " of " << std::dec << (op.immediate & 0xff) << " bits to format "
          << static_cast<int>(format) << ", mode " << int{op.mode} << " flags " << int{op.flags};
      if (format == FloatFormat::f64) {
        ASSERT_EQ(after.at(static_cast<Row>(op.destination + 1), l), static_cast<uint32_t>(wanted >> 32))
            << std::hex << x;
      }
    }
  }
}

long double real_of(const LaneState& s, const MicroOp& op, int l) {
  const auto format = static_cast<FloatFormat>(op.immediate >> kConvertSourceBits & 15);
  const uint32_t word = s.at(op.source[0], l);
  long double x = 0;
  if (format == FloatFormat::f64) {
    x = double_at(s, op.source[0], l);
  } else if (format == FloatFormat::f32) {
    const bool flushed = (op.flags & kFlushDenormals) != 0 && (word & 0x7f800000) == 0;
    x = std::bit_cast<float>(flushed ? word & 0x80000000 : word);
  } else {
    const SmallFormat& f = kSmallFormats[format == FloatFormat::f16 ? 0 : 1];
    const uint32_t bits = word >> op.combine & 0xffff, magnitude = bits & 0x7fff;
    x = magnitude > f.numbers ? NAN : magnitude == f.numbers ? INFINITY : number_of(f, magnitude);
    if (bits > 0x7fff) x = -x;
  }
  switch (op.modifier[0]) {
    case SourceModifier::float_negate:
      return -x;
    case SourceModifier::float_absolute:
      return std::abs(x);
    case SourceModifier::float_negative_absolute:
      return -std::abs(x);
    default:
      return x;
  }
}

TEST(LaneConvert, FloatsToIntegers) {
  LaneRandom random(26);
  for (int i = 0; i < 8000; ++i) {
    MicroOp op = random.operands();
    choose_variant(LaneOp::f2i, op, random);
    op.modifier[0] = random.pick({SourceModifier::none, SourceModifier::float_negate,
                                  SourceModifier::float_absolute, SourceModifier::float_negative_absolute});
    LaneState before = random.state();
    // The doubles have an ordinary size, and their low words matter.
    for (size_t l = 0; l < kWarpLanes; l += 2)
      put_double(before, l, static_cast<double>(static_cast<int32_t>(random.word())) * 0x1.2345678p-10);
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::f2i, op, kAllLanes);
    const int bits = static_cast<int>(op.immediate & 0xff);
    const bool is_signed = (op.flags & kSigned) != 0,
               wide = bits == 64 || (op.immediate >> kConvertSourceBits & 15) == 1;
    const long double least = is_signed ? -std::ldexp(1.0L, bits - 1) : 0,
                      most = std::ldexp(1.0L, is_signed ? bits - 1 : bits) - 1;
    for (int l = 0; l < kWarpLanes; ++l) {
      const long double x = real_of(before, op, l);
      uint64_t wanted = 0;
      if (std::isnan(x)) {
        wanted = wide ? uint64_t{1} << (bits - 1) : 0;
      } else {
        const long double whole = op.mode == 0   ? std::nearbyint(x)
                                  : op.mode == 1 ? std::floor(x)
                                  : op.mode == 2 ? std::ceil(x)
                                                 : std::trunc(x);
        const long double clamped = std::min(std::max(whole, least), most);
        wanted = clamped < 0 ? static_cast<uint64_t>(static_cast<int64_t>(clamped))
                             : static_cast<uint64_t>(clamped);
      }
      ASSERT_EQ(after.at(op.destination, l), static_cast<uint32_t>(wanted))
          << x << " to " << bits << " bits, mode " << int{op.mode};
      if (bits == 64) {
        ASSERT_EQ(after.at(static_cast<Row>(op.destination + 1), l), static_cast<uint32_t>(wanted >> 32))
            << x;
      }
    }
  }
}

TEST(LaneConvert, IntegersSaturate) {
  LaneRandom random(27);
  for (int i = 0; i < 1000; ++i) {
    MicroOp op = conversion(0);
    choose_variant(LaneOp::i2i, op, random);
    LaneState state = random.state();
    const LaneState before = state;
    execute(LaneOp::i2i, op, state);
    const bool is_signed = (op.flags & kSigned) != 0;
    const int64_t most = (int64_t{1} << (op.immediate - (is_signed ? 1 : 0))) - 1,
                  least = is_signed ? ~most : 0;
    for (int l = 0; l < kWarpLanes; ++l) {
      const int64_t x = static_cast<int32_t>(before.at(0, l));
      ASSERT_EQ(state.at(kTestDestination, l), static_cast<uint32_t>(std::clamp(x, least, most))) << x;
    }
  }
}

}  // namespace
}  // namespace gemmscope::machine
