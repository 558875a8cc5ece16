// 64-bit floating point and conversions, division and square roots included. The code that ptxas emits for
// them must round as IEEE 754 says.
#include "elementwise_functions.h"

namespace gemmscope::machine::elementwise {
namespace {
using std::fabs;
using std::fma;
using std::fmax;
using std::fmin;
// clang-format off
ON_BOTH_SIDES(double_arithmetic,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const double a = as_double(x, x * 2654435761u + thread);
    const double b = as_double(x * 40503u ^ thread << 20, x * 31u);
    const double c = (double)(int32_t)x * 0.001;
    const double sum = a + b;
    const double product = a * b;
    return folded(sum) ^ folded(product) * 3u ^ folded(a - c) * 5u ^ folded(fma(c, 1.5, -b)) * 7u ^
           folded(fma(a, b, -product)) * 9u;
  })

ON_BOTH_SIDES(double_comparisons,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const double a = as_double(x, 0);
    const double b = thread % 5 == 0 ? a : thread % 5 == 1 ? -a : as_double(x * 31u + thread, x);
    uint32_t r = 0;
    if (a < b) r |= 1;
    if (a <= b) r |= 2;
    if (a == b) r |= 4;
    if (a != b) r |= 8;
    if (!(a > b)) r |= 16;
    if (!(a >= b)) r |= 32;
    if (fabs(a) < 1.0 && b > 0.0) r |= 64;
    return r ^ folded(double_minimum(a, b)) ^ folded(double_maximum(a, b)) * 3u;
  })

ON_BOTH_SIDES(double_division,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const double a = as_double(x, x * 2654435761u + thread);
    const double b = as_double((x * 2654435761u) ^ thread << 20, x * 40503u);
    const double c = as_double(0x3ff00000u | (x & 0xfffff), x * 31u);
    return folded(a / b) ^ folded(1.0 / b) * 3u ^ folded(c / (double)(thread + 1)) * 5u ^ folded(1.0 / c) * 7u;
  })

ON_BOTH_SIDES(double_root,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const double a = as_double(x, x * 2654435761u + thread);
    const double b = as_double(0x3fe00000u + (x & 0x1fffff), x * 31u);
    return folded(double_root_of(a)) ^ folded(double_root_of(fabs(a))) * 3u ^ folded(double_root_of(b)) * 5u;
  })

ON_BOTH_SIDES(double_conversions,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const double a = (double)x;
    const double b = (double)(int32_t)x;
    const double c = (double)(((uint64_t)x << 32) | (x * 2654435761u + thread));
    const double d = (double)(int64_t)(((uint64_t)x << 32) | (x * 40503u));
    const float e = (float)as_double(0x36000000u + (x >> 4), x * 31u);
    const float f = (float)c;
    const int32_t i = (int32_t)(b * 0.25);
    const uint32_t u = (uint32_t)(a * 0.125);
    const int64_t l = (int64_t)(b * 1000.5);
    const uint64_t m = (uint64_t)(a * 1000.5);
    const double g = (double)as_float(x);
    return folded(a) ^ folded(b) * 3u ^ folded(c) * 5u ^ folded(d) * 7u ^ as_bits(e) ^ as_bits(f) * 3u ^
           (uint32_t)i ^ u ^ (uint32_t)l ^ (uint32_t)(l >> 32) ^ (uint32_t)m ^ (uint32_t)(m >> 32) ^ folded(g) * 9u ^
           folded(whole_down(as_double(x, thread))) ^ folded(whole_nearest(as_double(0x40000000u + (x >> 5), x))) * 3u;
  })

ON_BOTH_SIDES(half_conversions,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const uint32_t h = to_half(as_float(x));
    const uint32_t near_one = to_half(as_float(0x3f800000u + (x & 0xffffff)));
    const uint32_t tiny = to_half(as_float((x & 0x80000000u) | (0x33000000u + (x >> 4 & 0x5ffffff))));
    const uint32_t direct = double_to_half(as_double(0x3f000000u + (x & 0x1ffffff), x * 31u + thread));
    return h ^ near_one << 16 ^ tiny * 3u ^ direct * 5u ^ as_bits(from_half(x & 0xffff)) ^
           as_bits(from_half(x >> 16)) * 3u;
  })
// clang-format on
}  // namespace

std::vector<Function> double_functions() {
  return {double_arithmetic::kFunction, double_comparisons::kFunction, double_division::kFunction,
          double_root::kFunction,       double_conversions::kFunction, half_conversions::kFunction};
}

}  // namespace gemmscope::machine::elementwise
