//! title   = "Split-K, and a tile for every size"
//! changed = """Several blocks share a tile of C: each multiplies a
//!              part of K, and another launch adds their sums. The
//!              tile is a toggle as well."""
//! why     = """A small C has fewer tiles than the GPU has room for
//!              blocks. Smaller tiles make more of them, but read more
//!              for the same work. To split K reads nothing again; its
//!              price is that the sums pass the memory."""
//! look_at = """The number of blocks and the sectors, with other parts
//!              and other tiles. Then the launch that adds."""
//! show_me = ["toggles.next", "toggles.next_value",
//!            "toggles.next", "toggles.next_value"]
//! architecture = 80
//! parameters = [
//!   { name = "A", matrix = "A" },
//!   { name = "B", matrix = "B" },
//!   { name = "C", matrix = "C" },
//!   { name = "alpha", scalar = "alpha" },
//!   { name = "beta", scalar = "beta" },
//!   { name = "M", scalar = "M" },
//!   { name = "N", scalar = "N" },
//!   { name = "K", scalar = "K" },
//!   { name = "partials", fill = "uninitialised", buffer = """
//!     max(1, (SPLITS > 1) * SPLITS * M * N)""" },
//!   { name = "aligned", fill = "uninitialised", buffer = """
//!     max(1, (COPY_B > 1) * K * ceil_div(N, 4) * 4)""" },
//! ]
//! [tile]
//! block_m = "32 * (1 + (TILE < 4) + 2 * (TILE < 2) + 3 * (TILE > 5))"
//! block_n = "32 * (1 + (TILE != 5) + 2 * (TILE < 3) + 4 * (TILE < 1))"
//! block_k = "8 * (1 + (TILE > 0))"
//! warp_m = "32 * (1 + (TILE < 3) + (TILE > 5))"
//! warp_n = "16 * (1 + (TILE != 5) + 2 * (TILE < 1))"
//! thread_m = "4 * (1 + (TILE < 3) + (TILE > 5))"
//! thread_n = "4 * (1 + (TILE != 5) + 2 * (TILE < 1))"
//! [divisibility]
//! N = "1 + 3 * (COPY_B < 1)"
//! [[launches]]
//! title = "align B"
//! entry = "align_rows"
//! block = [128]
//! grid = ["ceil_div(N, 512)", "min(K, 65535)"]
//! when = "COPY_B > 1"
//! [[launches]]
//! title = "multiply"
//! entry = "gemm_split_k"
//! block = ["64 * (1 + (TILE < 4) + 2 * (TILE < 2) + (TILE > 5))"]
//! grid = [
//!   """ceil_div(N, 32 * (1 + (TILE != 5) + 2 * (TILE < 3)
//!      + 4 * (TILE < 1))) - REST * (N > 128 && N % 128 > 0)""",
//!   """REST * ceil_div(M, 64 * max(1, N / 128)) + ceil_div(M, 32
//!      * (1 + (TILE < 4) + 2 * (TILE < 2) + 3 * (TILE > 5)))""",
//!   "SPLITS",
//! ]
//! shared = """(256 - 64 * (TILE < 1)) * (4
//!   + 32 * (1 + (TILE < 4) + 2 * (TILE < 2) + 3 * (TILE > 5))
//!   + 32 * (1 + (TILE != 5) + 2 * (TILE < 3) + 4 * (TILE < 1)))"""
//! [[launches]]
//! title = "add the splits"
//! entry = "add_splits"
//! block = [128]
//! grid = ["ceil_div(M * N, 512 - 384 * (COPY_B > 0))"]
//! when = "SPLITS > 1"
//! [[toggles]]
//! name = "TILE"
//! title = "Block tile"
//! values = [0, 1, 2, 3, 4, 5, 6]
//! labels = ["128 x 256", "128 x 128", "64 x 128", "64 x 64",
//!           "32 x 64", "32 x 32", "128 x 64"]
//! default = 1
//! [[toggles]]
//! name = "SPLITS"
//! title = "Parts of K"
//! values = [1, 2, 3, 4, 8, 16, 32, 64]
//! default = 1
//! [[toggles]]
//! name = "COPY_B"
//! title = "Rows of B"
//! values = [0, 1, 2]
//! labels = ["16 bytes a copy", "4 bytes a copy", "aligned first"]
//! default = 0
//! help = """Wide copies need rows of B whose length is a multiple of
//!   their width; another launch can copy B to such rows."""
//! [[toggles]]
//! name = "REST"
//! title = "Columns beyond whole tiles"
//! values = [0, 1]
//! labels = ["one more tile", "dot products"]
//! default = 0
//! help = """One column too many takes another column of tiles. Dot
//!   products, in blocks that start last, take it without."""
//! [[illegal]]
//! when = "REST > 0 && (SPLITS > 1 || (TILE != 1 && TILE != 2))"
//! why  = "They take all of K, beside tiles as wide as the default."

#ifndef TILE
#define TILE 1
#endif
#ifndef SPLITS
#define SPLITS 1
#endif
#ifndef COPY_B
#define COPY_B 0
#endif
#ifndef REST
#define REST 0
#endif

#include "column_dots.cuh"
#include "serpentine.cuh"
#include "split_parts.cuh"
#include "tile_stream.cuh"

