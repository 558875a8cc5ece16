//! title   = "Tensor copies, bfloat16"
//! entry   = "gemm_tensor_copy_bf16"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 256)", "1"]
//! shared  = "STAGES * 128 * (256 + 2 * 64)"
//! changed = """A and B hold bfloat16. Their boxes are as many bytes
//!              wide as before, so they hold more elements, and B needs
//!              fewer of them."""
//! why     = """A stage of as many bytes is deeper, so that a product
//!              takes fewer of them. The copies cost the warps nothing
//!              here either."""
//! look_at = """The time beside that of step 15: the same HMMAs and the
//!              same loads of their fragments, but other copies."""
//! show_me = ["numbers.flops", "toggles.next", "toggles.next_value"]
//! architecture = 90
//! parameters = [
//!   { name = "A", matrix = "A", type = "bfloat16", box_rows = "256" },
//!   { name = "B", matrix = "B", type = "bfloat16", box_rows = "64" },
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

// Its bits: only the tensor cores calculate with it.
typedef unsigned short bfloat16;

constexpr int kBlockM = 256, kBlockN = 128, kBlockK = 64;
constexpr int kWarps = 8;  // 4 along m and 2 along n

// A stage in shared memory: a box of A, then two of B side by side.
// A piece holds 8 elements.
using BoxA = PieceTile<kSwizzled, kBlockM, 8, 1>;
using BoxB = PieceTile<kSwizzled, kBlockK, 8, 1>;
constexpr int kBoxColumns = 64;
using Stages = StagedBoxes<STAGES, EMPTY, kWarps, BoxA, BoxB,
                           kBlockN / kBoxColumns, kBoxColumns>;

// What a warp multiplies at 16 k.
struct Fragments {
  unsigned a[4][4];  // 4 times 16 rows of A
  unsigned b[8][2];  // 8 times 8 columns of B
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kWarps * 32)
    gemm_tensor_copy_bf16(const __grid_constant__ TensorMap A,
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

  // Where a lane's loads start, in the first stage: of A for each step,
  // of B for each two pieces; a warp's columns are one box. All else is
  // constant, or the same in all lanes: so a load reads one register.
  constexpr int kSteps = kBlockK / 16;
  const unsigned row = stages.warp / 2 * 64;
  const unsigned column = stages.warp % 2 * kBoxColumns;
  unsigned from_a[kSteps], from_b[4];
#pragma unroll
  for (int step = 0; step < kSteps; ++step)
    from_a[step] = stages.stages +
                   BoxA::place(row + lane % 16, step * 2 + lane / 16);
#pragma unroll
  for (int j = 0; j < 4; ++j)
    from_b[j] = stages.stages + BoxA::kBytes +
                column / kBoxColumns * BoxB::kBytes +
                BoxB::place(lane % 16, j * 2 + lane / 16);
  for (unsigned& from : from_a) keep_in_register(from);
  const auto load = [&](Fragments& f, unsigned stage, int step) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      load_pieces<true>(f.a[i][0], f.a[i][1], f.a[i][2], f.a[i][3],
                        lane, [&](unsigned, unsigned) {
                          return from_a[step] + stage +
                                 i * 16 * BoxA::kRowBytes;
                        });
#pragma unroll
    for (int j = 0; j < 4; ++j)
      load_pieces_transposed<true>(
          f.b[2 * j][0], f.b[2 * j][1], f.b[2 * j + 1][0],
          f.b[2 * j + 1][1], lane, [&](unsigned, unsigned) {
            return from_b[j] + stage + step * 16 * BoxB::kRowBytes;
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
