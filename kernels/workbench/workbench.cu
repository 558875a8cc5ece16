//! title   = "Workbench"
//! entry   = "gemm_workbench"
//! block   = ["BLOCK_M * BLOCK_N / (THREAD_M * THREAD_N)", "1", "1"]
//! grid    = ["ceil_div(N, BLOCK_N * COARSENING)",
//!            "ceil_div(M, BLOCK_M)", "1"]
//! shared  = """4 * max(STAGES, 1 + PREFETCH / 2) * (BLOCK_M * BLOCK_K
//!              + PAD * (A_LAYOUT * BLOCK_K + (1 - A_LAYOUT) * BLOCK_M)
//!              + BLOCK_K * BLOCK_N)"""
//! changed = "Every optimization of the ladder is a switch."
//! why = """What helps in one kernel may not in another: turn one on or
//!              off and see what it does here."""
//! look_at = """The instruction counts, the registers and the banks,
//!              before and after one switch. Where nothing changes, the
//!              compiler had done it already."""
//! show_me = ["numbers.wavefronts", "toggles.next",
//!            "toggles.next_value", "toggles.previous_value"]
//! [tile]
//! block_m = "BLOCK_M"
//! block_n = "BLOCK_N * COARSENING"
//! block_k = "BLOCK_K"
//! warp_m = "LANES_M * THREAD_M"
//! warp_n = "32 / LANES_M * THREAD_N * COARSENING"
//! thread_m = "THREAD_M"
//! thread_n = "THREAD_N * COARSENING"
//! [[toggles]]
//! name = "BLOCK_M"
//! title = "Block tile: rows"
//! group = "Tiles"
//! values = [32, 64, 128, 256]
//! default = 128
//! help = """Rows of C that a block computes. With the thread's tile it
//!   says how many threads the block has."""
//! [[toggles]]
//! name = "BLOCK_N"
//! title = "Block tile: columns"
//! group = "Tiles"
//! values = [32, 64, 128, 256]
//! default = 128
//! help = "Columns of C that a block computes, times the coarsening."
//! [[toggles]]
//! name = "BLOCK_K"
//! title = "Block tile: k"
//! group = "Tiles"
//! values = [8, 16, 32]
//! default = 8
//! help = """Columns of A and rows of B that are in shared memory at a
//!   time. More of them: fewer barriers, more shared memory."""
//! [[toggles]]
//! name = "LANES_M"
//! title = "Warp: lanes along m x n"
//! group = "Tiles"
//! values = [2, 4, 8, 16]
//! labels = ["2x16", "4x8", "8x4", "16x2"]
//! default = 4
//! help = """How a warp's 32 threads lie on C; times the thread's tile
//!   that is the warp's tile. The nearer to square, the fewer floats of
//!   shared memory it reads."""
//! [[toggles]]
//! name = "THREAD_M"
//! title = "Thread tile: rows"
//! group = "Tiles"
//! values = [1, 2, 4, 8]
//! default = 8
//! help = """Rows of C that a thread keeps in registers. m x n
//!   multiply-adds for m + n floats from shared memory."""
//! [[toggles]]
//! name = "THREAD_N"
//! title = "Thread tile: columns"
//! group = "Tiles"
//! values = [1, 2, 4, 8, 16]
//! default = 8
//! help = """Columns of C that a thread keeps in registers. m x n
//!   multiply-adds for m + n floats from shared memory."""
//! [[toggles]]
//! name = "COARSENING"
//! title = "Thread coarsening"
//! group = "Tiles"
//! values = [1, 2, 4]
//! default = 1
//! help = """A block keeps its tile of A and takes this many tiles of B
//!   in turn, with the work of as many blocks. A is fetched less often;
//!   there are fewer blocks."""
//! [[toggles]]
//! name = "VECTOR"
//! title = "Floats a load"
//! group = "Shared memory"
//! values = [1, 2, 4]
//! default = 4
//! help = """Width of the loads and stores of global memory, and of the
//!   accesses to shared memory that can be as wide: LDG.E, LDG.E.64,
//!   LDG.E.128."""
//! [[toggles]]
//! name = "A_LAYOUT"
//! title = "A's tile"
//! group = "Shared memory"
//! values = [0, 1]
//! labels = ["row-major", "k-major"]
//! default = 1
//! help = """Row-major as in global memory, or transposed: then what a
//!   thread needs at one k lies side by side."""
//! [[toggles]]
//! name = "PAD"
//! title = "Padding of A's tile"
//! group = "Shared memory"
//! values = [0, 1, 2, 4, 8]
//! default = 4
//! help = """Unused floats after each line of A's tile, so that the
//!   next line starts in another bank."""
//! [[toggles]]
//! name = "SWIZZLE"
//! title = "Swizzle of A's tile"
//! group = "Shared memory"
//! values = [0, 1]
//! default = 0
//! help = """An exclusive or moves the elements of a line to other
//!   banks, without the memory that padding costs. With both, the one
//!   may undo the other."""
//! [[toggles]]
//! name = "REGISTER_BUFFERS"
//! title = "Register double buffer"
//! group = "Pipeline"
//! values = [0, 1]
//! default = 1
//! help = """The next floats of shared memory are loaded into a second
//!   set of registers before these are multiplied."""
//! [[toggles]]
//! name = "PREFETCH"
//! title = "Prefetch"
//! group = "Pipeline"
//! values = [0, 1, 2]
//! labels = ["off", "1 buffer", "2 buffers"]
//! default = 2
//! help = """The next tiles are fetched from global memory into
//!   registers before the math on these. With a second pair of tiles in
//!   shared memory one barrier a tile is enough."""
//! [[toggles]]
//! name = "STAGES"
//! title = "cp.async stages"
//! group = "Pipeline"
//! values = [0, 2, 3, 4]
//! default = 0
//! help = """Asynchronous copies past the registers into a ring of this
//!   many tiles; 0: the tiles go through registers."""
//! [[toggles]]
//! name = "UNROLL"
//! title = "Unroll the k loop"
//! group = "Code"
//! values = [1, 2, 4, 8]
//! default = 8
//! help = """How many k one pass of the loop over a tile does: fewer
//!   branches and counters, longer code."""
//! [[toggles]]
//! name = "LOOP_ORDER"
//! title = "Loops of the register tile"
//! group = "Code"
//! values = [0, 1, 2, 3, 4, 5]
//! labels = ["ijk", "ikj", "jik", "jki", "kij", "kji"]
//! default = 4
//! help = """i over rows, j over columns, k over the unrolled k. With k
//!   inside, a sum is needed again in the next instruction, and the
//!   floats of all these k must be in registers. At the defaults the
//!   compiler makes the same code of jki and kji, and on sm_86 and
//!   sm_89 also of ikj and kij."""
//! [[toggles]]
//! name = "RESTRICT"
//! title = "__restrict__"
//! group = "Code"
//! values = [0, 1]
//! default = 1
//! help = """Promises that C overlaps neither A nor B: then A and B are
//!   read by LDG.E.CONSTANT. The number of instructions stays the same
//!   here."""
//! [[toggles]]
//! name = "LOOP_START"
//! title = "Loop of a tile copy"
//! group = "Code"
//! values = [0, 1]
//! labels = ["from 0", "from thread"]
//! default = 0
//! help = """for (n = 0; n < count; ++n), or for (s = thread; s < end;
//!   s += threads). The second has a run-time start, so the compiler
//!   cannot count its passes."""
//! [[toggles]]
//! name = "SERIAL_COPY"
//! title = "Serial index of a tile copy"
//! group = "Code"
//! values = [0, 1]
//! default = 1
//! help = """One loop over all elements with / and %, or two nested
//!   loops over rows and columns. Where the tiles go through registers
//!   and the loops start from 0, the compiler makes the same code of
//!   both."""
//! [[toggles]]
//! name = "STATIC_DIVISION"
//! title = "i * (K2 / K1)"
//! group = "Code"
//! values = [0, 1]
//! default = 1
//! help = """On: the compiler divides the two constants. Off, i * K2 /
//!   K1: the program multiplies and divides, here where a buffer and a
//!   warp's tile start."""
//! [[toggles]]
//! name = "VECTOR_INDEX"
//! title = "Index of a vector"
//! group = "Code"
//! values = [0, 1, 2]
//! labels = ["1 term", "2 terms", "3 terms"]
//! default = 0
//! help = """Three ways to write where a vector of a matrix lies: (i0 +
//!   i1 + (j0 + j1) * n) / 4, (i0 + i1) / 4 + (j0 + j1) * (n / 4), i0 /
//!   4 + i1 / 4 + (j0 + j1) * (n / 4). With one float a load they are
//!   the same."""
//! [[toggles]]
//! name = "BLOCK_ORDER"
//! title = "Order of the blocks"
//! group = "Blocks"
//! values = [0, 1, 2]
//! labels = ["rows", "grouped", "Hilbert"]
//! default = 0
//! help = """Which tiles of C are computed at the same time: row by
//!   row, in groups of 8 rows, or along Hilbert curves in squares of 8
//!   x 8. What they share is in the L2 cache."""
//! [[toggles]]
//! name = "MIN_BLOCKS"
//! title = "Register cap: blocks an SM"
//! group = "Blocks"
//! values = [1, 2, 3, 4]
//! default = 2
//! help = """__launch_bounds__: so many blocks are to fit an SM, so the
//!   compiler may use only so many registers a thread. Too few of them
//!   are spilled to local memory."""
//! [[illegal]]
//! when = "LANES_M * THREAD_M > BLOCK_M"
//! why = """A warp's tile has more rows than the block's: take fewer
//!              lanes along m, a thread tile with fewer rows, or a
//!              block tile with more."""
//! [[illegal]]
//! when = "32 / LANES_M * THREAD_N > BLOCK_N"
//! why = """A warp's tile has more columns than the block's: take fewer
//!              lanes along n, a thread tile with fewer columns, or a
//!              block tile with more."""
//! [[illegal]]
//! when = "BLOCK_M * BLOCK_N / (THREAD_M * THREAD_N) > 1024"
//! why = """A block has at most 1024 threads: take a smaller block tile
//!              or a larger thread tile."""
//! [[illegal]]
//! when = "THREAD_M * THREAD_N * COARSENING > 128"
//! why = """A thread would keep more than 128 sums; with what they are
//!              multiplied by they do not fit its 255 registers."""
//! [[illegal]]
//! when = "VECTOR > min(THREAD_M, THREAD_N)"
//! why = """A load of VECTOR floats is wider than the thread's tile:
//!              take narrower loads or a larger thread tile."""
//! [[illegal]]
//! when = "PAD % VECTOR != 0"
//! why = """With this padding the lines of A's tile do not start where
//!              a load of VECTOR floats may: it must be a multiple of
//!              their width."""
//! [[illegal]]
//! when = "REGISTER_BUFFERS && UNROLL == 1"
//! why = """Registers have no run-time index: to take one buffer and
//!              the other in turn the k loop must be unrolled by 2 at
//!              least."""
//! [[illegal]]
//! when = "STAGES > 0 && PREFETCH != 2"
//! why = """The stages of cp.async are a prefetch into more than one
//!              buffer: that must be on."""
//! [[illegal]]
//! when = "STAGES > 0 && SM < 80"
//! why = """cp.async came with sm_80; this machine code is for an older
//!              GPU."""
//! [[illegal]]
//! when = """LOOP_START && PREFETCH > 0 && STAGES == 0 && BLOCK_K *
//!   THREAD_M * THREAD_N > VECTOR * min(BLOCK_M, BLOCK_N)"""
//! why = """A prefetch keeps its vectors in registers, and those have
//!              no run-time index: with more than one vector a thread
//!              the copy's loop must start from 0, or use cp.async."""
//! [[illegal]]
//! when = """4 * max(STAGES, 1 + PREFETCH / 2) * (BLOCK_M * BLOCK_K +
//!   PAD * (A_LAYOUT * BLOCK_K + (1 - A_LAYOUT) * BLOCK_M) + BLOCK_K *
//!   BLOCK_N) > 1024 * (64 + 35 * (SM >= 80))"""
//! why = """The tiles of all buffers do not fit the shared memory of a
//!              block, 99 KiB (64 KiB on sm_75): take smaller tiles,
//!              fewer stages or less padding."""
//! [[illegal]]
//! when = """MIN_BLOCKS * BLOCK_M * BLOCK_N / (THREAD_M * THREAD_N) >
//!   1024 + 512 * (SM >= 80) + 512 * (SM == 80 || SM == 90)"""
//! why = """An SM does not have the threads for so many blocks: 1024 on
//!              sm_75, 1536 on sm_86 and sm_89, 2048 on sm_80 and
//!              sm_90."""

