// Control flow in which the lanes of a warp diverge and reconverge.
#include "elementwise_functions.h"

namespace gemmscope::machine::elementwise {
namespace {
// clang-format off
ON_BOTH_SIDES(nested_if,
  NOINLINE uint32_t heavy(uint32_t x, uint32_t n) { for (uint32_t i = 0; i < n % 5; ++i) x = x * 1664525u + 1013904223u; return x; }
  uint32_t compute(uint32_t thread, uint32_t x) {
    uint32_t r = 1;
    if (x % 2 == 0) {
      r = heavy(x, thread);
      if (x % 3 == 0) {
        r += heavy(r, x);
        if (thread % 4 == 1) r ^= heavy(x, 3); else r += 17;
      } else if (x % 5 < 2) {
        r -= heavy(thread, 4);
      }
    } else {
      if (thread % 7 < 3) r = heavy(x ^ 5, 2);
      r += 3;
    }
    return r;
  })

ON_BOTH_SIDES(early_exit,
  uint32_t compute(uint32_t thread, uint32_t x) {
    if (x % 11 == 0) return 5;
    uint32_t r = x;
    for (uint32_t i = 0; i < 40; ++i) {
      r = r * 22695477u + 1;
      if (r % 13 == thread % 13) return r + i;
      if ((r & 0x30) == 0x10) continue;
      r ^= r >> 7;
      if (r < 0x01000000u) break;
    }
    return r ^ thread;
  })

ON_BOTH_SIDES(different_trip_counts,
  uint32_t compute(uint32_t thread, uint32_t x) {
    uint32_t n = x % 1000 + 1;
    uint32_t steps = 0;
    while (n != 1) {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      ++steps;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < thread % 37; ++i)
      for (uint32_t j = i; j < x % 9; ++j) sum += i * j + 1;
    return steps << 16 ^ sum;
  })

ON_BOTH_SIDES(switch_of_many_cases,
  uint32_t compute(uint32_t thread, uint32_t x) {
    uint32_t r = thread;
    for (int i = 0; i < 4; ++i) {
      switch ((x >> 3 * i) % 8) {
        case 0: r += x; break;
        case 1: r = r * 7 + 1; break;
        case 2: r ^= 0x55555555; break;
        case 3: r = r << 3 | r >> 29; break;
        case 4: r -= thread * thread; break;
        case 5: r = ~r; [[fallthrough]];
        case 6: r += 1000; break;
        default: r = r % 1021; break;
      }
    }
    return r;
  })

ON_BOTH_SIDES(recursion,
  NOINLINE uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
  uint32_t compute(uint32_t thread, uint32_t x) {
    return fibonacci(x % 11) * 1000 + fibonacci(thread % 6);
  })

ON_BOTH_SIDES(local_arrays,
  uint32_t compute(uint32_t thread, uint32_t x) {
    uint32_t values[24];
    for (uint32_t i = 0; i < 24; ++i) values[i] = x * (i + 1) ^ thread;
    for (uint32_t i = 0; i < 24; ++i) {
      const uint32_t j = values[i] % 24;
      const uint32_t t = values[i];
      values[i] = values[j] + 1;
      values[j] = t;
    }
    uint8_t bytes[16];
    for (uint32_t i = 0; i < 16; ++i) bytes[(i * 5 + x) % 16] = (uint8_t)(values[i % 24] >> (i % 4) * 8);
    return values[x % 24] + values[thread % 24] * 3 + bytes[thread % 16];
  })

ON_BOTH_SIDES(goto_into_common_code,
  uint32_t compute(uint32_t thread, uint32_t x) {
    uint32_t r = x;
    int budget = 30;
  again:
    if (--budget == 0) return r;
    if (r % 3 == 0) { r = r / 3 + thread; goto again; }
    if (r % 5 == 1) goto out;
    r = r * 5 + 2;
    if (r % 7 != thread % 7) goto again;
  out:
    return r ^ (uint32_t)budget;
  })
// clang-format on
}  // namespace

std::vector<Function> control_functions() {
  return {nested_if::kFunction,
          early_exit::kFunction,
          different_trip_counts::kFunction,
          switch_of_many_cases::kFunction,
          recursion::kFunction,
          local_arrays::kFunction,
          goto_into_common_code::kFunction};
}

}  // namespace gemmscope::machine::elementwise
