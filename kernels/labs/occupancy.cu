//! title   = "Occupancy"
//! entry   = "chase"
//! block   = ["THREADS", "1", "1"]
//! grid    = ["ceil_div(M * N, THREADS)", "1", "1"]
//! shared  = "SHARED_KB * 1024"
//! changed = """Each thread follows a chain of 8 loads, each of which
//!              needs the one before. How many registers it holds, how
//!              much shared memory its block asks for and how large the
//!              block is are sliders."""
//! why     = """While a warp waits for memory others can run, if they
//!              are on the SM: what a block takes of registers, shared
//!              memory and slots decides how many are."""
//! look_at = """Which of the limits binds, and the cliffs: one value
//!              more to hold, and a whole block less fits. Nothing but
//!              the waiting is in this kernel, so its time follows the
//!              occupancy."""
//! show_me = ["numbers.blocks_per_sm", "toggles.next",
//!            "toggles.next_value", "toggles.next_value",
//!            "toggles.next_value"]
//! picture = "occupancy"
//! parameters = [
//!   { name = "next", buffer = "M*N", type = "int32", below = "M*N" },
//!   { name = "values", buffer = "M * N + 256" },
//!   { name = "out", buffer = "M * N", fill = "uninitialised" },
//!   { name = "count", scalar = "M * N" },
//! ]
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! compare = ["out"]
//! [[toggles]]
//! name = "HELD"
//! title = "Values held in registers"
//! values = [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72,
//!           80, 96, 112, 128, 160, 192, 224]
//! default = 16
//! [[toggles]]
//! name = "SHARED_KB"
//! title = "KB of shared memory a block"
//! values = [0, 1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96]
//! default = 0
//! [[toggles]]
//! name = "THREADS"
//! title = "Threads of a block"
//! values = [32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 512,
//!           640, 768, 896, 1024]
//! default = 256

#ifndef HELD
#define HELD 16
#endif
#ifndef THREADS
#define THREADS 256
#endif

constexpr int kHops = 8;

extern "C" __global__ void __launch_bounds__(THREADS)
    chase(const int* next, const float* values, float* out, int count) {
  const int i = blockIdx.x * THREADS + threadIdx.x;

  // Loaded before the barrier and used after it: all of them are in
  // registers meanwhile.
  float held[HELD + 1];
#pragma unroll
  for (int k = 0; k < HELD; ++k) held[k] = values[min(i, count) + k];
  __syncthreads();

  int at = min(i, count - 1);
#pragma unroll 1
  for (int hop = 0; hop < kHops; ++hop)
    at = next[at];  // each load waits for the one before

  float sum = values[at];
#pragma unroll
  for (int k = 0; k < HELD; ++k) sum += held[k];
  if (i < count) out[i] = sum;
}

// What must come out: nothing is held.
extern "C" __global__ void reference(const int* next,
                                     const float* values, float* out,
                                     int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int at = i;
  for (int hop = 0; hop < kHops; ++hop) at = next[at];
  float sum = values[at];
  for (int k = 0; k < HELD; ++k) sum += values[i + k];
  out[i] = sum;
}
