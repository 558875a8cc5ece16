//! title   = "Atomics"
//! entry   = "calibrate"
//! block   = ["64", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "Atomics are neither loads nor stores."
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
//! title = "0 reduction, 1 add with result, 2 compare and swap, 3 shared add, 4 shared with result"
//! values = [0, 1, 2, 3, 4]
//! default = 0
//! [[toggles]]
//! name = "SPREAD"
//! title = "Words from lane to lane"
//! values = [0, 1, 8]
//! default = 1

#ifndef KIND
#define KIND 0
#endif
#ifndef SPREAD
#define SPREAD 1
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  __shared__ int memory[64 * 8];
  for (unsigned i = threadIdx.x; i < 64 * 8; i += 64) memory[i] = 0;
  __syncthreads();
  int* const to = reinterpret_cast<int*>(C) + 64 + threadIdx.x * SPREAD;
  int* const shared = memory + threadIdx.x * SPREAD;
  int old = 0;
#if KIND == 0
  atomicAdd(to, (int)threadIdx.x);
#elif KIND == 1
  old = atomicExch(to, (int)threadIdx.x) & 0;
#elif KIND == 2
  old = atomicCAS(to, 1, 2) & 1;
#elif KIND == 3
  atomicAdd(shared, (int)threadIdx.x);
#else
  old = atomicExch(shared, (int)threadIdx.x) & 1;
#endif
  __syncthreads();
  reinterpret_cast<int*>(C)[threadIdx.x] = old + memory[threadIdx.x] * 0;
}