#ifndef BLOCK_M
#define BLOCK_M 128
#endif
#ifndef BLOCK_N
#define BLOCK_N 128
#endif
#ifndef BLOCK_K
#define BLOCK_K 8
#endif
#ifndef LANES_M
#define LANES_M 4
#endif
#ifndef THREAD_M
#define THREAD_M 8
#endif
#ifndef THREAD_N
#define THREAD_N 8
#endif
#ifndef COARSENING
#define COARSENING 1
#endif
#ifndef VECTOR
#define VECTOR 4
#endif
#ifndef A_LAYOUT
#define A_LAYOUT 1
#endif
#ifndef PAD
#define PAD 4
#endif
#ifndef SWIZZLE
#define SWIZZLE 0
#endif
#ifndef REGISTER_BUFFERS
#define REGISTER_BUFFERS 1
#endif
#ifndef PREFETCH
#define PREFETCH 2
#endif
#ifndef STAGES
#define STAGES 0
#endif
#ifndef UNROLL
#define UNROLL 8
#endif
#ifndef LOOP_ORDER
#define LOOP_ORDER 4
#endif
#ifndef RESTRICT
#define RESTRICT 1
#endif
#ifndef LOOP_START
#define LOOP_START 0
#endif
#ifndef SERIAL_COPY
#define SERIAL_COPY 1
#endif
#ifndef STATIC_DIVISION
#define STATIC_DIVISION 1
#endif
#ifndef VECTOR_INDEX
#define VECTOR_INDEX 0
#endif
#ifndef BLOCK_ORDER
#define BLOCK_ORDER 0
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 2
#endif

