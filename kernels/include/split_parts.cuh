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

// The part of K that a block multiplies: whole tiles of it, or none.
template <int kParts, int kBlockK>
struct PartOf {
  int first_k, count;
  __device__ PartOf(unsigned part, int K) {
    const size_t tiles = (K + kBlockK - 1) / kBlockK;
    first_k = part * tiles / kParts * kBlockK;
    const int end_k =
        min((part + 1) * tiles / kParts * kBlockK, (size_t)K);
    count = end_k - first_k;
  }
};

// Stores a thread's tile of C: fours of rows and columns that lie
// kRowFours and kColumnFours apart.
template <int kRowFours, int kColumnFours, typename Target, int kRows,
          int kColumns>
__device__ inline void update_tile(
    const Target& c, unsigned row, unsigned column,
    const float (&sums)[kRows][kColumns]) {
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; j += 4)
      c.update_quad(row + i / 4 * kRowFours + i % 4,
                    column + j / 4 * kColumnFours, &sums[i][j]);
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
