//! title   = "Shared memory and register tiles"
//! entry   = "gemm_register_tile"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """Both ideas at once: tiles of A and B in shared memory, and each thread computes 8x8
//!              elements of C in registers."""
//! why     = """A float in shared memory is used 128 times, one in a register 8 times: far fewer loads
//!              for the same multiply-adds."""
//! look_at = """The sectors of the float4 loads: every byte is used. Then put a thread's columns side by
//!              side and watch the banks of B's tile."""
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = "BLOCK_K"
//! warp_m = 16
//! warp_n = 128
//! thread_m = 8
//! thread_n = 8
//! [[toggles]]
//! name = "BLOCK_K"
//! title = "Depth of a tile"
//! values = [16, 32]
//! default = 16
//! [[toggles]]
//! name = "SPLIT_COLUMNS"
//! title = "Columns as two fours, 64 apart"
//! values = [0, 1]
//! default = 1

#ifndef BLOCK_K
#define BLOCK_K 16
#endif
#ifndef SPLIT_COLUMNS
#define SPLIT_COLUMNS 1
#endif

#include "quads.cuh"

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = BLOCK_K;
constexpr int kThreads = 256;
constexpr int kQuads = kBlockM * kBlockK / 4 / kThreads;  // that a thread copies of A, and as many of B

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_register_tile(const float* A, const float* B, float* C, float alpha, float beta, int M, int N,
                       int K) {
  __shared__ __align__(16) float tile_a[kBlockM][kBlockK];  // as in A: a row of the tile is a piece of a row
  __shared__ __align__(16) float tile_b[kBlockK][kBlockN];

  const unsigned thread = threadIdx.y * 16 + threadIdx.x;
  const int first_row = blockIdx.y * kBlockM;
  const int first_column = blockIdx.x * kBlockN;

  // A thread owns 4x4 squares of C, 64 rows apart. With the columns split as well, 8 neighbouring lanes read
  // 32 neighbouring floats of tile_b, one from each bank; unsplit, their float4s are 8 floats apart and meet
  // in half of the banks.
  const int thread_row = threadIdx.y * 4;
  const int thread_column = threadIdx.x * (SPLIT_COLUMNS ? 4 : 8);
  const int to_second_square = SPLIT_COLUMNS ? 64 : 4;
  float sums[8][8] = {};

  for (int k_left = K; k_left > 0; k_left -= kBlockK) {
    const int first_k = K - k_left;

    // 1. All threads fetch the two tiles, four floats at a time. All loads are on their way before the first
    // is waited for. Zeros stand for what lies beyond the matrix.
    float4 a_quads[kQuads], b_quads[kQuads];
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const unsigned quad = i * kThreads + thread;
      const int row = first_row + quad / (kBlockK / 4), k = quad % (kBlockK / 4) * 4;
      a_quads[i] = load_quad(A + (size_t)row * K + first_k + k, row < M ? k_left - k : 0, K % 4 == 0);
    }
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const unsigned quad = i * kThreads + thread;
      const int k = quad / (kBlockN / 4), column = first_column + quad % (kBlockN / 4) * 4;
      b_quads[i] = load_quad(B + ((size_t)first_k + k) * N + column, k < k_left ? N - column : 0, N % 4 == 0);
    }
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const unsigned quad = i * kThreads + thread;
      *reinterpret_cast<float4*>(&tile_a[0][0] + quad * 4) = a_quads[i];
      *reinterpret_cast<float4*>(&tile_b[0][0] + quad * 4) = b_quads[i];
    }
    __syncthreads();  // the tiles are complete

    // 2. For each k: 8 floats of A times 8 floats of B are 64 multiply-adds. The floats of B are neighbours.
    // Those of A lie in 8 rows, so the compiler fetches four k of each row at once, at the price of 32
    // registers.
#pragma unroll
    for (int k = 0; k < kBlockK; ++k) {
      float a[8], b[8];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[i] = tile_a[thread_row + i][k];
        a[i + 4] = tile_a[thread_row + i + 64][k];
        b[i] = tile_b[k][thread_column + i];
        b[i + 4] = tile_b[k][thread_column + i + to_second_square];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();  // nobody reads the tiles any more
  }

  // 3. Each row of a square leaves as one float4.
  const int column = first_column + thread_column;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + thread_row + i / 4 * 64 + i % 4;
    const int columns_left = row < M ? N - column : 0;
    float* c = C + (size_t)row * N + column;
    update_quad(c, columns_left, N % 4 == 0, &sums[i][0], alpha, beta);
    update_quad(c + to_second_square, columns_left - to_second_square, N % 4 == 0, &sums[i][4], alpha, beta);
  }
}
