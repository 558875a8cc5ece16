//! title   = "Vector addition, coarsened"
//! entry   = "add"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(M * N, 256 * COARSENING)", "1", "1"]
//! shared  = "0"
//! changed = "out = x + y, with one or several elements a thread."
//! why     = """In a matrix product a coarser thread uses what it has
//!              loaded again. An addition uses no element again: there
//!              is nothing to save, and with fewer threads there are
//!              fewer loads in flight to hide the latency."""
//! look_at = """The sectors. The loads are as many bytes as before;
//!              with neighbours in one thread, the lanes of a warp lie
//!              apart, and each of its loads touches more sectors."""
//! show_me = ["numbers.global_sectors", "toggles.next",
//!            "toggles.next_value", "toggles.next_value"]
//! picture = "sectors"
//! parameters = [
//!   { name = "x", buffer = "M * N" },
//!   { name = "y", buffer = "M * N" },
//!   { name = "out", buffer = "M * N", fill = "uninitialised" },
//!   { name = "count", scalar = "M * N" },
//! ]
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! compare = ["out"]
//! [[toggles]]
//! name = "COARSENING"
//! title = "Elements a thread"
//! values = [1, 2, 4, 8]
//! default = 1
//! help = """With more of them there are fewer threads and fewer blocks
//!   for the same work."""
//! [[toggles]]
//! name = "NEIGHBOURS"
//! title = "A thread's elements lie"
//! values = [0, 1]
//! labels = ["a block apart", "side by side"]
//! default = 1
//! help = """Side by side in memory: then the lanes of a warp are not.
//!   A block apart: each load of a warp stays coalesced."""

#ifndef COARSENING
#define COARSENING 1
#endif
#ifndef NEIGHBOURS
#define NEIGHBOURS 1
#endif

extern "C" __global__ void add(const float* __restrict__ x,
                               const float* __restrict__ y,
                               float* __restrict__ out, int count) {
  const int first = blockIdx.x * 256 * COARSENING;
#pragma unroll
  for (int n = 0; n < COARSENING; ++n) {
    const int i = first + (NEIGHBOURS ? threadIdx.x * COARSENING + n
                                      : threadIdx.x + n * 256);
    if (i < count) out[i] = x[i] + y[i];
  }
}

// What must come out.
extern "C" __global__ void reference(const float* x, const float* y,
                                     float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = x[i] + y[i];
}