#include "block_order.cuh"
#include "loop_order.cuh"
#include "vectors.cuh"

#if RESTRICT
#define RESTRICTED __restrict__
#else
#define RESTRICTED
#endif

// A thread's tile of C lies in groups of VECTOR rows and VECTOR
// columns; the groups of all lanes lie side by side, so a thread's own
// are kRowStep and kColumnStep apart.
constexpr int kLanesM = LANES_M, kLanesN = 32 / LANES_M;
constexpr int kRowStep = kLanesM * VECTOR,
              kColumnStep = kLanesN * VECTOR;
constexpr int kWarpsM = BLOCK_M / (kLanesM * THREAD_M),
              kWarpsN = BLOCK_N / (kLanesN * THREAD_N);
constexpr int kThreads = kWarpsM * kWarpsN * 32;

constexpr bool kTransposed = A_LAYOUT == 1;  // A's tile is k-major
constexpr int kLineA = (kTransposed ? BLOCK_M : BLOCK_K) + PAD;
constexpr int kTileA = kLineA * (kTransposed ? BLOCK_K : BLOCK_M),
              kTileB = BLOCK_K * BLOCK_N;  // floats
constexpr int kBuffers = STAGES > 0 ? STAGES : PREFETCH == 2 ? 2 : 1;

constexpr LoopOrder kOrder = (LoopOrder)LOOP_ORDER;
constexpr bool kDoubled = REGISTER_BUFFERS == 1;
// Elements k whose floats are in registers at once: one where k is the
// outer loop, else all that are unrolled, in two halves where one is
// loaded while the other is multiplied.
constexpr int kDepth = loop_at(kOrder, 0) == 2 ? 1
                       : kDoubled              ? UNROLL / 2
                                               : UNROLL;

