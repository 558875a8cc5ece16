// A template over its tile sizes; one-dimensional blocks, each thread a column of TM results.
#include <cassert>
#include <cstdio>

template <typename T, int BM, int BN, int BK, int TM>
__global__ void __launch_bounds__(BM *BN / TM)
    gemm_tiles(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, int m, int n, int k) {
  __shared__ T tile_a[BM][BK], tile_b[BK][BN];
  assert(blockDim.x == BM * BN / TM);
  const int column = threadIdx.x % BN, group = threadIdx.x / BN;
  const int first_row = blockIdx.y * BM, first_column = blockIdx.x * BN;
  T sums[TM] = {};
  for (int depth = 0; depth < k; depth += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) {
      const int r = first_row + i / BK, s = depth + i % BK;
      tile_a[i / BK][i % BK] = r < m && s < k ? a[r * k + s] : T(0);
    }
    for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) {
      const int r = depth + i / BN, s = first_column + i % BN;
      tile_b[i / BN][i % BN] = r < k && s < n ? b[r * n + s] : T(0);
    }
    __syncthreads();
    for (int s = 0; s < BK; ++s)
      for (int t = 0; t < TM; ++t) sums[t] += tile_a[group * TM + t][s] * tile_b[s][column];
    __syncthreads();
  }
  for (int t = 0; t < TM; ++t) {
    const int r = first_row + group * TM + t;
    if (r < m && first_column + column < n) c[r * n + first_column + column] = sums[t];
  }
}

void run(float *a, float *b, float *c, int m, int n, int k) {
  constexpr int kRows = 32, kColumns = 32, kDepth = 8, kPerThread = 4;
  dim3 blocks((n + kColumns - 1) / kColumns, (m + kRows - 1) / kRows);
  gemm_tiles<float, kRows, kColumns, kDepth, kPerThread>
      <<<blocks, kRows * kColumns / kPerThread>>>(a, b, c, m, n, k);
}
