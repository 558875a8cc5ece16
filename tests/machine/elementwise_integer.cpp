// Integer arithmetic that compilers turn into many different instructions.
#include "elementwise_functions.h"

namespace gemmscope::machine::elementwise {
namespace {
// clang-format off
ON_BOTH_SIDES(division_unsigned,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const uint32_t d = (thread * 2654435761u >> (thread % 31)) | 1;
    return x / d * 31 + x % d + x / 7 + x % 1000 + (x >> 3) / (d % 100 + 1);
  })

ON_BOTH_SIDES(division_signed,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const int32_t d = (int32_t)((thread * 2654435761u >> (thread % 30)) | 1) * (thread % 2 == 0 ? 1 : -1);
    const int32_t n = (int32_t)(x | 1);
    return (uint32_t)(n / d) * 17u + (uint32_t)(n % d) + (uint32_t)(n / 9) + (uint32_t)(n % -13);
  })

ON_BOTH_SIDES(arithmetic_64_bit,
  uint32_t compute(uint32_t thread, uint32_t x) {
    uint64_t a = (uint64_t)x << (thread % 40) ^ 0x9e3779b97f4a7c15ull;
    int64_t b = (int64_t)(int32_t)x * (int32_t)(thread - 77);
    a = a * 6364136223846793005ull + thread;
    b -= (int64_t)(a >> (x % 64));
    a += (uint64_t)(b >> (thread % 63));
    const bool less = (int64_t)a < b;
    const bool below = a < (uint64_t)b;
    a ^= (a << 13) + (less ? 1u : 0u) + (below ? 2u : 0u) + (a == (uint64_t)b ? 4u : 0u);
    return (uint32_t)(a >> 32) ^ (uint32_t)a ^ (uint32_t)b ^ (uint32_t)(b >> 32);
  })

ON_BOTH_SIDES(division_64_bit,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const uint64_t a = ((uint64_t)x << 32 | (x * 2246822519u)) >> (thread % 50);
    const uint64_t d = ((uint64_t)thread * 0x100000001ull >> (thread % 33)) | 1;
    const int64_t n = (int64_t)a - (int64_t)(1ull << 40);
    const int64_t q = n / (int64_t)(d & 0x7fffffffffull);
    return (uint32_t)(a / d) ^ (uint32_t)(a % d) ^ (uint32_t)q ^ (uint32_t)(q >> 32) ^ (uint32_t)(a % 1000003);
  })

ON_BOTH_SIDES(bit_twiddling,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const uint32_t n = thread % 33;
    uint32_t r = count_ones(x) + (leading_zeros(x) << 6) + reversed(x) + leading_zeros(x >> n % 32);
    r ^= x << (n % 32) | x >> (31 - n % 32) >> 1;
    r += permuted(x, r, 0x5140 + n) ^ permuted(r, x, x);
    r ^= (x & r) | (~x & thread) | (x ^ r ^ thread);
    r += (int32_t)x >> (thread % 32);
    r += (uint32_t)((int32_t)(x << 11) >> 19) + (x << 5 >> 22);
    return r;
  })

ON_BOTH_SIDES(upper_products,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const int32_t s = (int32_t)(x * 3 + thread);
    return upper_product(x, thread * 0x9e3779b9u) ^ (uint32_t)upper_product_signed(s, (int32_t)thread - 100) ^
           (uint32_t)((uint64_t)x * (thread + 5) >> 17);
  })

ON_BOTH_SIDES(narrow_types,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const int8_t a = (int8_t)x;
    const uint8_t b = (uint8_t)(x >> 8);
    const int16_t c = (int16_t)(x >> 16);
    const uint16_t d = (uint16_t)(x * thread);
    const int8_t e = (int8_t)(a + b);
    return (uint32_t)(a * c) + (uint32_t)(b * d) + (uint32_t)(int32_t)e + (uint32_t)(c < a) * 5 + (uint16_t)(b - d);
  })

ON_BOTH_SIDES(minima_and_selections,
  uint32_t compute(uint32_t thread, uint32_t x) {
    const int32_t s = (int32_t)x;
    const int32_t t = (int32_t)(thread * 0x3c6ef372u);
    const uint32_t u = x < thread * 0x1000193u ? x : thread * 0x1000193u;
    const int32_t low = s < t ? s : t;
    const int32_t high = s > t ? s : t;
    const uint32_t distance = s < 0 ? 0u - x : x;
    const bool p = s < t;
    const bool q = x > 0x80000000u;
    const bool r = (x & 3) == 1;
    return (uint32_t)low + 3u * (uint32_t)high + distance + u + ((p && !q) || (q != r) ? 100u : (p | r ? 7u : 9u));
  })
// clang-format on
}  // namespace

std::vector<Function> integer_functions() {
  return {division_unsigned::kFunction, division_signed::kFunction,      arithmetic_64_bit::kFunction,
          division_64_bit::kFunction,   bit_twiddling::kFunction,        upper_products::kFunction,
          narrow_types::kFunction,      minima_and_selections::kFunction};
}

}  // namespace gemmscope::machine::elementwise
