//! title   = "Matrix loads"
//! entry   = "calibrate"
//! block   = ["32", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "One group of lanes for each 8x8 matrix."
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
//! name = "COUNT"
//! title = "Matrices"
//! values = [1, 2, 4]
//! default = 4
//! [[toggles]]
//! name = "PITCH"
//! title = "Bytes from row to row"
//! values = [16, 32, 64, 128, 144]
//! default = 16

#ifndef COUNT
#define COUNT 4
#endif
#ifndef PITCH
#define PITCH 16
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  __shared__ __align__(16) float memory[32 * PITCH / 4];
  for (unsigned i = threadIdx.x; i < 32 * PITCH / 4; i += 32) memory[i] = A[i];
  __syncthreads();
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + threadIdx.x * PITCH;
  unsigned d[4] = {};
#if COUNT == 1
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(row));
#elif COUNT == 2
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(row));
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(row));
#endif
  unsigned transposed;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(transposed) : "r"(row));
  reinterpret_cast<unsigned*>(C)[threadIdx.x] = d[0] ^ d[1] ^ d[2] ^ d[3] ^ transposed;
}
