//! title   = "Kernel fusion"
//! changed = """out = alpha * x + y, by two kernels with the product in
//!              memory between them, or by one."""
//! why     = """The product of the first kernel is written to memory,
//!              only to be read again by the second. In one kernel it
//!              stays in a register: three arrays pass the memory
//!              instead of five, and one launch is saved."""
//! look_at = """The bytes that each kernel moves: 2 + 3 floats an
//!              element in two kernels, 3 in one. Both are bound by
//!              memory, so the time follows the bytes."""
//! show_me = ["toggles.next", "toggles.next_value",
//!            "toggles.next_value"]
//! picture = "traffic"
//! parameters = [
//!   { name = "x", buffer = "M * N" },
//!   { name = "y", buffer = "M * N" },
//!   { name = "product", buffer = "M * N", fill = "uninitialised" },
//!   { name = "out", buffer = "M * N", fill = "uninitialised" },
//!   { name = "alpha", scalar = "alpha" },
//!   { name = "count", scalar = "M * N" },
//! ]
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! compare = ["out"]
//! # A fused multiply-add rounds once, the two kernels round twice.
//! tolerance = 2e-7
//! [[launches]]
//! title = "scale"
//! entry = "scale"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! when = "1 - FUSED"
//! [[launches]]
//! title = "add"
//! entry = "add"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! when = "1 - FUSED"
//! [[launches]]
//! title = "scale and add"
//! entry = "scale_and_add"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! when = "FUSED"
//! [[toggles]]
//! name = "FUSED"
//! title = "One kernel instead of two"
//! values = [0, 1]
//! default = 0

// All of them take the same parameters; each uses what it needs.
#define PARAMETERS                                            \
  const float *x, const float *y, float *product, float *out, \
      float alpha, int count

extern "C" __global__ void scale(PARAMETERS) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) product[i] = alpha * x[i];  // goes to memory …
}

extern "C" __global__ void add(PARAMETERS) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = product[i] + y[i];  // … and comes back
}

extern "C" __global__ void scale_and_add(PARAMETERS) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = alpha * x[i] + y[i];  // the product stays in a register
}

// What must come out: rounded twice.
extern "C" __global__ void reference(PARAMETERS) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __fadd_rn(__fmul_rn(alpha, x[i]), y[i]);
}
