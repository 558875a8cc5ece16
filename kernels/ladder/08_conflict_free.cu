//! title   = "A's tile without bank conflicts"
//! entry   = "gemm_conflict_free"
//! block   = ["16", "16", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """The rows of A's tile move: by unused floats between them, or by an exclusive or of their
//!              place."""
//! why     = """A store whose lanes lie in 32 different banks is done in one wavefront. Where four lanes
//!              meet in a bank it takes four, and everybody waits."""
//! look_at = """The banks of the stores to tile_a with each layout: four in a bank, two, one. The loads
//!              stay as good as they were."""
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = 16
//! warp_m = 16
//! warp_n = 128
//! thread_m = 8
//! thread_n = 8
//! [[toggles]]
//! name = "LAYOUT"
//! title = "0 as it is, 1 padded, 2 swizzled"
//! values = [0, 1, 2]
//! default = 2

#ifndef LAYOUT
#define LAYOUT 2
#endif

#include "quads.cuh"
#include "register_tile.cuh"

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 16;
constexpr int kThreads = 256;
constexpr int kQuads = kBlockM * kBlockK / 4 / kThreads;  // that a thread copies of A, and as many of B
constexpr int kRowA = kBlockM + (LAYOUT == 1 ? 4 : 0);    // a multiple of 4: quads must stay aligned

// Where the element of row `row` lies in line k of A's tile. Fours of rows stay together and in order.
__device__ inline int place(int k, int row) { return LAYOUT == 2 ? row ^ (k / 4 % 4 * 8) : row; }

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_conflict_free(const float* A, const float* B, float* C, float alpha, float beta, int M, int N,
                       int K) {
  __shared__ __align__(16) float tile_a[kBlockK][kRowA];  // k-major
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
    // The four lanes of one row of A store to four k that are 4 apart. As it is, that is the same bank;
    // padding puts every second one 16 banks further; the swizzle gives each eight banks of its own.
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

#pragma unroll
    for (int k = 0; k < kBlockK; ++k) {
      float a[8], b[8];
      load_fours(a, &tile_a[k][place(k, row)], 64);
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
