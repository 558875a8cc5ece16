//! title   = "Local memory, several words an access"
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
//! name = "ACCESS"
//! title = "Words of an access, and whether all lanes are at the same"
//! values = [0, 1, 2, 3]
//! labels = ["2, at the same", "2, each at another", "4, at the same", "4, each at another"]
//! default = 0

#ifndef ACCESS
#define ACCESS 0
#endif
#define APART (ACCESS % 2)
#define WORDS (ACCESS < 2 ? 2 : 4)
#if WORDS == 2
using Words = float2;
__device__ Words words_of(float first) { return {first, first + 1}; }
__device__ float sum_of(Words words) { return words.x + words.y; }
#else
using Words = float4;
__device__ Words words_of(float first) { return {first, first + 1, first + 2, first + 3}; }
__device__ float sum_of(Words words) { return words.x + words.y + words.z + words.w; }
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  Words words[16];  // indexed by what the compiler does not know: they stay in memory
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    words[(i + (APART ? threadIdx.x : 0) * (K / 64)) % 16] = words_of(A[i * 64 + threadIdx.x]);
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; i += 1 + blockIdx.x)
    sum += sum_of(words[(i * 5 + (APART ? threadIdx.x : 0) * (K / 64)) % 16]);
  C[threadIdx.x + blockIdx.x * 64] = sum;
}
