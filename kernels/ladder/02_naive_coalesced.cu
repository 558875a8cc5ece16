//! title   = "Neighbouring lanes, neighbouring columns"
//! entry   = "gemm_naive_coalesced"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)", "1"]
//! shared  = "0"
//! changed = "threadIdx.x counts columns instead of rows."
//! why     = """A warp now reads 2 rows of A instead of 16, and 16
//!              neighbouring columns of B. One k takes 2 + 2 sectors
//!              instead of 16 + 1. Not one multiply-add is saved."""
//! look_at = """The sectors of a load of A and of B, here and in the
//!              step before. The multiply-adds and the loads are as
//!              many as there."""
//! show_me = ["numbers.global_sectors", "experiment.previous_kernel",
//!            "experiment.next_kernel"]
//! [tile]
//! block_m = 16
//! block_n = 16
//! block_k = 1
//! warp_m = 2
//! warp_n = 16
//! thread_m = 1
//! thread_n = 1

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_naive_coalesced(const float* A,
                                                const float* B,
                                                float* C, float alpha,
                                                float beta, int M,
                                                int N, int K) {
  // A warp's 32 lanes: 16 values of threadIdx.x, 2 of threadIdx.y.
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;

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