// Where part `i` of kParts starts in kWhole elements, which kParts
// divides.
template <unsigned kWhole, unsigned kParts>
__device__ inline unsigned part_start(unsigned i) {
  return STATIC_DIVISION ? i * (kWhole / kParts) : i * kWhole / kParts;
}

// A row of a matrix or a column, as the start of the block's tile and
// the place in the tile.
struct Place {
  unsigned start, inside;
};

// Which vector of a matrix starts at this place. Rows are `length`
// floats long, a multiple of VECTOR.
__device__ inline unsigned vector_index(Place row, Place column,
                                        unsigned length) {
  const unsigned j = row.start + row.inside;
  if (VECTOR_INDEX == 0)
    return (column.start + column.inside + j * length) / VECTOR;
  if (VECTOR_INDEX == 1)
    return (column.start + column.inside) / VECTOR +
           j * (length / VECTOR);
  return column.start / VECTOR + column.inside / VECTOR +
         j * (length / VECTOR);
}

// How many floats from this place on lie inside the matrix, in its row;
// 0 or less: none. The differences are right even where a sum is past
// the largest int.
__device__ inline int floats_left(Place row, Place column, int rows,
                                  int length) {
  const int rows_left = rows - (row.start + row.inside);
  return rows_left > 0 ? length - (column.start + column.inside) : 0;
}

