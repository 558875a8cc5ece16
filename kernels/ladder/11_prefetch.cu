//! title   = "Prefetch into a second tile"
//! entry   = "gemm_prefetch"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", "1"]
//! shared  = "0"
//! changed = """The next tiles are loaded from global memory before the
//!              math on these, and stored after it into a second pair
//!              of tiles."""
//! why     = """A load from global memory takes many more cycles. The
//!              math of a whole tile hides them."""
//! look_at = """The LDG of the next tiles: they are issued before the
//!              math and waited for after it. BAR in the counters: one
//!              barrier a tile instead of two."""
//! show_me = ["numbers.global_sectors", "time.next_barrier",
//!            "experiment.previous_kernel", "experiment.next_kernel"]
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
extern "C" __global__ void __launch_bounds__(kThreads, 2)
    gemm_prefetch(const float* A, const float* B, float* C, float alpha,
                  float beta, int M, int N, int K) {
  __shared__ __align__(16) Tiles stages[2];  // one is read, one written
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
  const unsigned row = thread / 16 * 8;
  const unsigned column = thread % 16 * 4;
  const auto load = [&](Fragments& f, const Tiles& tiles, int k) {
    load_fours(f.a, &tiles.a[k][place(k, row)], 4);
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
      c.update_quad(first_row + row + i,
                    first_column + column + j / 4 * kColumnFours,
                    &sums[i][j]);
  }
}
