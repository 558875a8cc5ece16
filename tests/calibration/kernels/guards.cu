//! title   = "Instructions whose guard is false"
//! entry   = "calibrate"
//! block   = ["64", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "What a guard switches off is executed, but makes no request."
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
//! name = "LANES"
//! title = "Lanes whose guard is true"
//! values = [0, 1, 7, 32]
//! default = 7

#ifndef LANES
#define LANES 7
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  __shared__ float memory[64];
  const bool on = (int)(threadIdx.x % 32) < LANES + K - 64;  // K is 64, which the compiler does not know
  float value = alpha;
  memory[threadIdx.x] = beta;
  __syncthreads();
  // Guards in the machine code, no branches.
  asm volatile(
      "{ .reg .pred p; setp.ne.s32 p, %2, 0;\n"
      "@p ld.global.f32 %0, [%1];\n"
      "@p fma.rn.f32 %0, %0, %0, %0;\n"
      "@p st.global.f32 [%3], %0; }"
      : "+f"(value)
      : "l"(A + threadIdx.x), "r"((int)on), "l"(C + 64 + threadIdx.x)
      : "memory");
  if (on) value += memory[threadIdx.x ^ 1];
  C[threadIdx.x] = value;
}
