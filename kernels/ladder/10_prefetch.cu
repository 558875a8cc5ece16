//! title   = "Global memory's latency hidden"
//! entry   = "gemm_prefetch"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """The next tiles are fetched into registers before the math on these, and stored after it
//!              into a second pair of tiles."""
//! why     = """A load from global memory takes hundreds of cycles: the math of a whole tile hides them.
//!              With two pairs of tiles, one barrier a tile is enough."""
//! look_at = """The pipeline: the loads of the next tile are issued before the math, and waited for after
//!              it. Then take away the padding and watch the banks of the stores to A's tile."""
//! [tile]
//! block_m = 128
//! block_n = 128
//! block_k = 8
//! warp_m = 32
//! warp_n = 64
//! thread_m = 8
//! thread_n = 8
//! [[toggles]]
//! name = "PAD_A"
//! title = "Padding of A's tile, in floats"
//! values = [0, 4]
//! default = 4

#ifndef PAD_A
#define PAD_A 4
#endif

#include "quads.cuh"
#include "register_tile.cuh"

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 8;
constexpr int kThreads = 256;  // 8 warps: 4 along m, 2 along n; a warp's tile of C is 32x64

struct Tiles {
  float a[kBlockK][kBlockM + PAD_A];  // k-major
  float b[kBlockK][kBlockN];
};

// What one thread multiplies at one k: 8 floats of A's column, 8 of B's row.
struct Fragments {
  float a[8], b[8];

  __device__ void load(const Tiles& tiles, int k, int row, int column) {
    load_fours(a, &tiles.a[k][row], 16);
    load_fours(b, &tiles.b[k][column], 32);
  }
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
// Two blocks are to fit an SM: a thread has at most 128 registers.
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_prefetch(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  __shared__ __align__(16) Tiles stages[2];  // one is read while the other is written

  const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first_row = blockIdx.y * kBlockM;
  const int first_column = blockIdx.x * kBlockN;

  // Global to shared: 2 threads bring the 8 floats of a row of A, a warp brings a row of B. Registers are
  // scarce: 64 sums, 32 floats of fragments and 8 on their way leave 24. So these are offsets: half the
  // registers of pointers.
  const int a_row = thread / 2, a_k = thread % 2 * 4;
  const int b_k = thread / 32, b_column = thread % 32 * 4;
  unsigned a_offset = (unsigned)(first_row + a_row) * K + a_k;
  unsigned b_offset = (unsigned)b_k * N + first_column + b_column;

  // Shared to registers: 4x8 lanes, each with four 4x4 squares of C, 16 rows and 32 columns apart. Lanes 2i
  // and 2i+1 read the same floats of A, lanes l and l+2 the same floats of B: then the hardware serves a
  // 128-bit load in 2 wavefronts instead of 4.
  const int lane_row = (lane >> 1 & 1) + (lane >> 4 & 1) * 2;
  const int lane_column = (lane & 1) + (lane >> 2 & 3) * 2;
  const int row = warp / 2 * 32 + lane_row * 4;
  const int column = warp % 2 * 64 + lane_column * 4;

  float4 next_a, next_b;  // on their way from global memory
  int k_left = K;         // not fetched yet
  const auto fetch_tile = [&] {
    next_a = load_quad(A + a_offset, first_row + a_row < M ? k_left - a_k : 0, K % 4 == 0);
    next_b = load_quad(B + b_offset, b_k < k_left ? N - first_column - b_column : 0, N % 4 == 0);
    a_offset += kBlockK;
    b_offset += (unsigned)kBlockK * N;
    k_left -= kBlockK;
  };
  // A is turned on the way. A warp writes 16 rows at two k that are 4 apart: without padding both fall into
  // the same 16 banks; 4 floats of padding move the second k by 16 banks.
  const auto store_tile = [&](Tiles& tiles) {
    tiles.a[a_k + 0][a_row] = next_a.x;
    tiles.a[a_k + 1][a_row] = next_a.y;
    tiles.a[a_k + 2][a_row] = next_a.z;
    tiles.a[a_k + 3][a_row] = next_a.w;
    *reinterpret_cast<float4*>(&tiles.b[b_k][b_column]) = next_b;
  };

  float sums[8][8] = {};
  Fragments fragments[2];  // one is multiplied while the other is loaded
  const auto multiply = [&](const Fragments& f) { multiply_add(sums, f.a, f.b); };

  fetch_tile();
  store_tile(stages[0]);
  __syncthreads();
  fragments[0].load(stages[0], 0, row, column);

  Tiles* current = &stages[0];
  Tiles* next = &stages[1];
  while (true) {
    const bool is_last = k_left <= 0;
    if (!is_last) fetch_tile();  // waited for in store_tile, 7 of the 8 steps later
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      fragments[(k + 1) % 2].load(*current, k + 1, row, column);
      multiply(fragments[k % 2]);
    }
    if (is_last) break;

    store_tile(*next);  // all warps have read it: they passed the previous barrier
    __syncthreads();
    fragments[0].load(*next, 0, row, column);
    multiply(fragments[(kBlockK - 1) % 2]);  // hides the loads just issued

    Tiles* const swap = current;
    current = next;
    next = swap;
  }
  multiply(fragments[(kBlockK - 1) % 2]);

  // Each row of a square leaves as one float4; 8 lanes write 32 neighbouring floats.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int c_row = first_row + row + i / 4 * 16 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int c_column = first_column + column + j / 4 * 32;
      update_quad(C + (size_t)c_row * N + c_column, c_row < M ? N - c_column : 0, N % 4 == 0, &sums[i][j],
                  alpha, beta);
    }
  }
}
