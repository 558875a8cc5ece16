//! title   = "Prefetching"
//! entry   = "sums_of_columns"
//! block   = ["128", "1", "1"]
//! grid    = ["ceil_div(M * N / 32, 128)", "1", "1"]
//! shared  = "0"
//! changed = """A thread walks down a column of 32 elements and works
//!              on each. It loads an element when it needs it, or some
//!              passes of its loop before."""
//! why     = """A load from memory takes many cycles. If the next
//!              instruction needs the value, the warp waits all of
//!              them; with the work of other passes between load and
//!              use, it waits for what is left."""
//! look_at = """The instructions between a load and the first use of
//!              its value. With 0 there is next to nothing. The first
//!              pass ahead adds most, each further one less, and all of
//!              them cost registers."""
//! show_me = ["toggles.next", "toggles.next_value",
//!            "toggles.next_value", "toggles.next_value"]
//! picture = "loads"
//! parameters = [
//!   { name = "in", buffer = "M * N" },
//!   { name = "out", buffer = "M * N / 32", fill = "uninitialised" },
//!   { name = "columns", scalar = "M * N / 32" },
//! ]
//! [divisibility]
//! N = 32
//! [check]
//! entry = "reference"
//! block = [128]
//! grid = ["ceil_div(M * N / 32, 128)"]
//! compare = ["out"]
//! [[toggles]]
//! name = "AHEAD"
//! title = "Passes that a load is ahead"
//! values = [0, 1, 3, 7]
//! default = 0
//! [[toggles]]
//! name = "WORK"
//! title = "Multiply-adds on each element"
//! values = [4, 8, 16, 32]
//! default = 8

#ifndef AHEAD
#define AHEAD 0
#endif
#ifndef WORK
#define WORK 8
#endif

constexpr int kRows = 32;

// Some work that needs the value: a chain, each step waits for the one
// before.
__device__ float work(float sum, float value) {
#pragma unroll
  for (int i = 0; i < WORK; ++i) sum = sum * 0.5f + value;
  return sum;
}

extern "C" __global__ void sums_of_columns(const float* in, float* out,
                                           int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  in += column;

  constexpr int kSlots = AHEAD + 1;
  float loaded[kSlots];  // of this pass and the next ones; in registers
  for (int i = 0; i < AHEAD; ++i) loaded[i] = in[(size_t)i * columns];

  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < kRows; row += kSlots)
#pragma unroll
    for (int slot = 0; slot < kSlots;
         ++slot) {  // unrolled, so that each slot is a register
      const int ahead = row + slot + AHEAD;
      if (ahead < kRows)
        loaded[(slot + AHEAD) % kSlots] = in[(size_t)ahead * columns];
      sum = work(sum, loaded[slot]);
    }
  out[column] = sum;
}

// What must come out: one load after the other.
extern "C" __global__ void reference(const float* in, float* out,
                                     int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int row = 0; row < kRows; ++row)
    sum = work(sum, in[(size_t)row * columns + column]);
  out[column] = sum;
}
