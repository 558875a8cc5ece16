//! title   = "Four floats at a time, a 4x4 tile a thread"
//! entry   = "gemm_vector_loads"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 64)", "ceil_div(M, 64)", "1"]
//! shared  = "0"
//! changed = """Each thread computes 4x4 elements of C, and reads A and B as float4, one 128-bit load
//!              instead of four."""
//! why     = """Per step of four k, 8 loads feed 64 multiply-adds. Before, as many loads fed 4. A float
//!              that has been loaded is used four times."""
//! look_at = """LDG.E.128 in the code, and how many multiply-adds stand between two of them. Each lane
//!              keeps a whole 4x4 square of C in registers."""
//! [tile]
//! block_m = 64
//! block_n = 64
//! block_k = 4
//! warp_m = 8
//! warp_n = 64
//! thread_m = 4
//! thread_n = 4

#include "quads.cuh"

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_vector_loads(const float* A, const float* B, float* C, float alpha,
                                             float beta, int M, int N, int K) {
  const int row = blockIdx.y * 64 + threadIdx.y * 4;
  const int column = blockIdx.x * 64 + threadIdx.x * 4;
  float sums[4][4] = {};

  for (int k = 0; k < K; k += 4) {
    // Four rows of A, four k each; four rows of B, four columns each. Zeros stand for what lies outside.
    float4 a[4], b[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      a[i] = load_quad(A + (size_t)(row + i) * K + k, row + i < M ? K - k : 0, K % 4 == 0);
      b[i] = load_quad(B + (size_t)(k + i) * N + column, k + i < K ? N - column : 0, N % 4 == 0);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float a_row[4] = {a[i].x, a[i].y, a[i].z, a[i].w};
#pragma unroll
      for (int step = 0; step < 4; ++step) {
        sums[i][0] += a_row[step] * b[step].x;
        sums[i][1] += a_row[step] * b[step].y;
        sums[i][2] += a_row[step] * b[step].z;
        sums[i][3] += a_row[step] * b[step].w;
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float* c = C + (size_t)(row + i) * N + column;
    update_quad(c, row + i < M ? N - column : 0, N % 4 == 0, sums[i], alpha, beta);
  }
}
