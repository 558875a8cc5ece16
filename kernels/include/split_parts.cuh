// What stands before and after a product whose blocks split K.
#pragma once

#include "matrix.cuh"
#include "register_tile.cuh"

// Copies B to rows whose length is a multiple of 4; zeros fill them. A
// thread copies four columns, and a block every gridDim.y-th row.
template <int kThreads>
__device__ inline void align_rows_of(const Matrix& b, float* aligned) {
  const unsigned column = (blockIdx.x * kThreads + threadIdx.x) * 4;
  if (column >= b.columns) return;
  const size_t length = (b.columns + 3) / 4 * 4;
  for (unsigned k = blockIdx.y; k < b.rows; k += gridDim.y) {
    Quad quad;
#pragma unroll
    for (int i = 0; i < 4; ++i) quad[i] = b.at(k, column + i);
    store_quad(aligned + k * length + column, quad);
  }
}

// C = alpha * (sum of the parts) + beta * C. A thread adds kWidth
// neighbours. The parts come in their order, so that the sum is always
// the same.
template <int kParts, int kWidth, int kThreads, typename Target>
__device__ inline void add_parts(const Target& c, const float* parts) {
  using Vector = Floats<kWidth>;
  const size_t count = (size_t)c.rows * c.columns;
  const size_t at = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
  if (at >= count) return;
  Vector sum = {};
#pragma unroll 8
  for (int i = 0; i < kParts; ++i) {
    const Vector part =
        *reinterpret_cast<const Vector*>(parts + i * count + at);
#pragma unroll
    for (int n = 0; n < kWidth; ++n) sum[n] += part[n];
  }
  c.template update_floats<kWidth>(at / c.columns, at % c.columns,
                                   &sum[0]);
}
