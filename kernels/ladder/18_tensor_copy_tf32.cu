//! title   = "Tensor copies, TF32"
//! entry   = "gemm_tensor_copy_tf32"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 256)", "1"]
//! shared  = "STAGES * 128 * (256 + 4 * 32)"
//! changed = """One thread of a block starts the copies of whole tiles,
//!              tensor copies (TMA). Barrier objects in shared memory
//!              say when a stage is full and when all warps have read
//!              it."""
//! why     = """An HMMA keeps the ports of the registers busy all the
//!              time: each register that a copy instruction reads
//!              delays one. Here the warps copy nothing, and no barrier
//!              makes them all wait for the slowest."""
//! look_at = """UTMALDG in the code: few instructions of one thread in
//!              place of every LDGSTS. Then let a barrier of the block
//!              say that a stage is free again, and look at what the
//!              warps wait for."""
//! show_me = ["toggles.next", "toggles.next", "toggles.next_value"]
//! architecture = 90
//! factors = "tf32"
//! parameters = [
//!   { name = "A", matrix = "A", box_rows = "256" },
//!   { name = "B", matrix = "B", box_rows = "32" },
//!   { name = "C", matrix = "C" },
//!   { name = "alpha", scalar = "alpha" },
//!   { name = "beta", scalar = "beta" },
//!   { name = "M", scalar = "M" },
//!   { name = "N", scalar = "N" },
//!   { name = "K", scalar = "K" },
//! ]
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
//! default = 3
//! [[toggles]]
//! name = "EMPTY"
//! title = "A stage is free again"
//! values = [0, 1]
//! labels = ["barrier of the block", "barrier object"]
//! default = 1
//! [[toggles]]
//! name = "BLOCK_ORDER"
//! title = "Order of the blocks"
//! values = [0, 1]
//! labels = ["rows", "grouped"]
//! default = 1

#ifndef STAGES
#define STAGES 3
#endif
#ifndef EMPTY
#define EMPTY 1
#endif
#ifndef BLOCK_ORDER
#define BLOCK_ORDER 1
#endif

#include "block_order.cuh"
#include "piece_tile.cuh"
#include "staged_boxes.cuh"
#include "tensor_core.cuh"

constexpr int kBlockM = 256, kBlockN = 128, kBlockK = 32;
constexpr int kWarps = 8;  // 4 along m and 2 along n

// A stage in shared memory: a box of A, then four of B side by side.
// A piece holds 4 floats.
using BoxA = PieceTile<kSwizzled, kBlockM, 8, 1>;
using BoxB = PieceTile<kSwizzled, kBlockK, 8, 1>;
constexpr int kBoxColumns = 32;
using Stages = StagedBoxes<STAGES, EMPTY, kWarps, BoxA, BoxB,
                           kBlockN / kBoxColumns, kBoxColumns>;

// What a warp multiplies at 8 k. mma's first matrix is 16 columns of B,
// its second 8 rows of A: so C comes out transposed, and two floats
// that a lane needs of B lie side by side.
struct Fragments {
  unsigned a[8][2];  // 8 times 8 rows of A
  unsigned b[4][4];  // 4 times 16 columns of B
};

// Any 16 columns will do for an mma. Of the 32 in a box a lane takes
// the pairs of these pieces: then no two lanes of a load meet in a
// bank.
__device__ inline unsigned piece_of(unsigned lane, int j) {
  return j % 2 * 2 + lane / 16 + lane / 8 % 2 * 4;
}

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kWarps * 32)
    gemm_tensor_copy_tf32(const __grid_constant__ TensorMap A,
                          const __grid_constant__ TensorMap B, float* C,
                          float alpha, float beta, int M, int N,
                          int K) {
  extern __shared__ __align__(1024) char shared[];
  __shared__ unsigned long long objects[Stages::kObjects];
  const AlignedOutput c(C, M, N, alpha, beta);
  const unsigned lane = threadIdx.x % 32;
  const BlockPlace block = block_place<(BlockOrder)BLOCK_ORDER, 4>();
  const unsigned first_row = block.row * kBlockM;
  const unsigned first_column = block.column * kBlockN;
  Stages stages(shared, objects, A, B, first_row, first_column, K);

  // Where a lane's loads start, in the first stage: of A by pieces of 8
  // rows and 4 k, for each step; of B two neighbouring columns at once,
  // rows g and g + 8 of mma. All else is constant, or the same in all
  // lanes: so a load reads one register.
  constexpr int kSteps = kBlockK / 8;
  const unsigned row = stages.warp / 2 * 64;
  const unsigned column = stages.warp % 2 * 64;
  unsigned from_a[kSteps], from_b[2][2];
#pragma unroll
  for (int step = 0; step < kSteps; ++step)
    from_a[step] =
        stages.stages + BoxA::place(row + lane / 16 * 8 + lane % 8,
                                    step * 2 + lane / 8 % 2);
#pragma unroll
  for (int j = 0; j < 2; ++j)
#pragma unroll
    for (int n = 0; n < 2; ++n)
      from_b[j][n] = stages.stages + BoxA::kBytes +
                     column / kBoxColumns * BoxB::kBytes +
                     BoxB::place(n * 4 + lane % 4, piece_of(lane, j)) +
                     lane / 4 % 2 * 8;
  for (unsigned& from : from_a) keep_in_register(from);
  const auto load = [&](Fragments& f, unsigned stage, int step) {
#pragma unroll
    for (int i = 0; i < 8; i += 2)
      load_pieces<true>(f.a[i][0], f.a[i][1], f.a[i + 1][0],
                        f.a[i + 1][1], lane, [&](unsigned, unsigned) {
                          return from_a[step] + stage +
                                 i * 8 * BoxA::kRowBytes;
                        });
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int n = 0; n < 2; ++n)
        load_pair(f.b[j][2 * n], f.b[j][2 * n + 1],
                  from_b[j % 2][n] + stage + j / 2 * BoxB::kBytes +
                      step * 8 * BoxB::kRowBytes);
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
  load(fragments[0], stages.offset, 0);
  while (true) {
#pragma unroll
    for (int step = 0; step < kSteps - 1; ++step) {
      if (step == 0) stages.fetch();
      load(fragments[(step + 1) % 2], stages.offset, step + 1);
      multiply(fragments[step % 2]);
    }
    if (!stages.next()) break;
    load(fragments[0], stages.offset, 0);
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
            first_column + column + j / 2 * kBoxColumns +
                piece_of(lane, j) * 4 + lane / 4 % 2 * 2,
            two);
      }
    }
  }
}
