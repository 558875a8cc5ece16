//! title   = "A larger thread tile"
//! entry   = "gemm_thread_tile"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 16 * THREAD_N)",
//!            "ceil_div(M, 16 * THREAD_M)", "1"]
//! shared  = "0"
//! changed = "The thread tile grows from 4x4 to 8x8."
//! why     = """An m x n tile does 2mn operations for m + n floats. 8x8
//!              gets 8 operations out of each float, 4x4 gets 4."""
//! look_at = """FFMA for each LDG in the counters: 16, and 8 in the
//!              step before. The price is registers: 128 a thread, and
//!              a few floats are spilled. Then make the tile 4x8 or 4x4
//!              again."""
//! show_me = ["numbers.flops", "toggles.next", "toggles.next_value",
//!            "toggles.next_value"]
//! [tile]
//! block_m = "16 * THREAD_M"
//! block_n = "16 * THREAD_N"
//! block_k = "WIDTH_A"
//! warp_m = "2 * THREAD_M"
//! warp_n = "16 * THREAD_N"
//! thread_m = "THREAD_M"
//! thread_n = "THREAD_N"
//! [[toggles]]
//! name = "THREAD_M"
//! title = "Rows a thread"
//! values = [4, 8]
//! default = 8
//! [[toggles]]
//! name = "THREAD_N"
//! title = "Columns a thread"
//! values = [4, 8]
//! default = 8
//! [[toggles]]
//! name = "WIDTH_A"
//! title = "Loads of A"
//! values = [1, 4]
//! labels = ["scalar, as in the book", "float4"]
//! default = 4

#ifndef THREAD_M
#define THREAD_M 8
#endif
#ifndef THREAD_N
#define THREAD_N 8
#endif
#ifndef WIDTH_A
#define WIDTH_A 4
#endif

#include "matrix.cuh"

// Rows that share a load of B. The book's kernel takes four rows at a
// time and loads B again for the next four.
constexpr int kRows = WIDTH_A == 1 ? 4 : THREAD_M;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
// Two blocks are to fit an SM: a thread has at most 128 registers.
extern "C" __global__ void __launch_bounds__(256, 2)
    gemm_thread_tile(const float* A, const float* B, float* C,
                     float alpha, float beta, int M, int N, int K) {
  const Matrix a(A, M, K), b(B, K, N);
  const Output c(C, M, N, alpha, beta);
  const unsigned row = (blockIdx.y * 16 + threadIdx.y) * THREAD_M;
  // A thread's fours of columns lie 64 apart: 16 lanes read neighbours.
  const unsigned column = blockIdx.x * 16 * THREAD_N + threadIdx.x * 4;

  float sums[THREAD_M][THREAD_N] = {};
  for (unsigned first_k = 0; first_k < K; first_k += WIDTH_A) {
#pragma unroll
    for (int top = 0; top < THREAD_M; top += kRows) {
      if (row + top >= M) break;  // the rows from here on are outside
      Floats<WIDTH_A> a_rows[kRows];
#pragma unroll
      for (int i = 0; i < kRows; ++i)
        a_rows[i] = a.floats<WIDTH_A>(row + top + i, first_k);
      Quad b_rows[WIDTH_A][THREAD_N / 4];
#pragma unroll
      for (int k = 0; k < WIDTH_A; ++k) {
#pragma unroll
        for (int j = 0; j < THREAD_N / 4; ++j)
          b_rows[k][j] = b.quad(first_k + k, column + j * 64);
      }
#pragma unroll
      for (int k = 0; k < WIDTH_A; ++k) {
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
#pragma unroll
          for (int j = 0; j < THREAD_N; ++j)
            sums[top + i][j] += a_rows[i][k] * b_rows[k][j / 4][j % 4];
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; j += 4)
      c.update_quad(row + i, column + j / 4 * 64, &sums[i][j]);
  }
}
