//! title   = "A larger tile a thread"
//! entry   = "gemm_thread_tile"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 16 * THREAD_N)", "ceil_div(M, 16 * THREAD_M)", "1"]
//! shared  = "0"
//! changed = "The thread's tile of C grows from 4x4 to 8x8."
//! why     = """An m x n tile does 2mn operations for m + n floats: 8x8 gets 8 operations out of each
//!              float, 4x4 only 4. Fewer threads remain to hide what the loads still cost."""
//! look_at = """Registers a thread, and the ratio of FFMA to LDG in the counters. Then make the tile 4x8
//!              or 4x4 again."""
//! [tile]
//! block_m = "16 * THREAD_M"
//! block_n = "16 * THREAD_N"
//! block_k = 4
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

#ifndef THREAD_M
#define THREAD_M 8
#endif
#ifndef THREAD_N
#define THREAD_N 8
#endif

#include "quads.cuh"

constexpr int kThreadM = THREAD_M;
constexpr int kThreadN = THREAD_N;
constexpr int kColumnStep = 64;  // a thread's fours of columns lie 64 apart: 16 lanes read 64 neighbours

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_thread_tile(const float* A, const float* B, float* C, float alpha, float beta,
                                            int M, int N, int K) {
  const int row = blockIdx.y * 16 * kThreadM + threadIdx.y * kThreadM;
  const int column = blockIdx.x * 16 * kThreadN + threadIdx.x * 4;
  float sums[kThreadM][kThreadN] = {};

  for (int k = 0; k < K; k += 4) {
    float4 a[kThreadM];
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
      a[i] = load_quad(A + (size_t)(row + i) * K + k, row + i < M ? K - k : 0, K % 4 == 0);
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      float b[kThreadN];
#pragma unroll
      for (int j = 0; j < kThreadN; j += 4) {
        const int first = column + j / 4 * kColumnStep;
        *reinterpret_cast<float4*>(&b[j]) =
            load_quad(B + (size_t)(k + step) * N + first, k + step < K ? N - first : 0, N % 4 == 0);
      }
#pragma unroll
      for (int i = 0; i < kThreadM; ++i) {
        const float a_i[4] = {a[i].x, a[i].y, a[i].z, a[i].w};
#pragma unroll
        for (int j = 0; j < kThreadN; ++j) sums[i][j] += a_i[step] * b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kThreadM; ++i) {
#pragma unroll
    for (int j = 0; j < kThreadN; j += 4) {
      const int first = column + j / 4 * kColumnStep;
      update_quad(C + (size_t)(row + i) * N + first, row + i < M ? N - first : 0, N % 4 == 0, &sums[i][j],
                  alpha, beta);
    }
  }
}
