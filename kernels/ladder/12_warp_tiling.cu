//! title   = "Block and warp tiles"
//! entry   = "gemm_warp_tiling"
//! block   = ["64 * WARPS_N", "1", "1"]
//! grid    = ["ceil_div(N, 64 * WARPS_N)", "ceil_div(M, 128)", "1"]
//! shared  = "2 * 4 * BLOCK_K * (128 + 64 * WARPS_N)"
//! changed = """The block tile grows to 128x256, and each of its eight
//!              warps computes a 64x64 warp tile with 8x16 elements a
//!              thread."""
//! why     = """A 64x64 warp tile reads 64 + 64 floats for 4096
//!              multiply-adds, where 16x128 read 16 + 128 for 2048. The
//!              larger block tile loads fewer floats of A from global
//!              memory."""
//! look_at = """The counters: a quarter fewer LDS with half the
//!              wavefronts, a quarter fewer LDG. Then the number of
//!              blocks: one fits an SM, and a small C leaves SMs
//!              idle."""
//! show_me = ["numbers.wavefronts", "experiment.previous_kernel",
//!            "experiment.next_kernel", "numbers.blocks_per_sm"]
//! [tile]
//! block_m = 128
//! block_n = "64 * WARPS_N"
//! block_k = "BLOCK_K"
//! warp_m = 64
//! warp_n = 64
//! thread_m = 8
//! thread_n = 16
//! [[toggles]]
//! name = "WARPS_N"
//! title = "Block tile"
//! values = [2, 4]
//! labels = ["128 x 128", "128 x 256"]
//! default = 4
//! [[toggles]]
//! name = "BLOCK_K"
//! title = "Depth of a tile"
//! values = [8, 16]
//! default = 8

#ifndef WARPS_N
#define WARPS_N 4
#endif
#ifndef BLOCK_K
#define BLOCK_K 8
#endif

#include "register_tile.cuh"

constexpr int kBlockM = 128, kBlockN = 64 * WARPS_N, kBlockK = BLOCK_K;
constexpr int kThreads = 64 * WARPS_N;  // 2 warps along m
// Quads that a thread brings of A's tile and of B's, and from one to
// the next: rows of A, lines of B.
constexpr int kQuadsA = kBlockM * kBlockK / 4 / kThreads;
constexpr int kQuadsB = kBlockN * kBlockK / 4 / kThreads;
constexpr int kRowStep = kThreads * 4 / kBlockK;
constexpr int kLineStep = kThreads * 4 / kBlockN;

// A warp tile is 64x64 and has 8x4 lanes. A thread tile: two fours of
// rows and four fours of columns, between those of the other lanes.
constexpr int kRows = 8, kColumns = 16;
constexpr int kRowFours = 32, kColumnFours = 16;  // from four to four

// Where the element of this row lies in line k of A's tile. The swizzle
// keeps fours of rows together and in order.
__device__ inline unsigned place(unsigned k, unsigned row) {
  return row ^ k / 4 * (128 / kBlockK);
}

struct Tiles {
  float a[kBlockK][kBlockM];  // k-major
  float b[kBlockK][kBlockN];  // a line is a piece of a row of B
};
using Fragments = FragmentsOf<kRows, kColumns>;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 4 / WARPS_N)
    gemm_warp_tiling(const float* A, const float* B, float* C,
                     float alpha, float beta, int M, int N, int K) {
  extern __shared__ __align__(16) Tiles stages[];  // two, as before
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
  const auto store_tiles = [&](Tiles& tiles) {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i) {
      // A is transposed on the way: four lines get a float each.
#pragma unroll
      for (int n = 0; n < 4; ++n)
        tiles.a[a_k + n][place(a_k, a_row) + i * kRowStep] =
            a_quads[i][n];
    }
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i)
      store_quad(&tiles.b[b_k + i * kLineStep][b_column], b_quads[i]);
  };

  // From shared memory to registers.
  // Lanes 2i and 2i + 1 share rows, lanes l and l + 2 columns: the
  // hardware serves such a load in half the wavefronts.
  const unsigned warp = thread / 32, lane = thread % 32;
  const unsigned lane_row = lane / 2 % 2 + lane / 8 * 2;
  const unsigned lane_column = lane % 2 + lane / 4 % 2 * 2;
  const unsigned row = warp / WARPS_N * 64 + lane_row * 4;
  const unsigned column = warp % WARPS_N * 64 + lane_column * 4;
  const auto load = [&](Fragments& f, const Tiles& tiles, int k) {
    load_fours(f.a, &tiles.a[k][place(k, row)], kRowFours);
    load_fours(f.b, &tiles.b[k][column], kColumnFours);
  };

  float sums[kRows][kColumns] = {};
  Fragments fragments[2];  // one is multiplied, the other loaded
  fetch_tiles(0);
  store_tiles(stages[0]);
  __syncthreads();
  load(fragments[0], stages[0], 0);

  for (unsigned next_k = kBlockK, stage = 0;; next_k += kBlockK) {
    const bool is_last = next_k >= K;
    if (!is_last) fetch_tiles(next_k);  // waited for after the math
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      load(fragments[(k + 1) % 2], stages[stage], k + 1);
      multiply_add(sums, fragments[k % 2]);
    }
    if (is_last) break;

    stage ^= 1;
    store_tiles(stages[stage]);  // all warps have passed the barrier
    __syncthreads();             // since they read this stage
    load(fragments[0], stages[stage], 0);
    multiply_add(sums, fragments[1]);  // hides the loads just issued
  }
  multiply_add(sums, fragments[1]);

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; j += 4)
      c.update_quad(first_row + row + i / 4 * kRowFours + i % 4,
                    first_column + column + j / 4 * kColumnFours,
                    &sums[i][j]);
  }
}
