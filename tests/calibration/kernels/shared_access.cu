//! title   = "Shared accesses of every width and conflict"
//! entry   = "calibrate"
//! block   = ["64", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "Wavefronts follow from the width, the stride and the mask."
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
//! name = "WIDTH"
//! title = "Bytes of a lane"
//! values = [4, 8, 16]
//! default = 4
//! [[toggles]]
//! name = "STRIDE"
//! title = "Elements from lane to lane"
//! values = [1, 2, 4, 8, 16, 32]
//! default = 1

#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef STRIDE
#define STRIDE 1
#endif

#if WIDTH == 4
using Element = unsigned int;
#elif WIDTH == 8
using Element = uint2;
#else
using Element = uint4;
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  __shared__ Element memory[1024];
  Element* out = reinterpret_cast<Element*>(C);
  const unsigned lane = threadIdx.x % 32, i = lane * STRIDE;
  const Element value = reinterpret_cast<const Element*>(A)[threadIdx.x];
  memory[i] = value;
  if (lane % 3 == blockIdx.x) memory[i ^ 1] = value;  // some lanes only
  __syncthreads();
  out[threadIdx.x] = memory[i];
  if (lane % 5 != blockIdx.x) out[64 + threadIdx.x] = memory[i ^ 1];
  out[128 + threadIdx.x] = memory[lane / 2 * STRIDE];                   // pairs of lanes read the same
  out[192 + threadIdx.x] = memory[(lane % 2 + lane / 4 * 2) * STRIDE];  // lanes two apart read the same
  out[256 + threadIdx.x] = memory[blockIdx.x * STRIDE];                 // all read the same
}
