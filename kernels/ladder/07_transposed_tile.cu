//! title   = "A's tile k-major"
//! entry   = "gemm_transposed_tile"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """A's tile is stored k-major in shared memory: the 8 rows that a thread needs at one k are
//!              two float4."""
//! why     = """A thread holds the 8 floats of A at one k, no longer those of four k: fewer registers.
//!              The price: a quad of A is stored as four single floats, and these meet in the same
//!              banks."""
//! look_at = """Registers against the step before. Then the banks of the stores to tile_a: four lanes in
//!              each, one after the other."""
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

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_transposed_tile(const float* A, const float* B, float* C, float alpha, float beta, int M, int N,
                         int K) {
  __shared__ __align__(16) float tile_a[kBlockK][kBlockM];  // k-major: a column of A's tile is a row here
  __shared__ __align__(16) float tile_b[kBlockK][kBlockN];

  const unsigned thread = threadIdx.y * 16 + threadIdx.x;
  const int first_row = blockIdx.y * kBlockM;
  const int first_column = blockIdx.x * kBlockN;
  const int row = threadIdx.y * 4, column = threadIdx.x * 4;  // and those 64 further
  float sums[8][8] = {};

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
    // A is turned on the way: its quad falls apart into four stores. The four lanes of one row of A store to
    // four k, 4 * 128 floats apart: the same bank.
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const unsigned quad = i * kThreads + thread;
      const int a_row = quad / (kBlockK / 4), a_k = quad % (kBlockK / 4) * 4;
      tile_a[a_k + 0][a_row] = a_quads[i].x;
      tile_a[a_k + 1][a_row] = a_quads[i].y;
      tile_a[a_k + 2][a_row] = a_quads[i].z;
      tile_a[a_k + 3][a_row] = a_quads[i].w;
      *reinterpret_cast<float4*>(&tile_b[0][0] + quad * 4) = b_quads[i];
    }
    __syncthreads();  // the tiles are complete

#pragma unroll
    for (int k = 0; k < kBlockK; ++k) {
      float a[8], b[8];
      load_fours(a, &tile_a[k][row], 64);
      load_fours(b, &tile_b[k][column], 64);
      multiply_add(sums, a, b);
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
