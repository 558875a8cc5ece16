//! title   = "Asynchronous copies"
//! entry   = "gemm_async_copy"
//! block   = ["64 * WARPS_N", "1", "1"]
//! grid    = ["ceil_div(N, 64 * WARPS_N)", "ceil_div(M, 128)", "1"]
//! shared  = "STAGES * 4 * BLOCK_K * (132 + 64 * WARPS_N)"
//! changed = """cp.async copies from global to shared memory past the
//!              registers, several tiles ahead, into a ring of
//!              stages."""
//! why     = """No register holds a float on its way, and no STS is
//!              issued. Several tiles on their way hide more latency
//!              than one."""
//! look_at = """LDGSTS in the machine code, and no STS in the counters.
//!              Then the registers against the step before, although
//!              the tile is 16 deep again, and two stages against
//!              four."""
//! show_me = ["numbers.global_sectors", "experiment.previous_kernel",
//!            "experiment.next_kernel", "numbers.registers"]
//! architecture = 80
//! [tile]
//! block_m = 128
//! block_n = "64 * WARPS_N"
//! block_k = "BLOCK_K"
//! warp_m = 64
//! warp_n = 64
//! thread_m = 8
//! thread_n = 16
//! [divisibility]
//! N = 4
//! [[toggles]]
//! name = "STAGES"
//! title = "Stages"
//! values = [2, 3, 4, 5]
//! default = 4
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
//! default = 16

#ifndef STAGES
#define STAGES 4
#endif
#ifndef WARPS_N
#define WARPS_N 4
#endif
#ifndef BLOCK_K
#define BLOCK_K 16
#endif

#include "async_copy.cuh"
#include "register_tile.cuh"

constexpr int kBlockM = 128, kBlockN = 64 * WARPS_N, kBlockK = BLOCK_K;
constexpr int kThreads = 64 * WARPS_N;  // 2 warps along m
// What a thread copies of A's tile, float by float, and of B's, by
// quads.
constexpr int kFloatsA = kBlockM * kBlockK / kThreads;
constexpr int kQuadsB = kBlockN * kBlockK / 4 / kThreads;
constexpr int kRowStep = kThreads / kBlockK;
constexpr int kLineStep = kThreads * 4 / kBlockN;

// A warp tile is 64x64 and has 8x4 lanes. A thread tile: two fours of
// rows and four fours of columns, between those of the other lanes.
constexpr int kRows = 8, kColumns = 16;
constexpr int kRowFours = 32, kColumnFours = 16;  // from four to four

struct Tiles {
  float a[kBlockK][kBlockM + 4];  // k-major, padded
  float b[kBlockK][kBlockN];      // a line is a piece of a row of B
};
using Fragments = FragmentsOf<kRows, kColumns>;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 4 / WARPS_N)
    gemm_async_copy(const float* A, const float* B, float* C,
                    float alpha, float beta, int M, int N, int K) {
  extern __shared__ __align__(16) Tiles stages[];
  const Matrix a(A, M, K), b(B, K, N);
  const Output c(C, M, N, alpha, beta);
  const unsigned thread = threadIdx.x;
  const unsigned first_row = blockIdx.y * kBlockM;
  const unsigned first_column = blockIdx.x * kBlockN;

  // From global to shared memory: A float by float, as it is transposed
  // on the way, B by quads.
  const unsigned a_row = thread / kBlockK, a_k = thread % kBlockK;
  const unsigned b_k = thread / (kBlockN / 4);
  const unsigned b_column = thread % (kBlockN / 4) * 4;
  // Every call commits a group, also one without copies: so the groups
  // count the tiles.
  const auto fetch_tiles = [&](Tiles& tiles, unsigned first_k) {
    if (first_k < K) {
#pragma unroll
      for (int i = 0; i < kFloatsA; ++i) {
        const unsigned row = a_row + i * kRowStep;
        copy_float_async(&tiles.a[a_k][row], a, first_row + row,
                         first_k + a_k);
      }
#pragma unroll
      for (int i = 0; i < kQuadsB; ++i)
        copy_quad_async(&tiles.b[b_k + i * kLineStep][b_column], b,
                        first_k + b_k + i * kLineStep,
                        first_column + b_column);
    }
    commit_copies();
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
    load_fours(f.a, &tiles.a[k][row], kRowFours);
    load_fours(f.b, &tiles.b[k][column], kColumnFours);
  };

  float sums[kRows][kColumns] = {};
  Fragments fragments[2];  // one is multiplied, the other loaded
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s)
    fetch_tiles(stages[s], s * kBlockK);
  wait_for_copies<STAGES - 2>();
  __syncthreads();
  load(fragments[0], stages[0], 0);

  int read = 0, written = STAGES - 1;
  for (unsigned first_k = 0;; first_k += kBlockK) {
    fetch_tiles(stages[written], first_k + (STAGES - 1) * kBlockK);
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      load(fragments[(k + 1) % 2], stages[read], k + 1);
      multiply_add(sums, fragments[k % 2]);
    }
    if (first_k + kBlockK >= K) break;

    wait_for_copies<STAGES - 2>();  // the next tiles are here
    __syncthreads();
    written = read;
    read = read + 1 == STAGES ? 0 : read + 1;
    load(fragments[0], stages[read], 0);
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
