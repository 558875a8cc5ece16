//! title   = "Asynchronous copies"
//! entry   = "gemm_async_copy"
//! block   = ["64 * WARPS_N", "1", "1"]
//! grid    = ["ceil_div(N, 64 * WARPS_N)", "ceil_div(M, 128)", "1"]
//! shared  = "STAGES * 8 * (132 + 64 * WARPS_N) * 4"
//! changed = """cp.async copies from global to shared memory past the registers, several tiles ahead,
//!              into a ring of stages. The block's tile of C grows to 128x256."""
//! why     = """No register holds a float on its way, and no store to shared memory is issued. Several
//!              tiles on their way hide more latency than one."""
//! look_at = """The stages of the pipeline: which tile is being filled, which is waited for, which is
//!              read. Two stages against four."""
//! architecture = 80
//! [tile]
//! block_m = 128
//! block_n = "64 * WARPS_N"
//! block_k = 8
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
//! title = "Warps side by side"
//! values = [2, 4]
//! default = 4

#ifndef STAGES
#define STAGES 4
#endif
#ifndef WARPS_N
#define WARPS_N 4
#endif

#include "async_copy.cuh"
#include "quads.cuh"
#include "register_tile.cuh"

constexpr int kBlockM = 128;
constexpr int kBlockN = 64 * WARPS_N;
constexpr int kBlockK = 8;
constexpr int kThreads = 64 * WARPS_N;  // 2 warps along m, WARPS_N along n

// As in the step before: 8x4 lanes, two fours of rows 32 apart, four fours of columns 16 apart.
constexpr int kRows = 8, kColumns = 16;
constexpr int kRowStep = 32, kColumnStep = 16;

struct Tiles {
  float a[kBlockK][kBlockM + 4];  // k-major, padded
  float b[kBlockK][kBlockN];
};

struct Fragments {
  float a[kRows], b[kColumns];

  __device__ void load(const Tiles& tiles, int k, int row, int column) {
    load_fours(a, &tiles.a[k][row], kRowStep);
    load_fours(b, &tiles.b[k][column], kColumnStep);
  }
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 4 / WARPS_N)
    gemm_async_copy(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  extern __shared__ __align__(16) Tiles stages[];

  const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first_row = blockIdx.y * kBlockM;
  const int first_column = blockIdx.x * kBlockN;

  // Global to shared: A float by float, since it is turned on the way; B by quads.
  constexpr int kFloatsA = kBlockM * kBlockK / kThreads, kRowsApart = kThreads / kBlockK;
  constexpr int kQuadsB = kBlockN * kBlockK / 4 / kThreads, kKApart = kThreads * 4 / kBlockN;
  const int a_row = thread / kBlockK, a_k = thread % kBlockK;
  const int b_k = thread / (kBlockN / 4), b_column = thread % (kBlockN / 4) * 4;
  const float* a_source = A + (size_t)(first_row + a_row) * K + a_k;
  const float* b_source = B + (size_t)b_k * N + first_column + b_column;

  int k_left = K, filled = 0;
  // Every call commits a group, also one without copies: so the groups count the tiles.
  const auto fetch_tile = [&] {
    if (k_left > 0) {
      Tiles& tiles = stages[filled];
#pragma unroll
      for (int i = 0; i < kFloatsA; ++i) {
        const int row = a_row + i * kRowsApart;
        copy_4_async(shared_address(&tiles.a[a_k][row]), a_source + (size_t)(i * kRowsApart) * K,
                     first_row + row < M && a_k < k_left);
      }
#pragma unroll
      for (int i = 0; i < kQuadsB; ++i) {
        const int k = b_k + i * kKApart;
        copy_16_async(shared_address(&tiles.b[k][b_column]), b_source + (size_t)(i * kKApart) * N,
                      k < k_left && first_column + b_column < N);
      }
      a_source += kBlockK;
      b_source += (size_t)kBlockK * N;
      k_left -= kBlockK;
    }
    commit_copies();
    filled = filled + 1 == STAGES ? 0 : filled + 1;
  };

  const int lane_row = (lane >> 1 & 1) + (lane >> 3 & 3) * 2;
  const int lane_column = (lane & 1) + (lane >> 2 & 1) * 2;
  const int row = warp / WARPS_N * 64 + lane_row * 4;
  const int column = warp % WARPS_N * 64 + lane_column * 4;
  float sums[kRows][kColumns] = {};
  Fragments fragments[2];
  const auto multiply = [&](const Fragments& f) { multiply_add(sums, f.a, f.b); };

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) fetch_tile();
  wait_for_copies<STAGES - 2>();
  __syncthreads();
  fragments[0].load(stages[0], 0, row, column);

  int current = 0;
  for (int tiles_left = (K + kBlockK - 1) / kBlockK; tiles_left > 0; --tiles_left) {
    fetch_tile();  // into the stage that all warps have read: they passed the barrier
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      fragments[(k + 1) % 2].load(stages[current], k + 1, row, column);
      multiply(fragments[k % 2]);
    }
    wait_for_copies<STAGES - 2>();  // the next tile is here
    __syncthreads();
    current = current + 1 == STAGES ? 0 : current + 1;
    if (tiles_left > 1) fragments[0].load(stages[current], 0, row, column);
    multiply(fragments[(kBlockK - 1) % 2]);
  }

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int c_row = first_row + row + i / 4 * kRowStep + i % 4;
#pragma unroll
    for (int j = 0; j < kColumns; j += 4) {
      const int c_column = first_column + column + j / 4 * kColumnStep;
      update_quad(C + (size_t)c_row * N + c_column, c_row < M ? N - c_column : 0, true, &sums[i][j], alpha,
                  beta);
    }
  }
}
