#include "machine/lanes/atomic_operation.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gemmscope::machine {
namespace {

struct SmallFormat {
  int fraction_bits, exponent_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint32_t infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
};
constexpr SmallFormat kHalf{10, 5}, kBrainFloat{7, 8};

double value_of(SmallFormat format, uint32_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const auto fraction = static_cast<double>(bits & ((1u << format.fraction_bits) - 1));
  const int exponent = static_cast<int>((bits & 0x7fff) >> format.fraction_bits);
  if ((bits & 0x7fff) >= format.infinity()) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  const double significand = exponent == 0 ? fraction : fraction + std::ldexp(1.0, format.fraction_bits);
  return sign * std::ldexp(significand, std::max(exponent, 1) - format.bias() - format.fraction_bits);
}

// Rounds to nearest even. A sum of two 16-bit floats may be rounded to float64 first: float64 has more than
// twice as many bits, so the result is as if it were rounded once.
uint32_t bits_of(SmallFormat format, double value) {
  if (std::isnan(value)) return 0x7fff;
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (size == 0 || std::isinf(size)) return sign | (size == 0 ? 0 : format.infinity());
  const int exponent = std::max(std::ilogb(size), 1 - format.bias());
  // The significand in units of the last place; when it overflows, the sum below raises the exponent field.
  const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(size, format.fraction_bits - exponent)));
  const uint32_t bits = (static_cast<uint32_t>(exponent + format.bias() - 1) << format.fraction_bits) + units;
  return sign | std::min(bits, format.infinity());
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

// Adds two numbers, or takes the smaller or the larger. A number wins against a NaN; −0 is below +0.
template <typename T>
T add_or_choose(AtomicKind kind, T a, T b) {
  if (kind == AtomicKind::add) return a + b;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  const bool less = a < b || (a == b && std::signbit(a));
  return less == (kind == AtomicKind::minimum) ? a : b;
}

uint32_t combine_f32(AtomicKind kind, uint32_t old, uint32_t operand, bool flush) {
  float a = std::bit_cast<float>(old), b = std::bit_cast<float>(operand);
  if (flush) a = flushed(a), b = flushed(b);
  const float result = add_or_choose(kind, a, b);
  if (std::isnan(result)) return 0x7fffffff;
  return std::bit_cast<uint32_t>(flush ? flushed(result) : result);
}

uint64_t combine_f64(AtomicKind kind, uint64_t old, uint64_t operand) {
  const double result = add_or_choose(kind, std::bit_cast<double>(old), std::bit_cast<double>(operand));
  return std::isnan(result) ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(result);
}

uint32_t combine_pair(AtomicKind kind, SmallFormat format, uint32_t old, uint32_t operand) {
  uint32_t result = 0;
  for (const int shift : {0, 16}) {
    const double a = value_of(format, old >> shift & 0xffff), b = value_of(format, operand >> shift & 0xffff);
    result |= bits_of(format, add_or_choose(kind, a, b)) << shift;
  }
  return result;
}

template <typename Unsigned, typename Signed>
Unsigned combine_integer(AtomicKind kind, bool is_signed, Unsigned old, Unsigned operand) {
  const bool less = is_signed ? static_cast<Signed>(old) < static_cast<Signed>(operand) : old < operand;
  switch (kind) {
    case AtomicKind::add:
      return old + operand;
    case AtomicKind::minimum:
      return less ? old : operand;
    case AtomicKind::maximum:
      return less ? operand : old;
    case AtomicKind::increment:
      return old >= operand ? 0 : old + 1;
    case AtomicKind::decrement:
      return old == 0 || old > operand ? operand : old - 1;
    case AtomicKind::bit_and:
      return old & operand;
    case AtomicKind::bit_or:
      return old | operand;
    case AtomicKind::bit_xor:
      return old ^ operand;
    case AtomicKind::exchange:
    case AtomicKind::compare_swap:
      return operand;
  }
  return old;
}

}  // namespace

uint32_t element_bytes(AtomicType type) {
  switch (type) {
    case AtomicType::u64:
    case AtomicType::s64:
    case AtomicType::f64:
      return 8;
    case AtomicType::b128:
      return 16;
    default:
      return 4;
  }
}

uint64_t apply_atomic(AtomicKind kind, AtomicType type, uint64_t old, uint64_t operand, uint64_t compare) {
  if (kind == AtomicKind::compare_swap) return old == compare ? operand : old;
  if (kind == AtomicKind::exchange) return operand;
  const auto a = static_cast<uint32_t>(old), b = static_cast<uint32_t>(operand);
  switch (type) {
    case AtomicType::f32:
    case AtomicType::f32_flush:
      return combine_f32(kind, a, b, type == AtomicType::f32_flush);
    case AtomicType::f64:
      return combine_f64(kind, old, operand);
    case AtomicType::f16_pair:
      return combine_pair(kind, kHalf, a, b);
    case AtomicType::bf16_pair:
      return combine_pair(kind, kBrainFloat, a, b);
    case AtomicType::u64:
    case AtomicType::s64:
      return combine_integer<uint64_t, int64_t>(kind, type == AtomicType::s64, old, operand);
    default:
      return combine_integer<uint32_t, int32_t>(kind, type == AtomicType::s32, a, b);
  }
}

}  // namespace gemmscope::machine
