//! title   = "Global accesses of every width"
//! entry   = "calibrate"
//! block   = ["64", "1", "1"]
//! grid    = ["2", "1", "1"]
//! shared  = "0"
//! changed = "Not a product: one class of accesses, for Nsight Compute to count."
//! why     = "Sectors follow from the width, the stride and the alignment."
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
//! values = [1, 2, 4, 8, 16]
//! default = 4
//! [[toggles]]
//! name = "STRIDE"
//! title = "Elements from lane to lane"
//! values = [1, 3, 32]
//! default = 1

#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef STRIDE
#define STRIDE 1
#endif

#if WIDTH == 1
using Element = unsigned char;
#elif WIDTH == 2
using Element = unsigned short;
#elif WIDTH == 4
using Element = unsigned int;
#elif WIDTH == 8
using Element = uint2;
#else
using Element = uint4;
#endif

extern "C" __global__ void calibrate(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                     int N, int K) {
  const Element* in = reinterpret_cast<const Element*>(A);
  Element* out = reinterpret_cast<Element*>(C);
  const unsigned count = M * K * 4 / WIDTH;
  // Aligned to a sector, one element beside it, five beside it.
  for (unsigned offset = 0; offset < 6; offset = offset * 4 + 1) {
    const unsigned i = (threadIdx.x * STRIDE + offset) % count;
    out[i] = in[i];
    if (threadIdx.x % 3 == blockIdx.x) out[count - 1 - i] = in[count - 1 - i];  // some lanes only
  }
}
