//! title   = "float4 loads, a 4x4 thread tile"
//! entry   = "gemm_vector_loads"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 64)", "ceil_div(M, 64)", "1"]
//! shared  = "0"
//! changed = """Without shared memory, each thread computes 4x4
//!              elements of C from float4 loads of A and B."""
//! why     = """For four k, 8 loads feed 64 multiply-adds. In step 2, 8
//!              loads fed 4."""
//! look_at = """LDG in the counters: 93.8 % fewer than in step 2. The
//!              book loads A one float at a time and B as float4, which
//!              saves 84.4 %. The toggle shows its form."""
//! show_me = ["numbers.global_sectors", "toggles.next",
//!            "toggles.next_value", "toggles.next_value"]
//! [tile]
//! block_m = 64
//! block_n = 64
//! block_k = "WIDTH_A"
//! warp_m = 8
//! warp_n = 64
//! thread_m = 4
//! thread_n = 4
//! [[toggles]]
//! name = "WIDTH_A"
//! title = "Loads of A"
//! values = [1, 4]
//! labels = ["scalar, as in the book", "float4"]
//! default = 4

#ifndef WIDTH_A
#define WIDTH_A 4
#endif

#include "matrix.cuh"

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_vector_loads(const float* A,
                                             const float* B, float* C,
                                             float alpha, float beta,
                                             int M, int N, int K) {
  const Matrix a(A, M, K), b(B, K, N);
  const Output c(C, M, N, alpha, beta);
  const unsigned row = blockIdx.y * 64 + threadIdx.y * 4;
  const unsigned column = blockIdx.x * 64 + threadIdx.x * 4;

  float sums[4][4] = {};
  for (unsigned first_k = 0; first_k < K; first_k += WIDTH_A) {
    Floats<WIDTH_A> a_rows[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      a_rows[i] = a.floats<WIDTH_A>(row + i, first_k);

#pragma unroll
    for (int k = 0; k < WIDTH_A; ++k) {
      const Quad b_row = b.quad(first_k + k, column);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sums[i][j] += a_rows[i][k] * b_row[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) c.update_quad(row + i, column, sums[i]);
}