__device__ inline Vector<VECTOR> fetch(const float* matrix, Place row,
                                       Place column, int rows,
                                       int length) {
  const int valid = floats_left(row, column, rows, length);
  if (length % VECTOR == 0)
    return load_aligned(
        reinterpret_cast<const Vector<VECTOR>*>(matrix) +
            vector_index(row, column, length),
        valid);
  const size_t line = (size_t)(row.start + row.inside) * length;
  return load_floats<VECTOR>(
      matrix + line + column.start + column.inside, valid);
}

// The same past the registers, with zeros for what lies outside.
template <int kWidth>
__device__ inline void copy_async(float* target, const float* matrix,
                                  Place row, Place column, int rows,
                                  int length) {
  const int valid = floats_left(row, column, rows, length);
  if (length % kWidth == 0) {
    const unsigned index =
        kWidth == 1 ? (row.start + row.inside) * length + column.start +
                          column.inside
                    : vector_index(row, column, length) * VECTOR;
    copy_aligned_async<kWidth>(target, matrix + index, valid > 0);
    return;
  }
  const float* source = matrix +
                        (size_t)(row.start + row.inside) * length +
                        column.start + column.inside;
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    copy_aligned_async<1>(target + i, source + i, i < valid);
}

// ---- shared memory

// Where element (row, k) of A lies in its tile. The swizzle keeps
// vectors of VECTOR floats together.
__device__ inline int place_in_a(int row, int k) {
  constexpr int kVectors = BLOCK_K / VECTOR;  // of one row
  if (kTransposed)
    return k * kLineA +
           (SWIZZLE ? row ^ k / VECTOR * (32 / kVectors) : row);
  return row * kLineA +
         (SWIZZLE ? k ^ row / VECTOR % kVectors * VECTOR : k);
}

__device__ inline void store_in_a(float* tile, int row, int k,
                                  const Vector<VECTOR>& vector) {
  if constexpr (kTransposed) {
#pragma unroll
    for (int i = 0; i < VECTOR; ++i)
      tile[place_in_a(row, k + i)] = vector.at[i];
  } else {
    *reinterpret_cast<Vector<VECTOR>*>(tile + place_in_a(row, k)) =
        vector;
  }
}
__device__ inline void store_in_b(float* tile, int k, int column,
                                  const Vector<VECTOR>& vector) {
  *reinterpret_cast<Vector<VECTOR>*>(tile + k * BLOCK_N + column) =
      vector;
}

