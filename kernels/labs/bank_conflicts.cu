//! title   = "Bank conflicts"
//! entry   = "tile_through_shared"
//! block   = ["32", "8", "1"]
//! grid    = ["M / 32 * (N / 32)", "1", "1"]
//! shared  = "0"
//! changed = """A block copies a 32 x 32 tile through shared memory:
//!              written by rows, read by rows or by columns. The length
//!              of a row in shared memory and the place of an element
//!              in its row are yours to choose."""
//! why     = """Word w lies in bank w mod 32. A column of [32][32] lies
//!              in one bank, so 32 lanes wait for it one after the
//!              other. One float more in each row, [32][33], or a
//!              swizzle moves each row on by one bank."""
//! look_at = """The wavefronts of one load: 32 for a column of
//!              [32][32], 1 for [32][33], 2 for [32][34], 4 for
//!              [32][36]. Then set the row back to 32 and type column ^
//!              row."""
//! show_me = ["numbers.excess", "toggles.next", "toggles.next",
//!            "toggles.next_value", "toggles.next_value",
//!            "toggles.next_value", "toggles.previous_value",
//!            "toggles.previous_value", "toggles.previous_value"]
//! picture = "banks"
//! parameters = [
//!   { name = "in", buffer = "M * N" },
//!   { name = "out", buffer = "M * N", fill = "uninitialised" },
//! ]
//! [divisibility]
//! M = 32
//! N = 32
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = ["M * N / 256"]
//! compare = ["out"]
//! [[toggles]]
//! name = "BY_COLUMNS"
//! title = "Read the tile by columns"
//! values = [0, 1]
//! default = 1
//! [[toggles]]
//! name = "PITCH"
//! title = "Floats in a row of the tile"
//! values = [32, 33, 34, 36, 40]
//! default = 32
//! [[inputs]]
//! name = "SWIZZLE"
//! title = "Place in the row (mod 32)"
//! names = ["row", "column"]
//! default = "column"

#ifndef BY_COLUMNS
#define BY_COLUMNS 1
#endif
#ifndef PITCH
#define PITCH 32
#endif
#ifndef SWIZZLE
#define SWIZZLE (column)
#endif

// Where an element of the tile lies in its row. It must give each
// column of a row a place of its own.
__device__ int place(int row, int column) { return (SWIZZLE)&31; }

// Each tile is 1024 floats in a row; by columns it comes out
// transposed.
extern "C" __global__ void tile_through_shared(const float* in,
                                               float* out) {
  __shared__ float tile[32][PITCH];
  const int lane = threadIdx.x;
  in += blockIdx.x * 1024;
  out += blockIdx.x * 1024;

  for (int row = threadIdx.y; row < 32; row += 8)
    tile[row][place(row, lane)] = in[row * 32 + lane];
  __syncthreads();

  for (int i = threadIdx.y; i < 32; i += 8) {
    // The 32 lanes read 32 rows of column i, or 32 columns of row i.
    const int row = BY_COLUMNS ? lane : i;
    const int column = BY_COLUMNS ? i : lane;
    const float element = tile[row][place(row, column)];
    out[i * 32 + lane] = element;
  }
}

// What must come out: no shared memory.
extern "C" __global__ void reference(const float* in, float* out) {
  const int at = blockIdx.x * 256 + threadIdx.x;
  const int row = at / 32 % 32, column = at % 32,
            tile = at / 1024 * 1024;
  out[at] = BY_COLUMNS ? in[tile + column * 32 + row] : in[at];
}
