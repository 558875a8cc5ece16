//! title   = "One thread, one element"
//! entry   = "gemm_naive_rows"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(M, 16)", "ceil_div(N, 16)", "1"]
//! shared  = "0"
//! changed = """The starting point: each thread multiplies a row of A
//!              by a column of B and writes one element of C."""
//! why     = """This is the definition of the product, one multiply-add
//!              after the other. Every later step is compared with
//!              it."""
//! look_at = """The sectors of one load of A. The lanes of a warp stand
//!              in 16 rows, so 16 sectors of 8 floats travel for 16
//!              useful floats. A store of C touches 16 sectors as
//!              well."""
//! show_me = ["numbers.global_sectors", "time.to_end",
//!            "time.previous_uncoalesced"]
//! [tile]
//! block_m = 16
//! block_n = 16
//! block_k = 1
//! warp_m = 16
//! warp_n = 2
//! thread_m = 1
//! thread_n = 1

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_naive_rows(const float* A,
                                           const float* B, float* C,
                                           float alpha, float beta,
                                           int M, int N, int K) {
  // A warp's 32 lanes: 16 values of threadIdx.x, 2 of threadIdx.y.
  const int row = blockIdx.x * 16 + threadIdx.x;
  const int column = blockIdx.y * 16 + threadIdx.y;

  // The grid is rounded up to whole blocks: threads that stick out
  // leave.
  if (row >= M || column >= N) return;

  const float* a = A + (size_t)row * K;
  const float* b = B + column;
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < K; ++k) sum += a[k] * b[(size_t)k * N];

  float* c = C + (size_t)row * N + column;
  float result = alpha * sum;
  // With beta == 0 the old C is not read: it may be anything, NaN too.
  if (beta != 0.0f) result += beta * *c;
  *c = result;
}