// What a thread multiplies: its rows of A and columns of B at kDepth
// elements k.
struct Fragments {
  float a[kDepth][THREAD_M], b[kDepth][THREAD_N];

  __device__ void load(const float* tile_a, const float* tile_b,
                       int first_k, int row, int column) {
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      if constexpr (kTransposed) {
#pragma unroll
        for (int i = 0; i < THREAD_M; i += VECTOR)
          load_vector(&a[k][i],
                      tile_a + place_in_a(row + i / VECTOR * kRowStep,
                                          first_k + k));
      } else {
#pragma unroll
        for (int i = 0; i < THREAD_M; ++i)
          a[k][i] = tile_a[place_in_a(
              row + i / VECTOR * kRowStep + i % VECTOR, first_k + k)];
      }
#pragma unroll
      for (int j = 0; j < THREAD_N; j += VECTOR)
        load_vector(&b[k][j], tile_b + (first_k + k) * BLOCK_N +
                                  column + j / VECTOR * kColumnStep);
    }
  }
  static __device__ void load_vector(float* target,
                                     const float* source) {
    const Vector<VECTOR> vector =
        *reinterpret_cast<const Vector<VECTOR>*>(source);
#pragma unroll
    for (int i = 0; i < VECTOR; ++i) target[i] = vector.at[i];
  }
};

// sums += A's tile * B's tile, for this thread's elements.
__device__ inline void multiply_tiles(float (&sums)[THREAD_M][THREAD_N],
                                      const float* tile_a,
                                      const float* tile_b, int row,
                                      int column) {
  Fragments fragments[kDoubled ? 2 : 1];
  const auto multiply_unrolled = [&](int first_k) {
#pragma unroll
    for (int step = 0; step < UNROLL / kDepth; ++step) {
      const int k = first_k + step * kDepth;
      Fragments& now = fragments[kDoubled ? step % 2 : 0];
      Fragments& next = fragments[kDoubled ? (step + 1) % 2 : 0];
      if (!kDoubled) now.load(tile_a, tile_b, k, row, column);
      if (kDoubled && k + kDepth < BLOCK_K)
        next.load(tile_a, tile_b, k + kDepth, row, column);
      multiply_add_in_order<kOrder>(sums, now.a, now.b);
    }
  };
  if (kDoubled) fragments[0].load(tile_a, tile_b, 0, row, column);
  if constexpr (UNROLL == BLOCK_K) {  // no loop is left
    multiply_unrolled(0);
  } else {
#pragma unroll 1
    for (int k = 0; k < BLOCK_K; k += UNROLL) multiply_unrolled(k);
  }
}

// ---- copying a tile

// Calls copy(n, row, column) for every vector of kWidth floats that
// this thread brings of a tile of kRows x kColumns. `n` counts them
// where the loops start from 0; else it stays 0.
template <int kRows, int kColumns, int kWidth>
struct TileCopy {
  static constexpr int kInRow = kColumns / kWidth,
                       kVectors = kRows * kInRow;
  static constexpr int kCount = (kVectors + kThreads - 1) / kThreads;
  // Nested loops: so many threads side by side on a row, and so many
  // rows at a time.
  static constexpr int kAcross = kInRow < kThreads ? kInRow : kThreads,
                       kDown = kThreads / kAcross;

  template <typename Copy>
  static __device__ void run(int thread, Copy copy) {
    if constexpr (SERIAL_COPY) {
      const auto copy_at = [&](int n, int s) {
        copy(n, s / kInRow, s % kInRow * kWidth);
      };
      if constexpr (LOOP_START == 1) {
        for (int s = thread; s < kVectors; s += kThreads) copy_at(0, s);
      } else {
#pragma unroll
        for (int n = 0; n < kCount; ++n)
          if (kVectors % kThreads == 0 ||
              n * kThreads + thread < kVectors)
            copy_at(n, n * kThreads + thread);
      }
    } else {
      const int first_row = thread / kAcross, first = thread % kAcross;
      if constexpr (LOOP_START == 1) {
        for (int row = first_row; row < kRows; row += kDown)
          for (int i = first; i < kInRow; i += kAcross)
            copy(0, row, i * kWidth);
      } else {
#pragma unroll
        for (int r = 0; r * kDown < kRows; ++r) {
#pragma unroll
          for (int i = 0; i < kInRow / kAcross; ++i)
            if (kRows % kDown == 0 || first_row < kRows)
              copy(r * (kInRow / kAcross) + i, first_row + r * kDown,
                   (first + i * kAcross) * kWidth);
        }
      }
    }
  }
};
// cp.async transposes A float by float.
constexpr int kAsyncWidthA = kTransposed ? 1 : VECTOR;

