//! title   = "Arithmetic of every type"
//! entry   = "calibrate"
//! block   = ["32", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "Thread instructions by type, and matrix instructions."
//! look_at = "The counters."
//! [tile]
//! block_m = 1
//! block_n = 1
//! block_k = 1
//! warp_m = 1
//! warp_n = 1
//! thread_m = 1
//! thread_n = 1
//! [[toggles]]
//! name = "KIND"
//! title = "0 float64, 1 pairs of float16, 2 matrices"
//! values = [0, 1, 2]
//! default = 0

#ifndef KIND
#define KIND 0
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  const unsigned t = threadIdx.x;
#if KIND == 0
  double x = A[t], y = B[t];
  for (int i = 0; i < K; ++i) x = x * y + (x + alpha) * 0.5;
  if (t % 3 == blockIdx.x) x *= y;
  C[t] = static_cast<float>(x);
#elif KIND == 1
  unsigned x = __float_as_uint(A[t]), y = __float_as_uint(B[t]);
  for (int i = 0; i < K; ++i) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(y));
    asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
    asm volatile("mul.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
  }
  C[t] = __uint_as_float(x);
#else
  const unsigned a = __float_as_uint(A[t]), b = __float_as_uint(B[t]);
  float d[4] = {};
  for (int i = 0; i < K; ++i)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a), "r"(b));
  C[t] = d[0] + d[1] + d[2] + d[3];
#endif
}
