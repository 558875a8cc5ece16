//! title   = "A's tile k-major"
//! entry   = "gemm_transposed_tile"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """A's tile is transposed in shared memory, so a thread's
//!              8 rows at one k are two float4."""
//! why     = """A thread holds 8 floats of A at one k, no longer those
//!              of four k: 109 registers instead of 128 on sm_86. The
//!              price: each quad of A is stored as four single
//!              floats."""
//! look_at = """STS in the counters: 2.5 times as many. Then the banks
//!              of the stores to A's tile: four lanes meet in each, and
//!              the stores are served one after the other."""
//! show_me = ["numbers.excess", "time.next_wavefront",
//!            "time.next_wavefront", "time.next_wavefront",
//!            "time.next_wavefront"]
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = 16
//! warp_m = 16
//! warp_n = 128
//! thread_m = 8
//! thread_n = 8

#include "register_tile.cuh"

constexpr int kBlockM = 128, kBlockN = 128, kBlockK = 16;
constexpr int kThreads = 256;
// Quads that a thread brings of A's tile and of B's, and from one to
// the next: rows of A, lines of B.
constexpr int kQuadsA = kBlockM * kBlockK / 4 / kThreads;
constexpr int kQuadsB = kBlockN * kBlockK / 4 / kThreads;
constexpr int kRowStep = kThreads * 4 / kBlockK;
constexpr int kLineStep = kThreads * 4 / kBlockN;

// A thread tile: its rows side by side, its columns in two fours.
constexpr int kRows = 8, kColumns = 8;
constexpr int kColumnFours = 64;  // from four to four

struct Tiles {
  float a[kBlockK][kBlockM];  // a line is a piece of a column of A
  float b[kBlockK][kBlockN];  // a line is a piece of a row of B
};
using Fragments = FragmentsOf<kRows, kColumns>;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_transposed_tile(const float* A, const float* B, float* C,
                         float alpha, float beta, int M, int N, int K) {
  __shared__ __align__(16) Tiles tiles;
  const Matrix a(A, M, K), b(B, K, N);
  const Output c(C, M, N, alpha, beta);
  const unsigned thread = threadIdx.x;
  const unsigned first_row = blockIdx.y * kBlockM;
  const unsigned first_column = blockIdx.x * kBlockN;

  // From global to shared memory, four floats at a time. All loads are
  // on their way before the first is waited for.
  const unsigned a_row = thread / (kBlockK / 4);
  const unsigned a_k = thread % (kBlockK / 4) * 4;
  const unsigned b_k = thread / (kBlockN / 4);
  const unsigned b_column = thread % (kBlockN / 4) * 4;
  Quad a_quads[kQuadsA], b_quads[kQuadsB];
  const auto fetch_tiles = [&](unsigned first_k) {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i)
      a_quads[i] =
          a.quad(first_row + a_row + i * kRowStep, first_k + a_k);
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i)
      b_quads[i] = b.quad(first_k + b_k + i * kLineStep,
                          first_column + b_column);
  };
  const auto store_tiles = [&] {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i) {
      // A is transposed on the way: four lines get a float each.
#pragma unroll
      for (int n = 0; n < 4; ++n)
        tiles.a[a_k + n][a_row + i * kRowStep] = a_quads[i][n];
    }
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i)
      store_quad(&tiles.b[b_k + i * kLineStep][b_column], b_quads[i]);
  };

  // From shared memory to registers.
  const unsigned row = thread / 16 * 8;
  const unsigned column = thread % 16 * 4;
  const auto load = [&](Fragments& f, int k) {
    load_fours(f.a, &tiles.a[k][row], 4);
    load_fours(f.b, &tiles.b[k][column], kColumnFours);
  };

  float sums[kRows][kColumns] = {};
  for (unsigned first_k = 0; first_k < K; first_k += kBlockK) {
    fetch_tiles(first_k);
    store_tiles();
    __syncthreads();  // the tiles are complete

    Fragments fragments;
#pragma unroll
    for (int k = 0; k < kBlockK; ++k) {
      load(fragments, k);
      multiply_add(sums, fragments);
    }
    __syncthreads();  // nobody reads the tiles any more
  }

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; j += 4)
      c.update_quad(first_row + row + i,
                    first_column + column + j / 4 * kColumnFours,
                    &sums[i][j]);
  }
}