// The next of the buffers, which are used in turn.
__device__ inline int after(int buffer) {
  return buffer + 1 == kBuffers ? 0 : buffer + 1;
}

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
//
// A block goes through the tiles of A from left to right, and through
// COARSENING tiles of B at each: that many steps. Each step has a tile
// of B; A's is new in the first step of each tile.
extern "C" __global__ void __launch_bounds__(kThreads, MIN_BLOCKS)
    gemm_workbench(const float* RESTRICTED A, const float* RESTRICTED B,
                   float* RESTRICTED C, float alpha, float beta, int M,
                   int N, int K) {
  extern __shared__ __align__(
      16) float shared[];  // kBuffers tiles of A, then as many of B

  const int thread = threadIdx.x, warp = thread / 32,
            lane = thread % 32;
  const BlockPlace block = block_place<(BlockOrder)BLOCK_ORDER>();
  const unsigned first_row = block.row * BLOCK_M,
                 first_column = block.column * (BLOCK_N * COARSENING);

  // Lanes 2i and 2i + 1 share rows, lanes l and l + 2 columns: so the
  // hardware serves a 128-bit load of shared memory in half the
  // wavefronts.
  const int lane_row = lane / 2 % 2 + lane / (2 * kLanesN) * 2;
  const int lane_column = lane % 2 + lane / 4 % (kLanesN / 2) * 2;
  const int row =
      part_start<BLOCK_M, kWarpsM>(warp / kWarpsN) + lane_row * VECTOR;
  const int column = part_start<BLOCK_N, kWarpsN>(warp % kWarpsN) +
                     lane_column * VECTOR;

  const auto tile_a = [&](int buffer) {
    return shared + part_start<kBuffers * kTileA, kBuffers>(buffer);
  };
  const auto tile_b = [&](int buffer) {
    return shared + kBuffers * kTileA +
           part_start<kBuffers * kTileB, kBuffers>(buffer);
  };
  const int tiles = (K + BLOCK_K - 1) / BLOCK_K;
  const auto k_start = [&](int tile) {
    return (unsigned)tile * BLOCK_K;
  };
  const auto column_start = [&](int part) {
    return first_column + part * BLOCK_N;
  };

  float sums[COARSENING][THREAD_M][THREAD_N] = {};
  using CopyA = TileCopy<BLOCK_M, BLOCK_K, VECTOR>;
  using CopyB = TileCopy<BLOCK_K, BLOCK_N, VECTOR>;
  int read_a = 0, read_b = 0;

  if constexpr (STAGES > 0) {
    int write_a = 0, write_b = 0;
    // Every call commits a group, also one without copies: so the
    // groups count the steps.
    const auto start_copies = [&](int tile, int part) {
      if (tile < tiles) {
        if (part == 0) {
          TileCopy<BLOCK_M, BLOCK_K, kAsyncWidthA>::run(
              thread, [&](int, int r, int k) {
                copy_async<kAsyncWidthA>(
                    tile_a(write_a) + place_in_a(r, k), A,
                    {first_row, (unsigned)r},
                    {k_start(tile), (unsigned)k}, M, K);
              });
          write_a = after(write_a);
        }
        CopyB::run(thread, [&](int, int k, int c) {
          copy_async<VECTOR>(tile_b(write_b) + k * BLOCK_N + c, B,
                             {k_start(tile), (unsigned)k},
                             {column_start(part), (unsigned)c}, K, N);
        });
        write_b = after(write_b);
      }
      commit_copies();
    };
#pragma unroll
    for (int step = 0; step < STAGES - 1; ++step)
      start_copies(step / COARSENING, step % COARSENING);
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
      for (int part = 0; part < COARSENING; ++part) {
        wait_for_copies<STAGES - 2>();
        __syncthreads();  // this step's tiles are here, and nobody
                          // reads those of the step before
        start_copies(tile + (part + STAGES - 1) / COARSENING,
                     (part + STAGES - 1) % COARSENING);
        multiply_tiles(sums[part], tile_a(read_a), tile_b(read_b), row,
                       column);
        read_b = after(read_b);
      }
      read_a = after(read_a);
    }
  } else if constexpr (PREFETCH > 0) {
    Vector<VECTOR> next_a[CopyA::kCount], next_b[CopyB::kCount];
    const auto fetch_tiles = [&](int tile, int part) {
      if (part == 0)
        CopyA::run(thread, [&](int n, int r, int k) {
          next_a[n] = fetch(A, {first_row, (unsigned)r},
                            {k_start(tile), (unsigned)k}, M, K);
        });
      CopyB::run(thread, [&](int n, int k, int c) {
        next_b[n] = fetch(B, {k_start(tile), (unsigned)k},
                          {column_start(part), (unsigned)c}, K, N);
      });
    };
    const auto store_tiles = [&](int part, int buffer_a, int buffer_b) {
      if (part == 0)
        CopyA::run(thread, [&](int n, int r, int k) {
          store_in_a(tile_a(buffer_a), r, k, next_a[n]);
        });
      CopyB::run(thread, [&](int n, int k, int c) {
        store_in_b(tile_b(buffer_b), k, c, next_b[n]);
      });
    };
    fetch_tiles(0, 0);
    store_tiles(0, 0, 0);
    __syncthreads();
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
      for (int part = 0; part < COARSENING; ++part) {
        const int next_tile = tile + (part + 1) / COARSENING,
                  next_part = (part + 1) % COARSENING;
        if (next_tile < tiles)
          fetch_tiles(next_tile,
                      next_part);  // waited for after the math
        multiply_tiles(sums[part], tile_a(read_a), tile_b(read_b), row,
                       column);
        if (kBuffers == 1)
          __syncthreads();  // nobody reads the tiles any more
        if (next_part == 0) read_a = after(read_a);
        read_b = after(read_b);
        if (next_tile < tiles) store_tiles(next_part, read_a, read_b);
        __syncthreads();  // the next step's tiles are complete
      }
    }
  } else {
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
      for (int part = 0; part < COARSENING; ++part) {
        if (part == 0)
          CopyA::run(thread, [&](int, int r, int k) {
            store_in_a(tile_a(0), r, k,
                       fetch(A, {first_row, (unsigned)r},
                             {k_start(tile), (unsigned)k}, M, K));
          });
        CopyB::run(thread, [&](int, int k, int c) {
          store_in_b(tile_b(0), k, c,
                     fetch(B, {k_start(tile), (unsigned)k},
                           {column_start(part), (unsigned)c}, K, N));
        });
        __syncthreads();  // the tiles are complete
        multiply_tiles(sums[part], tile_a(0), tile_b(0), row, column);
        __syncthreads();  // nobody reads them any more
      }
    }
  }

#pragma unroll
  for (int part = 0; part < COARSENING; ++part) {
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
      const Place c_row = {
          first_row,
          (unsigned)(row + i / VECTOR * kRowStep + i % VECTOR)};
#pragma unroll
      for (int j = 0; j < THREAD_N; j += VECTOR) {
        const Place c_column = {
            column_start(part),
            (unsigned)(column + j / VECTOR * kColumnStep)};
        float* c = C + (size_t)(c_row.start + c_row.inside) * N +
                   c_column.start + c_column.inside;
        update_vector<VECTOR>(c, floats_left(c_row, c_column, M, N),
                              N % VECTOR == 0, &sums[part][i][j], alpha,
                              beta);
      }
    }
  }
}
