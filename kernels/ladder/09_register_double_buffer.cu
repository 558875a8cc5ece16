//! title   = "Shared memory's latency hidden"
//! entry   = "gemm_register_double_buffer"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """The floats of the next k are loaded from shared memory before those of this k are
//!              multiplied."""
//! why     = """A load from shared memory takes about 30 cycles. With 64 multiply-adds between a load and
//!              its use, nobody waits for it. The price is 16 registers."""
//! look_at = """The order of LDS and FFMA in the code, and the registers. The compiler often does the
//!              same by itself: compare the two listings."""
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = 16
//! warp_m = 16
//! warp_n = 128
//! thread_m = 8
//! thread_n = 8

#include "quads.cuh"
#include "register_tile.cuh"

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 16;
constexpr int kThreads = 256;
constexpr int kQuads = kBlockM * kBlockK / 4 / kThreads;  // that a thread copies of A, and as many of B

// As in the step before: A's tile is swizzled.
__device__ inline int place(int k, int row) { return row ^ (k / 4 % 4 * 8); }

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_register_double_buffer(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                int N, int K) {
  __shared__ __align__(16) float tile_a[kBlockK][kBlockM];  // k-major
  __shared__ __align__(16) float tile_b[kBlockK][kBlockN];

  const unsigned thread = threadIdx.y * 16 + threadIdx.x;
  const int first_row = blockIdx.y * kBlockM;
  const int first_column = blockIdx.x * kBlockN;
  const int row = threadIdx.y * 4, column = threadIdx.x * 4;  // and those 64 further
  float sums[8][8] = {};
  float a[2][8], b[2][8];  // one is multiplied while the other is loaded

  for (int k_left = K; k_left > 0; k_left -= kBlockK) {
    const int first_k = K - k_left;
    float4 a_quads[kQuads], b_quads[kQuads];
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const unsigned quad = i * kThreads + thread;
      const int a_row = first_row + quad / (kBlockK / 4), a_k = quad % (kBlockK / 4) * 4;
      const int b_k = quad / (kBlockN / 4), b_column = first_column + quad % (kBlockN / 4) * 4;
      a_quads[i] = load_quad(A + (size_t)a_row * K + first_k + a_k, a_row < M ? k_left - a_k : 0, K % 4 == 0);
      b_quads[i] =
          load_quad(B + ((size_t)first_k + b_k) * N + b_column, b_k < k_left ? N - b_column : 0, N % 4 == 0);
    }
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const unsigned quad = i * kThreads + thread;
      const int a_row = quad / (kBlockK / 4), a_k = quad % (kBlockK / 4) * 4;
      tile_a[a_k + 0][place(a_k, a_row)] = a_quads[i].x;
      tile_a[a_k + 1][place(a_k, a_row)] = a_quads[i].y;
      tile_a[a_k + 2][place(a_k, a_row)] = a_quads[i].z;
      tile_a[a_k + 3][place(a_k, a_row)] = a_quads[i].w;
      *reinterpret_cast<float4*>(&tile_b[0][0] + quad * 4) = b_quads[i];
    }
    __syncthreads();  // the tiles are complete

    // While the floats of one k are multiplied, those of the next are on their way.
    load_fours(a[0], &tile_a[0][place(0, row)], 64);
    load_fours(b[0], &tile_b[0][column], 64);
#pragma unroll
    for (int k = 0; k < kBlockK; ++k) {
      if (k + 1 < kBlockK) {
        load_fours(a[(k + 1) % 2], &tile_a[k + 1][place(k + 1, row)], 64);
        load_fours(b[(k + 1) % 2], &tile_b[k + 1][column], 64);
      }
      multiply_add(sums, a[k % 2], b[k % 2]);
    }
    __syncthreads();  // nobody reads the tiles any more
  }

  // Each row of a square leaves as one float4.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int c_row = first_row + row + i / 4 * 64 + i % 4, c_column = first_column + column;
    float* c = C + (size_t)c_row * N + c_column;
    update_quad(c, c_row < M ? N - c_column : 0, N % 4 == 0, &sums[i][0], alpha, beta);
    update_quad(c + 64, c_row < M ? N - c_column - 64 : 0, N % 4 == 0, &sums[i][4], alpha, beta);
  }
}
