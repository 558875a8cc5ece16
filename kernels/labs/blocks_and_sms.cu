//! title   = "Blocks and SMs"
//! entry   = "work"
//! block   = ["THREADS", "1", "1"]
//! grid    = ["BLOCKS", "1", "1"]
//! shared  = "0"
//! changed = """The same work, dealt to more or fewer blocks: each
//!              takes its share of M x N elements and does K
//!              multiply-adds on every one."""
//! why     = """A block runs on one SM. With fewer blocks than SMs some
//!              SMs have nothing to do. With a block more than SMs, one
//!              SM has a second block to do, and the others wait for
//!              it."""
//! look_at = """How the blocks fall on the SMs, under the gauges, and
//!              the modelled time. The instructions stay nearly the
//!              same, the time does not."""
//! show_me = ["toggles.next", "toggles.next_value",
//!            "toggles.next_value"]
//! picture = "occupancy"
//! parameters = [
//!   { name = "in", buffer = "M * N" },
//!   { name = "out", buffer = "M * N", fill = "uninitialised" },
//!   { name = "count", scalar = "M * N" },
//!   { name = "passes", scalar = "K" },
//! ]
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! compare = ["out"]
//! [[toggles]]
//! name = "BLOCKS"
//! title = "Blocks"
//! values = [24, 48, 49, 66, 132, 133, 264, 528]
//! default = 132
//! help = """An RTX A4000 has 48 SMs, an H200 has 132. The work of all
//!   blocks together is the same."""
//! [[toggles]]
//! name = "THREADS"
//! title = "Threads a block"
//! values = [256, 512, 1024]
//! default = 1024
//! help = "Smaller blocks: more of them fit an SM together."

extern "C" __global__ void work(const float* in, float* out, int count,
                                int passes) {
  const int share = (count + gridDim.x - 1) / gridDim.x;
  const int first = blockIdx.x * share;
  const int end = min(first + share, count);
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
    const float value = in[i];
    float sum = 0;
    for (int k = 0; k < passes; ++k) sum = sum * 0.5f + value;
    out[i] = sum;
  }
}

// What must come out: a thread for each element.
extern "C" __global__ void reference(const float* in, float* out,
                                     int count, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int k = 0; k < passes; ++k) sum = fmaf(sum, 0.5f, in[i]);
  out[i] = sum;
}