constexpr int kBlockRows[] = {128, 128, 64, 64, 32, 32, 128};
constexpr int kBlockColumns[] = {256, 128, 128, 64, 64, 32, 64};
constexpr int kBlocksPerSm[] = {1, 2, 4, 5, 8, 8, 4};
constexpr int kBlockM = kBlockRows[TILE], kBlockN = kBlockColumns[TILE];
constexpr int kBlockK = TILE ? 16 : 8, kStages = TILE ? 4 : 6;

// A warp has 8x4 lanes. A thread tile: fours of rows and of columns,
// between those of the other lanes.
constexpr int kTileRows = kBlockM * kBlockN < 8192 ? 4 : 8;
constexpr int kTileColumns = TILE == 0 ? 16 : TILE == 5 ? 4 : 8;
constexpr int kThreads = kBlockM * kBlockN / kTileRows / kTileColumns;
constexpr int kRowFours = 32, kColumnFours = 16;  // from four to four
constexpr int kWarpM = 8 * kTileRows, kWarpN = 4 * kTileColumns;
constexpr int kWarpsN = kBlockN / kWarpN;
constexpr int kWidthB = COPY_B == 1 ? 1 : 4, kWidthC = COPY_B ? 1 : 4;
using Stream = TileStream<kThreads, kBlockM, kBlockN, kBlockK, kWidthB>;
using Tiles = Stream::Tiles;
using Fragments = FragmentsOf<kTileRows, kTileColumns>;

#define PARAMETERS                                                   \
  const float *A, const float *B, float *C, float alpha, float beta, \
      int M, int N, int K, float *partials, float *aligned

extern "C" __global__ void __launch_bounds__(128)
    align_rows(PARAMETERS) {
  align_rows_of<128>(Matrix(B, K, N), aligned);
}

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major; or of each
// part of K the product, into a matrix of its own.
extern "C" __global__ void __launch_bounds__(kThreads,
                                             kBlocksPerSm[TILE])
    gemm_split_k(PARAMETERS) {
  extern __shared__ __align__(16) Tiles stages[];
  const unsigned first_row = blockIdx.y * kBlockM;
  const unsigned first_column = blockIdx.x * kBlockN;

  const PartOf<SPLITS, kBlockK> part(blockIdx.z, K);
  const Matrix b = COPY_B == 2 ? Matrix(aligned, K, (N + 3) / 4 * 4)
                               : Matrix(B, K, N);
  if (REST && first_row >= M)  // below the tiles
    return multiply_columns<kThreads, kBlockM, kBlockN>(
        Matrix(A, M, K), b, Output(C, M, N, alpha, beta));
  Stream stream(Matrix(A, M, K), b, first_row, first_column,
                part.first_k, part.count);
  const unsigned first_stage = shared_address(stages);

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // In a large tile lanes side by side share nothing, as in step 16. A
  // small one has few FFMAs for a load, so the wavefronts count more.
  const unsigned lane_row =
      TILE < 2 ? (lane / 4) ^ (lane % 4) : lane / 2 % 2 + lane / 8 * 2;
  const unsigned lane_column =
      TILE < 2 ? lane % 4 : lane % 2 + lane / 4 % 2 * 2;
  const unsigned row = warp / kWarpsN * kWarpM + lane_row * 4;
  const unsigned column = warp % kWarpsN * kWarpN + lane_column * 4;
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
  Fragments fragments[2];  // one is multiplied, the other loaded
  stream.copy_first(first_stage);
#pragma unroll 1
  for (int s = 1; s < kStages - 1; ++s)
    stream.copy_next(first_stage + s * sizeof(Tiles));
  wait_for_copies<kStages - 2>();
  __syncthreads();
  enter(stages[0]);
  load(fragments[0], 0);
  int read = 0, written = kStages - 1;
  for (;;) {
    stream.copy_next(first_stage + written * sizeof(Tiles));
#pragma unroll
    for (int k = 0; k < kBlockK - 1; ++k) {
      load(fragments[(k + 1) % 2], k + 1);
      multiply_add_in<kSerpentine>(sums, fragments[k % 2]);
    }
    if (stream.is_past(kStages - 1)) break;
    wait_for_copies<kStages - 2>();  // the next tiles are here
    __syncthreads();
    written = read;
    read = read + 1 == kStages ? 0 : read + 1;
    enter(stages[read]);
    load(fragments[0], 0);
    multiply_add_in<kSerpentine>(sums, fragments[1]);  // hides loads
  }
  multiply_add_in<kSerpentine>(sums, fragments[1]);

  const OutputOf<kWidthC == 4> c(
      SPLITS == 1 ? C : partials + (size_t)blockIdx.z * M * N, M, N,
      SPLITS == 1 ? alpha : 1.0f, SPLITS == 1 ? beta : 0.0f);
  update_tile<kRowFours, kColumnFours>(c, first_row + row,
                                       first_column + column, sums);
}

extern "C" __global__ void __launch_bounds__(128)
    add_splits(PARAMETERS) {
  add_parts<SPLITS, kWidthC, 128>(
      OutputOf<kWidthC == 4>(C, M, N, alpha, beta), partials);
}
