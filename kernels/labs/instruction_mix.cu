//! title   = "Instruction mix"
//! entry   = "multiply"
//! block   = ["32", "8", "1"]
//! grid    = ["ceil_div(N, 32)", "ceil_div(M, 8)", "1"]
//! shared  = "0"
//! changed = """Each thread computes an element of C by the textbook's
//!              loop, C[i][j] += A[i][k] * B[k][j]: unrolled or not,
//!              with the sum in memory or in a register."""
//! why     = """An SM issues an instruction a cycle and scheduler,
//!              whatever it is. What counts the loop, branches and
//!              computes addresses takes the place of multiply-adds; an
//!              unrolled loop does it for several of them together."""
//! look_at = """The bar of the loop: how much of it is floating point?
//!              Then the instructions a multiply-add, and the stores
//!              that __restrict__ takes out of the loop."""
//! show_me = ["toggles.next", "toggles.next_value",
//!            "toggles.next_value", "toggles.next_value"]
//! picture = "mix"
//! parameters = [
//!   { name = "A", buffer = "M * K" },
//!   { name = "B", buffer = "K * N" },
//!   { name = "C", buffer = "M * N", fill = "uninitialised" },
//!   { name = "M", scalar = "M" },
//!   { name = "N", scalar = "N" },
//!   { name = "K", scalar = "K" },
//! ]
//! [check]
//! entry = "reference"
//! block = [32, 8]
//! grid = ["ceil_div(N, 32)", "ceil_div(M, 8)"]
//! compare = ["C"]
//! [[toggles]]
//! name = "UNROLL"
//! title = "Unroll the loop"
//! values = [1, 2, 4, 8]
//! default = 1
//! help = """How many k a pass of the loop does. The branch, the
//!   counter and the addresses are shared by all of them."""
//! [[toggles]]
//! name = "SUM_IN_REGISTER"
//! title = "Sum"
//! values = [0, 1]
//! labels = ["in C", "in a register"]
//! default = 1
//! help = """C[i][j] += … in the loop, or into a variable that is
//!   written to C when the loop is done."""
//! [[toggles]]
//! name = "RESTRICT"
//! title = "__restrict__"
//! values = [0, 1]
//! default = 0
//! help = """Promises that C overlaps neither A nor B. Without it a
//!   write to C might change the next element of A, so a sum in C must
//!   be in memory before that is read."""

#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef SUM_IN_REGISTER
#define SUM_IN_REGISTER 1
#endif
#ifndef RESTRICT
#define RESTRICT 0
#endif

#if RESTRICT
#define POINTER *__restrict__
#else
#define POINTER *
#endif

extern "C" __global__ void multiply(const float POINTER A,
                                    const float POINTER B,
                                    float POINTER C, int M, int N,
                                    int K) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M || j >= N) return;
  const float* const a = A + (size_t)i * K;
  const float* const b = B + j;
  float* const c = C + (size_t)i * N + j;

#if SUM_IN_REGISTER
  float sum = 0;
#pragma unroll UNROLL
  for (int k = 0; k < K; ++k) sum += a[k] * b[(size_t)k * N];
  *c = sum;
#else
  *c = 0;
#pragma unroll UNROLL
  for (int k = 0; k < K; ++k) *c += a[k] * b[(size_t)k * N];
#endif
}

// What must come out: the same sums in the same order.
extern "C" __global__ void reference(const float* A, const float* B,
                                     float* C, int M, int N, int K) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum = fmaf(A[(size_t)i * K + k], B[(size_t)k * N + j], sum);
  C[(size_t)i * N + j] = sum;
}
