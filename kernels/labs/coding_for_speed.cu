//! title   = "Coding for speed"
//! entry   = "multiply"
//! block   = ["64", "1", "1"]
//! grid    = ["N / 32", "M / 32", "1"]
//! shared  = "0"
//! changed = """A small tiled product, with the habits of its source
//!              text as switches: the order of its loops, where the
//!              loop of the copy starts, and how a constant is
//!              divided."""
//! why     = """The compiler does much, but it must keep what the text
//!              says: a sum is added to in the order of the loops, a
//!              start that it does not know hides how often a loop
//!              runs, and integers are divided where the text
//!              divides."""
//! look_at = """The distance from an FFMA to the one that needs its
//!              sum: with k inside, the next one does. Then the
//!              instructions on integers."""
//! show_me = ["toggles.next", "toggles.next_value", "toggles.next",
//!            "toggles.next_value", "toggles.next",
//!            "toggles.next_value"]
//! picture = "mix"
//! parameters = [
//!   { name = "A", buffer = "M * K" },
//!   { name = "B", buffer = "K * N" },
//!   { name = "C", buffer = "M * N", fill = "uninitialised" },
//!   { name = "N", scalar = "N" },
//!   { name = "K", scalar = "K" },
//! ]
//! [divisibility]
//! M = 32
//! N = 32
//! K = 16
//! [check]
//! entry = "reference"
//! block = [32]
//! grid = ["N / 32", "M"]
//! compare = ["C"]
//! [[toggles]]
//! name = "K_INSIDE"
//! title = "Loops of the register tile"
//! values = [0, 1]
//! labels = ["k outside", "k inside"]
//! default = 0
//! help = """k outside: all sums of the thread take one multiply-add
//!   each before a sum is needed again. k inside: one sum takes all of
//!   its multiply-adds in a row, and each waits for the one before."""
//! [[toggles]]
//! name = "UNROLL"
//! title = "Unroll the k loop"
//! values = [1, 2, 4, 8]
//! default = 4
//! help = """How many k a pass of the loop does: fewer branches and
//!   counters, longer code."""
//! [[toggles]]
//! name = "FROM_THREAD"
//! title = "Loop of the copy"
//! values = [0, 1]
//! labels = ["from 0", "from thread"]
//! default = 0
//! help = """Counts up to a constant, or starts at the index of the
//!   thread: for (s = thread; s < end; s += threads). The compiler does
//!   not know where the second starts, so it cannot count its
//!   passes."""
//! [[toggles]]
//! name = "STATIC_DIVISION"
//! title = "i * (K2 / K1)"
//! values = [0, 1]
//! default = 1
//! help = """On: the compiler divides the constants, and the program
//!   multiplies. Off, i * K2 / K1: the program multiplies and divides,
//!   since a product of unsigned integers may overflow. Where the
//!   compiler sees that it does not, nothing is gained."""

#ifndef K_INSIDE
#define K_INSIDE 0
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef FROM_THREAD
#define FROM_THREAD 0
#endif
#ifndef STATIC_DIVISION
#define STATIC_DIVISION 1
#endif

constexpr unsigned kThreads = 64;
constexpr unsigned kTile = 32;   // rows and columns of C of a block
constexpr unsigned kDepth = 16;  // k in shared memory at a time
constexpr unsigned kOwn = 4;     // rows and columns of a thread
constexpr unsigned kLineBytes = 144, kFloatBytes = 4;

// Where line i of a tile starts. A line has four floats of padding: its
// neighbour lies in other banks, and vectors stay aligned.
__device__ inline unsigned line_start(unsigned i) {
  return STATIC_DIVISION ? i * (kLineBytes / kFloatBytes)
                         : i * kLineBytes / kFloatBytes;
}

struct alignas(16) Four {
  float at[kOwn];
};
struct alignas(16) Tiles {
  float a[kDepth * kLineBytes / kFloatBytes];  // k-major
  float b[kDepth * kLineBytes / kFloatBytes];
};

__device__ inline Four four_of(const float* line, unsigned i) {
  return *(const Four*)(line + i);
}

// One element of each tile, the s-th of them.
__device__ inline void copy_element(Tiles& tiles, const float* A,
                                    const float* B, unsigned N,
                                    unsigned K, unsigned s) {
  const unsigned line = s / kTile, column = s % kTile;
  tiles.b[line_start(line) + column] = B[(size_t)line * N + column];
  tiles.a[line_start(s % kDepth) + s / kDepth] =
      A[(size_t)(s / kDepth) * K + s % kDepth];
}

__device__ inline void copy(Tiles& tiles, const float* A,
                            const float* B, unsigned N, unsigned K) {
#if FROM_THREAD
  for (unsigned s = threadIdx.x; s < kTile * kDepth; s += kThreads)
    copy_element(tiles, A, B, N, K, s);
#else
  for (unsigned n = 0; n < kTile * kDepth / kThreads; ++n)
    copy_element(tiles, A, B, N, K, threadIdx.x + n * kThreads);
#endif
}

extern "C" __global__ void multiply(const float* __restrict__ A,
                                    const float* __restrict__ B,
                                    float* __restrict__ C, int N,
                                    int K) {
  __shared__ Tiles tiles;
  const unsigned row = threadIdx.x / 8 * kOwn;
  const unsigned column = threadIdx.x % 8 * kOwn;
  A += (size_t)blockIdx.y * kTile * K;
  B += blockIdx.x * kTile;
  C += (size_t)blockIdx.y * kTile * N + blockIdx.x * kTile;

  float sums[kOwn][kOwn] = {};
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += kDepth) {
    copy(tiles, A + k0, B + (size_t)k0 * N, N, K);
    __syncthreads();
#if K_INSIDE
#pragma unroll
    for (unsigned i = 0; i < kOwn; ++i)
#pragma unroll
      for (unsigned j = 0; j < kOwn; ++j)
#pragma unroll UNROLL
        for (unsigned k = 0; k < kDepth; ++k)
          sums[i][j] += tiles.a[line_start(k) + row + i] *
                        tiles.b[line_start(k) + column + j];
#else
#pragma unroll UNROLL
    for (unsigned k = 0; k < kDepth; ++k) {
      const Four a = four_of(tiles.a, line_start(k) + row);
      const Four b = four_of(tiles.b, line_start(k) + column);
#pragma unroll
      for (unsigned i = 0; i < kOwn; ++i)
#pragma unroll
        for (unsigned j = 0; j < kOwn; ++j)
          sums[i][j] += a.at[i] * b.at[j];
    }
#endif
    __syncthreads();
  }
  for (unsigned i = 0; i < kOwn; ++i)
    for (unsigned j = 0; j < kOwn; ++j)
      C[(size_t)(row + i) * N + column + j] = sums[i][j];
}

// What must come out: the same sums in the same order.
extern "C" __global__ void reference(const float* A, const float* B,
                                     float* C, int N, int K) {
  const size_t i = blockIdx.y,
               j = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum = fmaf(A[i * K + k], B[(size_t)k * N + j], sum);
  C[i * N + j] = sum;
}
