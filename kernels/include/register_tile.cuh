// What a thread keeps in registers: its tile of C, and the fragments of
// A and B that are multiplied at one k. All loops are unrolled, or the
// arrays would not stay in registers.
#pragma once

#include "matrix.cuh"

// kRows floats of a column of A, kColumns floats of a row of B.
template <int kRows, int kColumns>
struct FragmentsOf {
  float a[kRows], b[kColumns];
};

// Each float of a times each float of b: an outer product.
template <int kRows, int kColumns>
__device__ inline void multiply_add(
    float (&sums)[kRows][kColumns],
    const FragmentsOf<kRows, kColumns>& f) {
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; ++j) sums[i][j] += f.a[i] * f.b[j];
  }
}

// kFloats floats of one line of a tile in shared memory, in fours that
// lie `step` floats apart.
template <int kFloats>
__device__ inline void load_fours(float (&target)[kFloats],
                                  const float* source, int step) {
#pragma unroll
  for (int i = 0; i < kFloats; i += 4)
    *reinterpret_cast<Quad*>(&target[i]) =
        *reinterpret_cast<const Quad*>(source + i / 4 * step);
}

__device__ inline void store_quad(float* target, const Quad& quad) {
  *reinterpret_cast<Quad*>(target) = quad;
}
