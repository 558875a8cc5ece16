//! title   = "Warp tiling"
//! entry   = "gemm_warp_tiling"
//! block   = ["128", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = "Four warps instead of eight, each with a 64x64 tile of C, 8x16 elements a thread."
//! why     = """A warp reads 64 + 64 floats for 4096 multiply-adds; with a 32x64 tile it read 96 for
//!              2048. Shared memory is asked a third less often, and each load feeds more multiply-
//!              adds."""
//! look_at = """FFMA for each LDS in the counters, and the registers: 128 sums. Few warps are enough when
//!              each has that many independent multiply-adds."""
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = 8
//! warp_m = 64
//! warp_n = 64
//! thread_m = 8
//! thread_n = 16

#include "quads.cuh"
#include "register_tile.cuh"

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 8;
constexpr int kThreads = 128;  // 4 warps, 2 along m and 2 along n
constexpr int kPadA = 4;       // stores of the turned tile of A without bank conflicts

// A warp: 8x4 lanes. A lane's rows are two fours 32 apart, its columns four fours 16 apart.
constexpr int kRows = 8, kColumns = 16;
constexpr int kRowStep = 32, kColumnStep = 16;

struct Tiles {
  float a[kBlockK][kBlockM + kPadA];  // k-major
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
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_warp_tiling(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  __shared__ __align__(16) Tiles stages[2];

  const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first_row = blockIdx.y * kBlockM;
  const int first_column = blockIdx.x * kBlockN;

  // Global to shared: each thread brings two quads of A, 64 rows apart, and two of B, 4 k apart.
  constexpr int kRowsApart = kThreads / 2, kKApart = kThreads / 32;
  const int a_row = thread / 2, a_k = thread % 2 * 4;
  const int b_k = thread / 32, b_column = thread % 32 * 4;
  unsigned a_offset = (unsigned)(first_row + a_row) * K + a_k;
  unsigned b_offset = (unsigned)b_k * N + first_column + b_column;

  // Shared to registers. Pairs of lanes share A, lanes two apart share B.
  const int lane_row = (lane >> 1 & 1) + (lane >> 3 & 3) * 2;
  const int lane_column = (lane & 1) + (lane >> 2 & 1) * 2;
  const int row = warp / 2 * 64 + lane_row * 4;
  const int column = warp % 2 * 64 + lane_column * 4;

  float4 next_a[2], next_b[2];
  int k_left = K;
  const auto fetch_tile = [&] {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const bool row_exists = first_row + a_row + i * kRowsApart < M, k_exists = b_k + i * kKApart < k_left;
      next_a[i] =
          load_quad(A + a_offset + (unsigned)(i * kRowsApart) * K, row_exists ? k_left - a_k : 0, K % 4 == 0);
      next_b[i] = load_quad(B + b_offset + (unsigned)(i * kKApart) * N,
                            k_exists ? N - first_column - b_column : 0, N % 4 == 0);
    }
    a_offset += kBlockK;
    b_offset += (unsigned)kBlockK * N;
    k_left -= kBlockK;
  };
  const auto store_tile = [&](Tiles& tiles) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      tiles.a[a_k + 0][a_row + i * kRowsApart] = next_a[i].x;
      tiles.a[a_k + 1][a_row + i * kRowsApart] = next_a[i].y;
      tiles.a[a_k + 2][a_row + i * kRowsApart] = next_a[i].z;
      tiles.a[a_k + 3][a_row + i * kRowsApart] = next_a[i].w;
      *reinterpret_cast<float4*>(&tiles.b[b_k + i * kKApart][b_column]) = next_b[i];
    }
  };

  float sums[kRows][kColumns] = {};
  Fragments fragments[2];
  const auto multiply = [&](const Fragments& f) { multiply_add(sums, f.a, f.b); };

  fetch_tile();
  store_tile(stages[0]);
  __syncthreads();
  fragments[0].load(stages[0], 0, row, column);

  Tiles* current = &stages[0];
  Tiles* next = &stages[1];
  while (true) {
    const bool is_last = k_left <= 0;
    if (!is_last) fetch_tile();
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      fragments[(k + 1) % 2].load(*current, k + 1, row, column);
      multiply(fragments[k % 2]);
    }
    if (is_last) break;

    store_tile(*next);
    __syncthreads();
    fragments[0].load(*next, 0, row, column);
    multiply(fragments[(kBlockK - 1) % 2]);

    Tiles* const swap = current;
    current = next;
    next = swap;
  }
  multiply(fragments[(kBlockK - 1) % 2]);

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int c_row = first_row + row + i / 4 * kRowStep + i % 4;
#pragma unroll
    for (int j = 0; j < kColumns; j += 4) {
      const int c_column = first_column + column + j / 4 * kColumnStep;
      update_quad(C + (size_t)c_row * N + c_column, c_row < M ? N - c_column : 0, N % 4 == 0, &sums[i][j],
                  alpha, beta);
    }
  }
}
