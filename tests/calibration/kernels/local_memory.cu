//! title   = "Local memory"
//! entry   = "calibrate"
//! block   = ["64", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "Words of the 32 lanes lie side by side."
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
//! name = "APART"
//! title = "Lanes at the same word or each at another"
//! values = [0, 1]
//! default = 0

#ifndef APART
#define APART 0
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  float words[16];  // indexed by what the compiler does not know: they stay in memory
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    words[(i + (APART ? threadIdx.x : 0) * (K / 64)) % 16] = A[i * 64 + threadIdx.x];
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; i += 1 + blockIdx.x)
    sum += words[(i * 5 + (APART ? threadIdx.x : 0) * (K / 64)) % 16];
  C[threadIdx.x + blockIdx.x * 64] = sum;
}
