// 32-bit floating point. Both sides compile without contraction, so a fused multiply-add happens only where
// the text has one.
#include "elementwise_functions.h"

namespace gemmscope::machine::elementwise {
namespace {
using std::fabs;
using std::fmaf;
// clang-format off
ON_BOTH_SIDES(float_arithmetic,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const float a = as_float(x);
    const float b = as_float(x * 2654435761u + thread);
    const float c = (float)(int32_t)x * 0.001f;
    const float sum = a + b;
    const float product = a * b;
    return as_bits(sum) ^ as_bits(product) * 3u ^ as_bits(a - c) ^ as_bits(-c * 0.3f) ^ as_bits(fmaf(c, 1.5f, -b)) * 5u ^
           as_bits(fmaf(a, b, c));
  })

ON_BOTH_SIDES(float_comparisons,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const float a = as_float(x);
    const float b = thread % 5 == 0 ? a : as_float(x * 31u + thread);
    uint32_t r = 0;
    if (a < b) r |= 1;
    if (a <= b) r |= 2;
    if (a == b) r |= 4;
    if (a != b) r |= 8;
    if (!(a > b)) r |= 16;
    if (!(a >= b)) r |= 32;
    if (fabs(a) < 1.0f && b > 0.0f) r |= 64;
    r += as_bits(a < 0.0f ? -a : a * 2.0f) >> 9;
    return r;
  })

ON_BOTH_SIDES(minima_and_maxima,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const float a = as_float(x);
    const float b = thread % 7 == 0 ? -a : as_float(x * 2654435761u ^ thread << 25);
    return as_bits(minimum(a, b)) ^ as_bits(maximum(fabs(a), b)) * 3u ^ as_bits(minimum(-fabs(a), -b)) * 5u ^
           as_bits(minimum_xorsign(a, b)) * 7u;
  })

ON_BOTH_SIDES(conversions,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const float a = (float)x;
    const float b = (float)(int32_t)x;
    const float c = (float)(uint16_t)x + (float)(int8_t)(x >> 3);
    const float d = (float)((uint64_t)x * thread) - (float)((int64_t)(int32_t)x * 5);
    const int32_t i = (int32_t)(b * 0.25f);
    const uint32_t u = (uint32_t)(a * 0.125f);
    const int64_t l = (int64_t)(b * 1000.5f);
    return as_bits(a) ^ as_bits(b) ^ as_bits(c) * 7u ^ as_bits(d) ^ (uint32_t)i ^ u ^ (uint32_t)l ^ (uint32_t)(l >> 32);
  })

ON_BOTH_SIDES(division_and_root,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const float a = as_float(x);
    const float b = as_float((x * 2654435761u) ^ thread << 20);
    const float c = as_float(0x3f800000u | (x & 0x7fffff));
    return as_bits(a / b) ^ as_bits(1.0f / c) * 3u ^ as_bits(c / (float)(thread + 1)) ^ as_bits(square_root(fabs(a))) * 5u;
  })
// clang-format on
}  // namespace

std::vector<Function> float_functions() {
  return {float_arithmetic::kFunction, float_comparisons::kFunction, minima_and_maxima::kFunction,
          conversions::kFunction, division_and_root::kFunction};
}

}  // namespace gemmscope::machine::elementwise
