// Single columns of C as dot products.
#pragma once

#include "matrix.cuh"

// C's columns beyond the grid's tiles, by blocks below the tiles, each
// of which takes 64 rows. A warp multiplies 8 rows of A by a column of
// B; its lanes share k, and their sums are added at the end.
template <int kThreads, int kBlockM, int kBlockN, typename Target>
__device__ inline void multiply_columns(const Matrix& a,
                                        const Matrix& b,
                                        const Target& c) {
  constexpr int kRows = 8, kRowsOfBlock = 64;
  constexpr unsigned kAllLanes = 0xffffffff;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned tiles_down = (c.rows + kBlockM - 1) / kBlockM;
  const unsigned first_row =
      ((blockIdx.y - tiles_down) * gridDim.x + blockIdx.x) *
      kRowsOfBlock;
  for (unsigned column = gridDim.x * kBlockN; column < c.columns;
       ++column) {
#pragma unroll 1
    for (unsigned row = warp * kRows; row < kRowsOfBlock;
         row += kThreads / 32 * kRows) {
      // Beyond the last row the last one is multiplied once more.
      const float* lines[kRows];
#pragma unroll
      for (int i = 0; i < kRows; ++i)
        lines[i] = a.address(min(first_row + row + i, a.rows - 1), 0);
      float sums[kRows] = {};
#pragma unroll 4
      for (unsigned k = lane; k < a.columns; k += 32) {
        const float factor = *b.address(k, column);
#pragma unroll
        for (int i = 0; i < kRows; ++i) sums[i] += lines[i][k] * factor;
      }
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int far = 16; far > 0; far /= 2)
          sums[i] += __shfl_xor_sync(kAllLanes, sums[i], far);
        if (lane == i) c.update(first_row + row + i, column, sums[i]);
      }
    }
  }
}
