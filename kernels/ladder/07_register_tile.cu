//! title   = "Shared memory and register tiles"
//! entry   = "gemm_register_tile"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """A block copies tiles of A and B into shared memory, and
//!              each thread loads from there what its 8x8 tile
//!              needs."""
//! why     = """A float in shared memory is used 128 times, one in a
//!              register 8 times. A sixteenth of the global loads is
//!              left."""
//! look_at = """LDG in the counters: 97.9 % fewer than in step 6 with
//!              scalar loads, the book's form. Then put a thread's
//!              columns side by side and watch the banks of B's
//!              tile."""
//! show_me = ["toggles.next", "toggles.next", "toggles.next_value",
//!            "numbers.excess", "toggles.next_value"]
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = "BLOCK_K"
//! warp_m = 16
//! warp_n = 128
//! thread_m = 8
//! thread_n = 8
//! [[toggles]]
//! name = "BLOCK_K"
//! title = "Depth of a tile"
//! values = [8, 16, 32]
//! default = 16
//! [[toggles]]
//! name = "SPLIT_COLUMNS"
//! title = "A thread's 8 columns"
//! values = [0, 1]
//! labels = ["side by side", "two fours, 64 apart"]
//! default = 1

#ifndef BLOCK_K
#define BLOCK_K 16
#endif
#ifndef SPLIT_COLUMNS
#define SPLIT_COLUMNS 1
#endif

#include "register_tile.cuh"

constexpr int kBlockM = 128, kBlockN = 128, kBlockK = BLOCK_K;
constexpr int kThreads = 256;
// Quads that a thread brings of A's tile and of B's, and from one to
// the next: rows of A, lines of B.
constexpr int kQuadsA = kBlockM * kBlockK / 4 / kThreads;
constexpr int kQuadsB = kBlockN * kBlockK / 4 / kThreads;
constexpr int kRowStep = kThreads * 4 / kBlockK;
constexpr int kLineStep = kThreads * 4 / kBlockN;

// A thread tile: its rows side by side, its columns in two fours.
constexpr int kRows = 8, kColumns = 8;
constexpr int kColumnFours =
    SPLIT_COLUMNS ? 64 : 4;  // from four to four

struct Tiles {
  float a[kBlockM][kBlockK];  // a line is a piece of a row of A
  float b[kBlockK][kBlockN];  // a line is a piece of a row of B
};
using Fragments = FragmentsOf<kRows, kColumns>;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_register_tile(const float* A, const float* B, float* C,
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
    for (int i = 0; i < kQuadsA; ++i)
      store_quad(&tiles.a[a_row + i * kRowStep][a_k], a_quads[i]);
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i)
      store_quad(&tiles.b[b_k + i * kLineStep][b_column], b_quads[i]);
  };

  // From shared memory to registers. Eight lanes read 32 neighbours of
  // B if a thread's fours are split, and only half of the banks if not.
  const unsigned row = thread / 16 * 8;
  const unsigned column = thread % 16 * (SPLIT_COLUMNS ? 4 : 8);
  const auto load = [&](Fragments& f, int k) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) f.a[i] = tiles.a[row + i][k];
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
