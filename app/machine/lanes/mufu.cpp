#include "machine/lanes/mufu.h"

#include <array>
#include <bit>

#include "machine/lanes/mufu_tables.h"

// After Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator", ARITH 2005:
// functions are interpolated quadratically from a table, in fixed point. Values are in units of 2^-40; kOne
// is 1.
namespace gemmscope::machine {
namespace {

constexpr uint32_t kNan = 0x7fffffff, kInfinity = 0x7f800000, kSign = 0x80000000, kMantissa = 0x7fffff;
constexpr int kBias = 127, kMantissaBits = 23, kUnitBits = 40, kSegmentBits = 17;
constexpr uint64_t kOne = 1ull << kUnitBits;

// What the bits `first` to `last` of x's lower part contribute to truncated_square, for all their values and
// every upper part.
template <uint32_t first, uint32_t last>
constexpr auto make_products() {
  std::array<std::array<uint8_t, 1u << (last - first + 1)>, 256> products{};
  for (uint32_t high = 0; high < products.size(); ++high)
    for (uint32_t low = 0; low < products[high].size(); ++low)
      for (uint32_t i = first; i <= last; ++i)
        if ((low >> (i - first) & 1) != 0) products[high][low] += static_cast<uint8_t>(high >> (9 - i));
  return products;
}
constexpr auto kProducts2To4 = make_products<2, 4>();
constexpr auto kProducts5To8 = make_products<5, 8>();

// x * x / 2^19, where the squarer leaves out partial products below 2^19. x has 17 bits. The products of its
// upper 8 bits with each other are all there, except the square of the lowest; those of its lower 9 bits with
// each other are all left out. Bit i of the lower ones, times the upper ones, adds high >> (9 - i).
int64_t truncated_square(uint32_t x) {
  const uint32_t high = x >> 9;
  return (high * high >> 1) + kProducts5To8[high][x >> 5 & 15] + kProducts2To4[high][x >> 2 & 7];
}

uint64_t interpolate(const MufuSegment& segment, uint32_t x) {
  return static_cast<uint64_t>(segment.c0 + segment.c1 * static_cast<int64_t>(x) +
                               segment.c2 * truncated_square(x));
}
// Each segment of the table covers 2^17 values of the argument.
template <size_t count>
uint64_t interpolate(const std::array<MufuSegment, count>& table, uint32_t argument) {
  return interpolate(table[argument >> kSegmentBits], argument & ((1u << kSegmentBits) - 1));
}

// value * 2^exponent as a float without a sign, truncated to 24 bits; denormals become 0.
uint32_t to_float(uint64_t value, int exponent) {
  if (value == 0) return 0;
  const int top = 63 - std::countl_zero(value), biased = top - kUnitBits + exponent + kBias;
  if (biased <= 0) return 0;
  if (biased >= 255) return kInfinity;
  const uint64_t mantissa =
      top > kMantissaBits ? value >> (top - kMantissaBits) : value << (kMantissaBits - top);
  return static_cast<uint32_t>(biased) << kMantissaBits | (static_cast<uint32_t>(mantissa) & kMantissa);
}

int exponent_of(uint32_t bits) { return static_cast<int>(bits >> kMantissaBits & 255) - kBias; }
uint32_t significand_of(uint32_t bits) { return (bits & kMantissa) | (kMantissa + 1); }
bool is_zero(uint32_t bits) { return exponent_of(bits) == -kBias; }  // denormals are flushed
bool is_nan(uint32_t bits) { return (bits & ~kSign) > kInfinity; }
bool is_infinite(uint32_t bits) { return (bits & ~kSign) == kInfinity; }

// The magnitude truncated to units of 2^-fraction_bits, modulo 2^32.
uint32_t to_fixed(uint32_t bits, int fraction_bits) {
  const int shift = exponent_of(bits) + fraction_bits - kMantissaBits;
  if (shift >= 0) return shift < 32 ? significand_of(bits) << shift : 0;
  return shift > -32 ? significand_of(bits) >> -shift : 0;
}

// 1/m for m in [1, 2), and 1/sqrt(m) for m in [1, 2) or, with `odd`, in [2, 4). At m = 1 the result is exact.
uint64_t reciprocal(uint32_t mantissa) {
  return interpolate(kRcpSegments[mantissa >> 16], (mantissa & 0xffff) << 1);
}
uint64_t reciprocal_root(uint32_t mantissa, uint32_t odd) {
  if (mantissa == 0 && odd == 0) return kOne;
  return interpolate(kRsqSegments, odd << kMantissaBits | mantissa);
}

uint32_t rcp(uint32_t bits) {
  const uint32_t sign = bits & kSign;
  if (is_zero(bits)) return sign | kInfinity;
  if (is_infinite(bits)) return sign;
  return sign | to_float(reciprocal(bits & kMantissa), -exponent_of(bits));
}

uint32_t rsq(uint32_t bits) {
  if (is_zero(bits)) return (bits & kSign) | kInfinity;
  if ((bits & kSign) != 0) return kNan;
  if (is_infinite(bits)) return 0;
  const int exponent = exponent_of(bits);
  return to_float(reciprocal_root(bits & kMantissa, exponent & 1), -(exponent >> 1));
}

uint32_t square_root(uint32_t bits) {
  if (is_zero(bits)) return bits & kSign;
  if ((bits & kSign) != 0) return kNan;
  if (is_infinite(bits)) return bits;
  const int exponent = exponent_of(bits);
  const uint32_t odd = exponent & 1;
  return to_float(interpolate(kSqrtSegments, odd << kMantissaBits | (bits & kMantissa)), exponent >> 1);
}

// The argument is in fixed point with 23 bits of fraction. If it is negative it is complemented, not negated,
// unless it is a whole number.
uint32_t ex2(uint32_t bits) {
  const bool negative = (bits & kSign) != 0;
  if (exponent_of(bits) >= 7) return negative ? 0 : kInfinity;
  const auto magnitude = static_cast<int32_t>(to_fixed(bits, kMantissaBits));
  const bool whole = (magnitude & kMantissa) == 0;
  const int32_t fixed = !negative ? magnitude : whole ? -magnitude : ~magnitude;
  return to_float(interpolate(kEx2Segments, static_cast<uint32_t>(fixed) & kMantissa),
                  fixed >> kMantissaBits);
}

// Adds the exponent and the mantissa's logarithm in fixed point with 36 bits of fraction. A negative sum is
// complemented, not negated.
uint32_t lg2(uint32_t bits) {
  if (is_zero(bits)) return kSign | kInfinity;
  if ((bits & kSign) != 0) return kNan;
  if (is_infinite(bits)) return bits;
  const int exponent = exponent_of(bits);
  const uint32_t mantissa = bits & kMantissa;
  if (exponent == 0 && mantissa == 0) return 0;
  constexpr int kDropped = 4;
  const int64_t sum = static_cast<int64_t>(interpolate(kLg2Segments, mantissa) >> kDropped) +
                      exponent * static_cast<int64_t>(kOne >> kDropped);
  return sum < 0 ? kSign | to_float(static_cast<uint64_t>(~sum), kDropped)
                 : to_float(static_cast<uint64_t>(sum), kDropped);
}

// The argument counts turns in fixed point: a quarter turn is 2^23. In a quarter where the magnitude falls it
// is complemented, not negated.
uint32_t sine(uint32_t bits, bool cosine) {
  if (is_infinite(bits)) return kNan;
  const uint32_t turns = to_fixed(bits, kMantissaBits + 2),
                 quarter = (turns >> kMantissaBits) + (cosine ? 1 : 0);
  const uint32_t sign = (quarter & 2) << 30 ^ (cosine ? 0 : bits & kSign);
  const uint32_t argument = ((quarter & 1) != 0 ? ~turns : turns) & kMantissa;
  return sign | to_float(interpolate(kSinSegments, argument), 0);
}

// Each binade has a table of its own, whose segments take fewer bits of the argument.
uint32_t tanh(uint32_t bits) {
  struct Binade {
    uint8_t dropped, first;  // bits of the mantissa that are dropped; first segment
  };
  constexpr int kLowest = -8, kOneFrom = 3;  // below 2^-8 the result is the argument, from 8 on it is 1
  static constexpr Binade kBinades[] = {{6, 0},  {6, 1},  {6, 2},  {5, 3},  {5, 5}, {4, 7},
                                        {4, 11}, {4, 15}, {3, 19}, {2, 27}, {3, 43}};
  const int exponent = exponent_of(bits);
  if (exponent < kLowest) return bits;
  if (exponent >= kOneFrom) return (bits & kSign) | kBias << kMantissaBits;
  const Binade binade = kBinades[exponent - kLowest];
  const uint32_t argument = (bits & kMantissa) >> binade.dropped;
  return (bits & kSign) |
         to_float(
             interpolate(kTanhSegments, argument + (static_cast<uint32_t>(binade.first) << kSegmentBits)), 0);
}

// A float32 truncated to float16's 11 bits, or to fewer if the result is a denormal.
uint32_t truncate_to_half(uint32_t bits) {
  constexpr int kLowest = -14, kHalfBias = 15, kHalfMantissaBits = 10,
                kFewerBits = kMantissaBits - kHalfMantissaBits;
  if (is_nan(bits)) return kNan >> 16;
  const uint32_t sign = bits >> 16 & 0x8000;
  const int exponent = exponent_of(bits);
  if (exponent > kHalfBias) return sign | 0x7c00;
  const int below = exponent < kLowest ? kLowest - exponent : 0;
  if (below > kHalfMantissaBits) return sign;
  const uint32_t significand = significand_of(bits) >> (kFewerBits + below);
  // The leading bit of a normal significand adds one to the exponent field.
  return sign + (static_cast<uint32_t>(exponent + below - kLowest) << kHalfMantissaBits) + significand;
}

uint32_t float32_result(MufuFunction function, uint32_t bits) {
  if (is_nan(bits)) return kNan;
  switch (function) {
    case MufuFunction::rcp:
      return rcp(bits);
    case MufuFunction::rsq:
      return rsq(bits);
    case MufuFunction::sqrt:
      return square_root(bits);
    case MufuFunction::ex2:
      return ex2(bits);
    case MufuFunction::lg2:
      return lg2(bits);
    case MufuFunction::sin:
      return sine(bits, false);
    case MufuFunction::cos:
      return sine(bits, true);
    case MufuFunction::tanh:
      return tanh(bits);
    default:
      return 0;
  }
}

}  // namespace

uint32_t mufu_in_format(MufuFunction function, FloatFormat format, uint32_t bits) {
  const uint32_t result = float32_result(function, bits);
  return format == FloatFormat::f16    ? truncate_to_half(result)
         : format == FloatFormat::bf16 ? result >> 16
                                       : result;
}

uint32_t mufu_double_high(MufuFunction function, uint32_t high) {
  constexpr uint32_t kDoubleInfinity = 0x7ff00000, kDoubleMantissa = 0xfffff;
  constexpr int kDoubleBias = 1023, kDoubleMantissaBits = 20,
                kFewerBits = kMantissaBits - kDoubleMantissaBits;
  const uint32_t sign = high & kSign, magnitude = high & ~kSign;
  if (magnitude > kDoubleInfinity) return kNan;
  const bool root = function == MufuFunction::rsq64h;
  if (magnitude <= kDoubleMantissa) return sign | kDoubleInfinity;
  if (root && sign != 0) return kNan;
  if (magnitude == kDoubleInfinity) return sign;
  const uint32_t mantissa = (magnitude & kDoubleMantissa) << kFewerBits;
  const int exponent = static_cast<int>(magnitude >> kDoubleMantissaBits) - kDoubleBias;
  const uint64_t value = root ? reciprocal_root(mantissa, exponent & 1) : reciprocal(mantissa);
  // Makes a float near 1, whose exponent is then replaced.
  const uint32_t near_one = to_float(value, 0);
  const int biased = exponent_of(near_one) - (root ? exponent >> 1 : exponent) + kDoubleBias;
  if (biased <= 0) return sign;
  return sign | static_cast<uint32_t>(biased) << kDoubleMantissaBits | (near_one & kMantissa) >> kFewerBits;
}

}  // namespace gemmscope::machine
