//! title   = "Tensor cores, TF32"
//! entry   = "gemm_tensor_tf32"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 256)", "1"]
//! shared  = """STAGES * 16 * (256 * (8 + LAYOUT % 2)
//!              + 32 * (32 + (LAYOUT + 1) / 2 * 2))"""
//! changed = """mma.sync multiplies a 16x8 by an 8x8 matrix in one
//!              instruction of a warp, with 10 bits of each float's
//!              fraction (TF32)."""
//! why     = """One HMMA does 1024 multiply-adds, one FFMA of a warp
//!              32. Feeding the tensor cores becomes the work. Where
//!              shared memory allows, take four stages."""
//! look_at = """HMMA in the counters and how few instructions surround
//!              it. Then switch off one toggle at a time: the layout
//!              for bank conflicts, ldmatrix for LDS, the order of the
//!              blocks for the L2 cache. Rounding the factors more than
//!              halves the largest error."""
//! show_me = ["numbers.flops", "toggles.next", "toggles.next",
//!            "toggles.next_value", "numbers.excess",
//!            "toggles.next_value", "toggles.next_value"]
//! architecture = 80
//! factors = "tf32"
//! factors_rounded = "ROUND"
//! [tile]
//! block_m = 256
//! block_n = 128
//! block_k = 32
//! warp_m = 64
//! warp_n = 64
//! thread_m = 16
//! thread_n = 8
//! [divisibility]
//! N = 4
//! K = 4
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
//! title = "Loads of A's fragments"
//! values = [0, 1]
//! labels = ["LDS", "ldmatrix"]
//! default = 1
//! [[toggles]]
//! name = "BLOCK_ORDER"
//! title = "Order of the blocks"
//! values = [0, 1]
//! labels = ["rows", "grouped"]
//! default = 1
//! [[toggles]]
//! name = "ROUND"
//! title = "Factors to TF32"
//! values = [0, 1]
//! labels = ["truncated", "rounded"]
//! default = 0

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
#ifndef ROUND
#define ROUND 0
#endif

#include "block_order.cuh"
#include "piece_tile.cuh"
#include "tensor_core.cuh"

constexpr int kBlockM = 256, kBlockN = 128, kBlockK = 32;
constexpr int kThreads = 256;  // 8 warps, 4 along m and 2 along n

// A stage in shared memory: A's tile, then B's. A piece holds 4 floats.
// Swizzled, B is padded all the same: it costs fewer instructions.
constexpr PieceLayout kLayout = (PieceLayout)LAYOUT;
using TileA = PieceTile<kLayout, kBlockM, kBlockK / 4, 1>;
using TileB =
    PieceTile<LAYOUT == 0 ? kAsItIs : kPadded, kBlockK, kBlockN / 4, 2>;
constexpr unsigned kStageBytes = TileA::kBytes + TileB::kBytes;

// What a warp multiplies at 8 k. mma's first matrix is 16 columns of B,
// its second 8 rows of A: so C comes out transposed, and two floats
// that a lane needs of B lie side by side.
struct Fragments {
  unsigned a[8][2];  // 8 times 8 rows of A
  unsigned b[4][4];  // 4 times 16 columns of B
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_tensor_tf32(const float* A, const float* B, float* C,
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
  PieceSource<TileA, kThreads, true, float> a(A, first_row, M, K);
  PieceSource<TileB, kThreads, false, float> b(B, first_column, K, N);
  int k_left = K;
  const auto fetch_tiles = [&](unsigned stage) {
    if (k_left > 0) {
      a.copy_async(stage, k_left);
      b.copy_async(stage + TileA::kBytes, k_left);
      k_left -= kBlockK;
    }
    commit_copies();
  };

  // From shared memory to registers: of A by pieces of 8 rows and 4 k,
  // of B two neighbouring columns at once, rows g and g + 8 of mma.
  const unsigned row = warp / 2 * 64, column = warp % 2 * 64;
  const auto load = [&](Fragments& f, unsigned stage, int step) {
#pragma unroll
    for (int i = 0; i < 8; i += 2)
      load_pieces<LDMATRIX>(
          f.a[i][0], f.a[i][1], f.a[i + 1][0], f.a[i + 1][1], lane,
          [&](unsigned piece, unsigned r) {
            return stage + TileA::place(row + i * 8 + piece / 2 * 8 + r,
                                        step * 2 + piece % 2);
          });
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const unsigned k = step * 8 + n * 4 + lane % 4;
        const unsigned piece = (column + j * 16) / 4 + lane / 8;
        load_pair(f.b[j][2 * n], f.b[j][2 * n + 1],
                  stage + TileA::kBytes + TileB::place(k, piece) +
                      lane / 4 % 2 * 8);
      }
    }
    if (ROUND) {
      for (auto& words : f.a)
        for (unsigned& word : words) round_to_tf32(word);
      for (auto& words : f.b)
        for (unsigned& word : words) round_to_tf32(word);
    }
  };

  // Back and forth: each product shares a fragment with the one before.
  float sums[4][8][4] = {};
  const auto multiply = [&](const Fragments& f) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const int j = i % 2 ? 3 - n : n;
        multiply_add_tf32(sums[j][i], f.b[j], f.a[i]);
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

  constexpr int kSteps = kBlockK / 8;
  unsigned read = stages, written = stages + (STAGES - 1) * kStageBytes;
  for (unsigned first_k = 0;; first_k += kBlockK) {
#pragma unroll
    for (int step = 0; step < kSteps - 1; ++step) {
      if (step == 0) fetch_tiles(written);
      load(fragments[(step + 1) % 2], read, step + 1);
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

  // A lane holds, of 16 columns and 8 rows, two neighbouring columns of
  // two neighbouring rows.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float two[2] = {sums[j][i][half], sums[j][i][2 + half]};
        c.update_floats<2>(
            first_row + row + i * 8 + lane % 4 * 2 + half,
            first_column + column + j * 16 + lane / 4 * 2, two);
      }
    }
  }
}
