//! title   = "Mistakes that compute-sanitizer must find"
//! entry   = "broken"
//! block   = ["64", "1", "1"]
//! grid    = ["1", "1", "1"]
//! shared  = "0"
//! changed = "Nothing: it is the test of tests/gpu/sanitize.sh."
//! why     = "A tool that finds nothing here finds nothing anywhere."
//! look_at = "What the tool reports."
//! [tile]
//! block_m = 1
//! block_n = 64
//! block_k = 1
//! warp_m = 1
//! warp_n = 32
//! thread_m = 1
//! thread_n = 1
//! [[toggles]]
//! name = "MISTAKE"
//! title = "0 none, 1 an access far outside, 2 a race between warps, 3 a read of memory that nobody wrote, 4 a barrier that half a warp reaches"
//! values = [0, 1, 2, 3, 4]
//! default = 0

#ifndef MISTAKE
#define MISTAKE 0
#endif

extern "C" __global__ void broken(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                  int N, int K) {
  __shared__ float shared[64];
#if MISTAKE == 0
  C[threadIdx.x] = A[threadIdx.x];
#elif MISTAKE == 1
  // Beyond any buffer, and the words that guard it.
  C[threadIdx.x] = A[(1ull << 36) + threadIdx.x];
#elif MISTAKE == 2
  shared[threadIdx.x] = A[0] + threadIdx.x;
  C[threadIdx.x] = shared[63 - threadIdx.x];  // of the other warp, with no barrier between
#elif MISTAKE == 3
  C[threadIdx.x] += A[threadIdx.x];  // also where beta is 0 and C holds nothing
#else
  if (threadIdx.x % 2 == 0) {
    shared[threadIdx.x] = A[threadIdx.x];
    __syncthreads();  // the odd lanes never come
  }
  C[threadIdx.x] = shared[threadIdx.x / 2 * 2];
#endif
}
