// The kernels that fake_cuda.cpp knows by name; they run on this computer's CPU.
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace fake {

template <typename T>
T argument(void** parameters, size_t index) {
  T value;
  memcpy(&value, parameters[index], sizeof value);
  return value;
}

inline void nothing(void**) {}
inline void add_one(void** p) {
  for (int i = 0; i < argument<int>(p, 1); ++i) argument<float*>(p, 0)[i] += 1;
}
inline void add_twice(void** p) {
  add_one(p);
  add_one(p);
}
// Its result is off by a millionth.
inline void add_nearly_one(void** p) {
  for (int i = 0; i < argument<int>(p, 1); ++i) argument<float*>(p, 0)[i] += 1.000001f;
}
inline void write_behind(void** p) { argument<float*>(p, 0)[argument<int>(p, 1)] = 0; }
inline void write_before(void** p) { argument<float*>(p, 0)[-2] = 0; }
inline void chatty(void**) {
  printf("hello from the kernel\n");
  fflush(stdout);
}
inline void crash(void**) { raise(SIGKILL); }

inline float widen(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}
inline float widen(float value) { return value; }

// A, B, C, alpha, beta, M, N, K.
template <typename Factor>
void gemm(void** p) {
  const auto* a = argument<const Factor*>(p, 0);
  const auto* b = argument<const Factor*>(p, 1);
  auto* c = argument<float*>(p, 2);
  const auto alpha = argument<float>(p, 3), beta = argument<float>(p, 4);
  const int m = argument<int>(p, 5), n = argument<int>(p, 6), k = argument<int>(p, 7);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += widen(a[row * k + i]) * widen(b[i * n + column]);
      float& element = c[row * n + column];
      element = beta == 0 ? alpha * sum : alpha * sum + beta * element;
    }
}
// What the fake driver makes of a tensor map.
struct TensorMap {
  const void* matrix;
  uint64_t columns, rows, row_bytes;
  uint32_t box_columns, box_rows, type;
  char rest[128 - 44];
};
static_assert(sizeof(TensorMap) == 128);
// The same with tensor maps of A and B.
inline void gemm_of_maps(void** p) {
  const auto a = argument<TensorMap>(p, 0), b = argument<TensorMap>(p, 1);
  const auto m = static_cast<uint64_t>(argument<int>(p, 5)), n = static_cast<uint64_t>(argument<int>(p, 6)),
             k = static_cast<uint64_t>(argument<int>(p, 7));
  const bool right = a.rows == m && a.columns == k && a.row_bytes == 4 * k && b.rows == k && b.columns == n &&
                     a.box_columns == 32 && a.box_rows == 256 && b.box_rows == 32;
  if (!right) return;
  void* changed[8];
  memcpy(changed, p, sizeof changed);
  changed[0] = const_cast<const void**>(&a.matrix), changed[1] = const_cast<const void**>(&b.matrix);
  gemm<float>(changed);
}
// Its last element is beyond the rounding bound.
inline void gemm_wrong(void** p) {
  gemm<float>(p);
  argument<float*>(p, 2)[argument<int>(p, 5) * argument<int>(p, 6) - 1] += 1e-3f;
}
// Computes C = alpha A B and ignores beta.
inline void gemm_no_beta(void** p) {
  float zero = 0;
  void* changed[8];
  memcpy(changed, p, sizeof changed);
  changed[4] = &zero;
  gemm<float>(changed);
}
// Adds to the old C even if beta is 0, so C stays NaN.
inline void gemm_reads_c(void** p) {
  auto* c = argument<float*>(p, 2);
  const int elements = argument<int>(p, 5) * argument<int>(p, 6);
  for (int i = 0; i < elements; ++i) c[i] += 1;
}
// The second kernel of a product in two launches. Its parameters are values, factor, count.
inline void scale(void** p) {
  for (int i = 0; i < argument<int>(p, 2); ++i) argument<float*>(p, 0)[i] *= argument<float>(p, 1);
}

enum class End { good, fault, hang, hang_later, lost, interrupted };
struct Kernel {
  std::string_view name;
  std::string_view parameter_bytes;  // one digit a parameter; 't' for a tensor map's 128
  void (*run)(void** parameters);
  End end = End::good;
  double ms = 0.25;     // on the device's clock
  int local_bytes = 0;  // of a thread
};
inline constexpr Kernel kKernels[] = {
    {"add_one", "84", add_one},
    {"add_twice", "84", add_twice, End::good, 8},
    {"add_nearly_one", "84", add_nearly_one},
    {"write_behind", "84", write_behind},
    {"write_before", "84", write_before},
    {"fault", "84", nothing, End::fault},
    {"hang", "84", nothing, End::hang},
    {"hang_later", "84", nothing, End::hang_later},
    {"lose_device", "84", nothing, End::lost},
    {"chatty", "84", chatty},
    {"crash", "84", crash},
    {"gemm", "88844444", gemm<float>},
    {"gemm_of_maps", "tt844444", gemm_of_maps},
    {"gemm_slow", "88844444", gemm<float>, End::good, 40},
    {"gemm_beside_a_desktop", "88844444", gemm<float>, End::interrupted},
    {"gemm_spilling", "88844444", gemm<float>, End::good, 0.25, 40},
    {"gemm_spilling_much", "88844444", gemm<float>, End::good, 0.25, 2000},
    {"gemm_bf16", "88844444", gemm<uint16_t>},
    {"gemm_wrong", "88844444", gemm_wrong},
    {"gemm_no_beta", "88844444", gemm_no_beta},
    {"gemm_reads_c", "88844444", gemm_reads_c},
    {"scale", "844", scale, End::good, 0.125},
};
inline const Kernel* find_kernel(std::string_view name) {
  for (const Kernel& kernel : kKernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

}  // namespace fake
