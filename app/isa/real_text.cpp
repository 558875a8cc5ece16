#include "isa/real_text.h"

#include <bit>
#include <cmath>
#include <cstdio>

namespace gemmscope::isa {

namespace {

double half_value(uint32_t bits) {
  const uint32_t exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude = std::ldexp(static_cast<double>(fraction), -24);  // subnormal
  if (exponent == 31)
    magnitude = fraction != 0 ? std::nan("") : HUGE_VAL;
  else if (exponent != 0)
    magnitude = std::ldexp(static_cast<double>(fraction + 1024), static_cast<int>(exponent) - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

struct NanFields {
  int sign_bit, quiet_bit;
};
constexpr NanFields nan_fields(RealFormat format) {
  switch (format) {
    case RealFormat::f32:
      return {31, 22};
    case RealFormat::f64_high:
      return {31, 19};
    case RealFormat::f16:
      return {15, 9};
    default:
      return {15, 6};
  }
}

}  // namespace

double real_value(uint32_t bits, RealFormat format) {
  switch (format) {
    case RealFormat::f32:
      return std::bit_cast<float>(bits);
    case RealFormat::f64_high:
      return std::bit_cast<double>(static_cast<uint64_t>(bits) << 32);
    case RealFormat::f16:
      return half_value(bits);
    default:
      return std::bit_cast<float>(bits << 16);
  }
}

void append_real(std::string& text, uint32_t bits, RealFormat format) {
  const double value = real_value(bits, format);
  const NanFields fields = nan_fields(format);
  const bool negative = ((bits >> fields.sign_bit) & 1) != 0;
  if (std::isnan(value)) {
    text += negative ? '-' : '+';
    text += ((bits >> fields.quiet_bit) & 1) != 0 ? "QNAN" : "SNAN";
  } else if (std::isinf(value)) {
    text += negative ? "-INF" : "+INF";
  } else if (value == 0 && negative) {
    text += "-0.0";
  } else {
    // The vendor's tool prints twenty digits, with an exponent from 2^31 on.
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, std::fabs(value) >= 2147483648.0 ? "%.20e" : "%.20g", value);
    text += buffer;
  }
}

}  // namespace gemmscope::isa
