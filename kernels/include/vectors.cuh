// Reading and writing kWidth neighbouring floats of one row at once,
// for kernels that find their own addresses. `valid` says how many of
// them lie inside the matrix: 0 or less none, kWidth or more all.
#pragma once

#include "async_copy.cuh"

template <int kWidth>
using Vector = Floats<kWidth>;

// From an address that is a multiple of the vector's size: then no
// vector straddles the edge.
template <int kWidth>
__device__ inline Vector<kWidth> load_aligned(
    const Vector<kWidth>* source, int valid) {
  return valid > 0 ? *source : Vector<kWidth>{};
}
// From any address, float by float. Zeros stand for what lies outside.
template <int kWidth>
__device__ inline Vector<kWidth> load_floats(const float* source,
                                             int valid) {
  Vector<kWidth> vector;
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    vector.at[i] = i < valid ? source[i] : 0.0f;
  return vector;
}

// C = alpha * sums + beta * C. With beta == 0 the old C is not read: it
// may hold anything, NaN too.
template <int kWidth>
__device__ inline void update_vector(float* target, int valid,
                                     bool rows_are_aligned,
                                     const float* sums, float alpha,
                                     float beta) {
  const int readable = beta != 0.0f ? valid : 0;
  Vector<kWidth>* const whole =
      reinterpret_cast<Vector<kWidth>*>(target);
  Vector<kWidth> c = rows_are_aligned
                         ? load_aligned(whole, readable)
                         : load_floats<kWidth>(target, readable);
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    c.at[i] = alpha * sums[i] + beta * c.at[i];
  if (rows_are_aligned) {
    if (valid > 0) *whole = c;
  } else {
#pragma unroll
    for (int i = 0; i < kWidth; ++i)
      if (i < valid) target[i] = c.at[i];
  }
}

// Asynchronously from global to shared memory, both addresses multiples
// of the vector's size.
template <int kWidth>
__device__ inline void copy_aligned_async(float* target,
                                          const float* source,
                                          bool exists) {
  if constexpr (kWidth == 4)
    copy_16_async(shared_address(target), source, exists);
  if constexpr (kWidth == 1)
    copy_4_async(shared_address(target), source, exists);
  if constexpr (kWidth == 2)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(
                     shared_address(target)),
                 "l"(source), "r"(exists ? 8 : 0)
                 : "memory");
}
