// The tile of C that a thread keeps in registers: the multiply-adds of one k.
#pragma once

// Every float of a times every float of b: an outer product. All loops are unrolled, or the arrays would not
// stay in registers.
template <int kRows, int kColumns>
__device__ inline void multiply_add(float (&sums)[kRows][kColumns], const float (&a)[kRows],
                                    const float (&b)[kColumns]) {
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; ++j) sums[i][j] += a[i] * b[j];
  }
}

// kFloats floats of one row of a tile in shared memory, in fours that lie `step` floats apart.
template <int kFloats>
__device__ inline void load_fours(float (&target)[kFloats], const float* source, int step) {
#pragma unroll
  for (int i = 0; i < kFloats; i += 4)
    *reinterpret_cast<float4*>(&target[i]) = *reinterpret_cast<const float4*>(source + i / 4 * step);
}
