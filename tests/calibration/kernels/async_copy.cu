//! title   = "Asynchronous copies"
//! entry   = "calibrate"
//! block   = ["64", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "LDGSTS has counters of its own for both of its halves."
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
//! name = "BYTES"
//! title = "Bytes of a lane"
//! values = [4, 8, 16]
//! default = 16
//! [[toggles]]
//! name = "BYPASS"
//! title = "Past L1 (16 bytes only)"
//! values = [0, 1]
//! default = 0
//! [[toggles]]
//! name = "FILL"
//! title = "Odd lanes copy nothing and fill with zeros"
//! values = [0, 1]
//! default = 0

#ifndef BYTES
#define BYTES 16
#endif
#ifndef BYPASS
#define BYPASS 0
#endif
#ifndef FILL
#define FILL 0
#endif

__device__ inline void copy(void* to, const void* from, int bytes) {
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
#if BYPASS && BYTES == 16
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(bytes));
#else
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(target), "l"(from), "n"(BYTES),
               "r"(bytes));
#endif
}

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  __shared__ __align__(16) char memory[3 * 64 * 16 + 64];
  const char* in = reinterpret_cast<const char*>(A);
  const unsigned t = threadIdx.x;
  const int bytes = FILL && t % 2 == 1 ? 0 : BYTES;
  copy(memory + t * BYTES, in + t * BYTES, bytes);                                // side by side
  copy(memory + 1024 + t * BYTES * 2 % 2048, in + t * BYTES * 3 + BYTES, bytes);  // apart, in conflict
  if (t % 3 == blockIdx.x) copy(memory + t * BYTES, in + t * BYTES, BYTES);       // some lanes only
  asm volatile("cp.async.commit_group;\ncp.async.wait_all;" ::: "memory");
  __syncthreads();
  C[t] = reinterpret_cast<const float*>(memory)[t];
}
