//! title   = "Tensor cores, bfloat16"
//! entry   = "gemm_tensor_bf16"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 256)", "1"]
//! shared  = """STAGES * 16 * (256 * (8 + LAYOUT % 2)
//!              + 64 * (16 + LAYOUT % 2))"""
//! changed = """A and B hold bfloat16, two to a register, and each
//!              mma.sync covers 16 k instead of 8."""
//! why     = """Half as many HMMA do the same multiply-adds. Every byte
//!              of bandwidth, from memory to registers, carries twice
//!              the elements."""
//! look_at = """HMMA in the counters, half as many as in the step
//!              before. ldmatrix loads both matrices and transposes B's
//!              pieces on the way. Without it, count LDS."""
//! show_me = ["numbers.flops", "toggles.next", "toggles.next",
//!            "toggles.next", "toggles.next_value",
//!            "numbers.wavefronts", "toggles.next_value"]
//! architecture = 80
//! parameters = [
//!   { name = "A", matrix = "A", type = "bfloat16" },
//!   { name = "B", matrix = "B", type = "bfloat16" },
//!   { name = "C", matrix = "C", type = "float32" },
//!   { name = "alpha", scalar = "alpha" },
//!   { name = "beta", scalar = "beta" },
//!   { name = "M", scalar = "M" },
//!   { name = "N", scalar = "N" },
//!   { name = "K", scalar = "K" },
//! ]
//! [tile]
//! block_m = 256
//! block_n = 128
//! block_k = 64
//! warp_m = 64
//! warp_n = 64
//! thread_m = 8
//! thread_n = 16
//! [divisibility]
//! N = 8
//! K = 8
//! [[toggles]]
//! name = "STAGES"
//! title = "Stages"
//! values = [2, 3, 4]
//! default = 2
//! [[toggles]]
//! name = "LAYOUT"
//! title = "Layout of the tiles"
//! values = [0, 1, 2]
//! labels = ["as it is", "padded", "swizzled"]
//! default = 2
//! [[toggles]]
//! name = "LDMATRIX"
//! title = "Loads of the fragments"
//! values = [0, 1]
//! labels = ["LDS", "ldmatrix"]
//! default = 1
//! [[toggles]]
//! name = "BLOCK_ORDER"
//! title = "Order of the blocks"
//! values = [0, 1]
//! labels = ["rows", "grouped"]
//! default = 1

#ifndef STAGES
#define STAGES 2
#endif
#ifndef LAYOUT
#define LAYOUT 2
#endif
#ifndef LDMATRIX
#define LDMATRIX 1
#endif
#ifndef BLOCK_ORDER
#define BLOCK_ORDER 1
#endif

#include "block_order.cuh"
#include "piece_tile.cuh"
#include "tensor_core.cuh"

// Its bits: only the tensor cores calculate with it.
typedef unsigned short bfloat16;

constexpr int kBlockM = 256, kBlockN = 128, kBlockK = 64;
constexpr int kThreads = 256;  // 8 warps, 4 along m and 2 along n

// A stage in shared memory: A's tile, then B's. A piece holds 8
// elements.
constexpr PieceLayout kLayout = (PieceLayout)LAYOUT;
using TileA = PieceTile<kLayout, kBlockM, kBlockK / 8, 1>;
using TileB = PieceTile<kLayout, kBlockK, kBlockN / 8, 1>;
constexpr unsigned kStageBytes = TileA::kBytes + TileB::kBytes;

// What a warp multiplies at 16 k.
struct Fragments {
  unsigned a[4][4];  // 4 times 16 rows of A
  unsigned b[8][2];  // 8 times 8 columns of B
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_tensor_bf16(const bfloat16* A, const bfloat16* B, float* C,
                     float alpha, float beta, int M, int N, int K) {
  extern __shared__ __align__(128) char shared[];
  const unsigned stages = shared_address(shared);
  const AlignedOutput c(C, M, N, alpha, beta);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const BlockPlace block = block_place<(BlockOrder)BLOCK_ORDER, 4>();
  const unsigned first_row = block.row * kBlockM;
  const unsigned first_column = block.column * kBlockN;

  // Every call commits a group, also one without copies: so the groups
  // count the tiles.
  PieceSource<TileA, kThreads, true, bfloat16> a(A, first_row, M, K);
  PieceSource<TileB, kThreads, false, bfloat16> b(B, first_column, K,
                                                  N);
  int k_left = K;
  const auto fetch_tiles = [&](unsigned stage) {
    if (k_left > 0) {
      a.copy_async(stage, k_left);
      b.copy_async(stage + TileA::kBytes, k_left);
      k_left -= kBlockK;
    }
    commit_copies();
  };

  // From shared memory to registers.
  const unsigned row = warp / 2 * 64, column = warp % 2 * 64;
  const auto load = [&](Fragments& f, unsigned stage, int step) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      load_pieces<LDMATRIX>(
          f.a[i][0], f.a[i][1], f.a[i][2], f.a[i][3], lane,
          [&](unsigned piece, unsigned r) {
            return stage +
                   TileA::place(row + i * 16 + piece % 2 * 8 + r,
                                step * 2 + piece / 2);
          });
#pragma unroll
    for (int j = 0; j < 8; j += 2)
      load_pieces_transposed<LDMATRIX>(
          f.b[j][0], f.b[j][1], f.b[j + 1][0], f.b[j + 1][1], lane,
          [&](unsigned piece, unsigned k) {
            return stage + TileA::kBytes +
                   TileB::place(step * 16 + piece % 2 * 8 + k,
                                column / 8 + j + piece / 2);
          });
  };

  // Back and forth: each product shares a fragment with the one before.
  float sums[4][8][4] = {};
  const auto multiply = [&](const Fragments& f) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        const int j = i % 2 ? 7 - n : n;
        multiply_add_bf16(sums[i][j], f.a[i], f.b[j]);
      }
    }
  };

  Fragments fragments[2];  // one is multiplied, the other loaded
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s)
    fetch_tiles(stages + s * kStageBytes);
  wait_for_copies<STAGES - 2>();
  __syncthreads();
  load(fragments[0], stages, 0);

  constexpr int kSteps = kBlockK / 16;
  unsigned read = stages, written = stages + (STAGES - 1) * kStageBytes;
  for (unsigned first_k = 0;; first_k += kBlockK) {
#pragma unroll
    for (int step = 0; step < kSteps - 1; ++step) {
      // With two stages the copies have the least time: they go first.
      if (step == 0 && STAGES == 2) fetch_tiles(written);
      load(fragments[(step + 1) % 2], read, step + 1);
      if (step == 0 && STAGES > 2) fetch_tiles(written);
      multiply(fragments[step % 2]);
    }
    if (first_k + kBlockK >= K) break;

    wait_for_copies<STAGES - 2>();  // the next tiles are here
    __syncthreads();
    written = read;
    read = read == stages + (STAGES - 1) * kStageBytes
               ? stages
               : read + kStageBytes;
    load(fragments[0], read, 0);
    multiply(fragments[1]);  // hides the loads just issued
  }
  multiply(fragments[1]);

  // Of 8 columns a lane holds two neighbours, in two rows 8 apart.
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half)
        c.update_floats<2>(
            first_row + row + i * 16 + half * 8 + lane / 4,
            first_column + column + j * 8 + lane % 4 * 2,
            sums[i][j] + half * 2);
    }
  }
}
