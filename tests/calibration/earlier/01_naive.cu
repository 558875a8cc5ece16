//! title   = "One thread, one element"
//! entry   = "gemm_naive"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(M, 16)", "ceil_div(N, 16)", "1"]
//! shared  = "0"
//! changed = """The starting point: each thread walks along a row of A and down a column of B, and writes one
//!              element of C."""
//! why     = """It is the definition of the product, one multiply-add after the other: the yardstick for all
//!              that follows."""
//! look_at = """The sectors of one load of A: 16 rows, so 16 sectors for 16 useful floats. Then swap x and y:
//!              the lanes become neighbours, and 2 sectors are enough."""
//! [tile]
//! block_m = 16
//! block_n = 16
//! block_k = 1
//! warp_m = "16 - 14 * SWAP_XY"
//! warp_n = "2 + 14 * SWAP_XY"
//! thread_m = 1
//! thread_n = 1
//! [[toggles]]
//! name = "SWAP_XY"
//! title = "Let threadIdx.x walk along a row of C"
//! values = [0, 1]
//! default = 0

#ifndef SWAP_XY
#define SWAP_XY 0
#endif

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_naive(const float* A, const float* B, float* C, float alpha, float beta,
                                      int M, int N, int K) {
  // The 32 lanes of a warp are 16 values of threadIdx.x times 2 of threadIdx.y. With rows from x,
  // neighbouring lanes are a whole row of A apart; swapped, they are neighbours in B and C.
  const int row_in_block = SWAP_XY ? threadIdx.y : threadIdx.x;
  const int column_in_block = SWAP_XY ? threadIdx.x : threadIdx.y;
  const int row = blockIdx.x * 16 + row_in_block;
  const int column = blockIdx.y * 16 + column_in_block;

  // The grid is rounded up to whole blocks: the threads that stick out have nothing to do.
  if (row < M && column < N) {
    const float* a = A + (size_t)row * K;
    const float* b = B + column;
    float sum = 0.0f;
#pragma unroll 4
    for (int k = 0; k < K; ++k) {
      sum += a[k] * b[(size_t)k * N];
    }

    float* c = C + (size_t)row * N + column;
    float result = alpha * sum;
    if (beta != 0.0f) result += beta * *c;  // with beta == 0 the old C may be anything, NaN too
    *c = result;
  }
}
