//! title   = "The order of the multiply-adds"
//! entry   = "gemm_serpentine"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 256)", "ceil_div(M, 128)", "1"]
//! shared  = "STAGES * 4 * BLOCK_K * (132 + 256)"
//! changed = """A thread multiplies down a column of its tile and up
//!              the next. The main loop tests nothing for the edges: a
//!              short tile comes first, and what lies outside is
//!              copied from the edge."""
//! why     = """An FFMA reads more registers than the banks of the
//!              register file give in a clock, unless it shares a
//!              factor with the FFMA before. And each instruction that
//!              is no FFMA takes a turn from one."""
//! look_at = """The reuse flags in the machine code, row by row against
//!              serpentine. Then what stands around the asynchronous
//!              copies in the main loop, against step 13."""
//! show_me = ["toggles.next", "toggles.next_value"]
//! architecture = 80
//! [tile]
//! block_m = 128
//! block_n = 256
//! block_k = "BLOCK_K"
//! warp_m = 64
//! warp_n = 64
//! thread_m = 8
//! thread_n = 16
//! [divisibility]
//! N = 4
//! [[toggles]]
//! name = "ORDER"
//! title = "Order of the multiply-adds"
//! values = [0, 1, 2]
//! labels = ["rows", "columns", "serpentine"]
//! default = 2
//! [[toggles]]
//! name = "BLOCK_K"
//! title = "Depth of a tile"
//! values = [8, 16]
//! default = 8
//! [[toggles]]
//! name = "STAGES"
//! title = "Stages"
//! values = [3, 4, 6]
//! default = 6

#ifndef ORDER
#define ORDER 2
#endif
#ifndef BLOCK_K
#define BLOCK_K 8
#endif
#ifndef STAGES
#define STAGES 6
#endif

#include "serpentine.cuh"
#include "tile_stream.cuh"

constexpr int kBlockM = 128, kBlockN = 256, kBlockK = BLOCK_K;
constexpr int kThreads = 256;  // 8 warps, 2 along m and 4 along n

// A warp tile is 64x64 and has 8x4 lanes. A thread tile: two fours of
// rows and four fours of columns, between those of the other lanes.
constexpr int kTileRows = 8, kTileColumns = 16;
constexpr int kRowFours = 32, kColumnFours = 16;  // from four to four

using Stream = TileStream<kThreads, kBlockM, kBlockN, kBlockK>;
using Tiles = Stream::Tiles;
using Fragments = FragmentsOf<kTileRows, kTileColumns>;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    gemm_serpentine(const float* A, const float* B, float* C,
                    float alpha, float beta, int M, int N, int K) {
  extern __shared__ __align__(16) Tiles stages[];
  const unsigned first_row = blockIdx.y * kBlockM;
  const unsigned first_column = blockIdx.x * kBlockN;
  Stream stream(Matrix(A, M, K), Matrix(B, K, N), first_row,
                first_column, 0, K);
  const unsigned first_stage = shared_address(stages);

  // From shared memory to registers.
  // No two lanes side by side share a row or a column. Loads of lanes
  // that do take half the wavefronts, but come back in a burst that
  // takes turns from the FFMAs.
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned lane_row = (lane / 4) ^ (lane % 4);
  const unsigned lane_column = lane % 4;
  const unsigned row = warp / 4 * 64 + lane_row * 4;
  const unsigned column = warp % 4 * 64 + lane_column * 4;
  const float *a_line, *b_line;  // the thread's place in the tiles
  const auto enter = [&](const Tiles& tiles) {
    a_line = &tiles.a[0][row];
    b_line = &tiles.b[0][column];
  };
  const auto load = [&](Fragments& f, int k) {
    load_fours(f.a, a_line + k * (kBlockM + 4), kRowFours);
    load_fours(f.b, b_line + k * kBlockN, kColumnFours);
  };

  float sums[kTileRows][kTileColumns] = {};
  const auto multiply = [&](const Fragments& f) {
    multiply_add_in<(MultiplyOrder)ORDER>(sums, f);
  };

  Fragments fragments[2];  // one is multiplied, the other loaded
  stream.copy_first(first_stage);
#pragma unroll 1
  for (int s = 1; s < STAGES - 1; ++s)
    stream.copy_next(first_stage + s * sizeof(Tiles));
  wait_for_copies<STAGES - 2>();
  __syncthreads();
  enter(stages[0]);
  load(fragments[0], 0);

  int read = 0, written = STAGES - 1;
  for (;;) {
    stream.copy_next(first_stage + written * sizeof(Tiles));
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      load(fragments[(k + 1) % 2], k + 1);
      multiply(fragments[k % 2]);
    }
    if (stream.is_past(STAGES - 1)) break;

    wait_for_copies<STAGES - 2>();  // the next tiles are here
    __syncthreads();
    written = read;
    read = read + 1 == STAGES ? 0 : read + 1;
    enter(stages[read]);
    load(fragments[0], 0);
    multiply(fragments[1]);  // hides the loads just issued
  }
  multiply(fragments[1]);

  const AlignedOutput c(C, M, N, alpha, beta);
#pragma unroll
  for (int i = 0; i < kTileRows; ++i) {
#pragma unroll
    for (int j = 0; j < kTileColumns; j += 4)
      c.update_quad(first_row + row + i / 4 * kRowFours + i % 4,
                    first_column + column + j / 4 * kColumnFours,
                    &sums[i][j]);
  }
}
