//! title   = "Bank strides, widths"
//! entry   = "strided_read"
//! block   = ["32", "1", "1"]
//! grid    = ["M * N / 4096", "1", "1"]
//! shared  = "0"
//! changed = """A warp reads shared memory with a stride between its
//!              lanes, 32, 64 or 128 bits a lane."""
//! why     = """With a stride of s words the lanes meet 32 / gcd(s, 32)
//!              banks, so odd strides are free. A wide access is served
//!              in parts: half-warps for 64 bits, quarter-warps for
//!              128, each part on its own."""
//! look_at = """The wavefronts at 32 bits: stride 2 takes 2, 8 takes 8,
//!              3 takes 1. At 128 bits stride 1 takes 4 and has no
//!              conflict: 512 bytes do not go through 32 banks in
//!              fewer."""
//! show_me = ["numbers.wavefronts", "toggles.next",
//!            "toggles.next_value", "toggles.next_value",
//!            "toggles.next_value", "toggles.next_value"]
//! picture = "banks"
//! parameters = [
//!   { name = "in", buffer = "M * N" },
//!   { name = "out", buffer = "M * N", fill = "zero" },
//! ]
//! [divisibility]
//! M = 64
//! N = 64
//! [check]
//! entry = "reference"
//! block = [32]
//! grid = ["M * N / 4096"]
//! compare = ["out"]
//! [[toggles]]
//! name = "STRIDE"
//! title = "Elements between lanes"
//! values = [1, 2, 3, 4, 7, 8, 16, 32]
//! default = 2
//! [[toggles]]
//! name = "WIDTH"
//! title = "Floats a lane reads"
//! values = [1, 2, 4]
//! default = 1

#ifndef STRIDE
#define STRIDE 2
#endif
#ifndef WIDTH
#define WIDTH 1
#endif

template <int Floats>
struct Vector;
template <>
struct Vector<1> {
  using type = float;
};
template <>
struct Vector<2> {
  using type = float2;
};
template <>
struct Vector<4> {
  using type = float4;
};
using Element = Vector<WIDTH>::type;

constexpr int kFloats = 4096;  // of a block's part
constexpr int kElements =
    kFloats / WIDTH;  // the same, as the lanes read them

extern "C" __global__ void strided_read(const float* in, float* out) {
  __shared__ float4 words[kFloats / 4];
  const int lane = threadIdx.x;
  const float4* source = (const float4*)(in + blockIdx.x * kFloats);
  for (int i = lane; i < kFloats / 4; i += 32) words[i] = source[i];
  __syncthreads();

  const Element* shared = (const Element*)words;
  Element* target = (Element*)(out + blockIdx.x * kFloats);
  target[lane] =
      shared[lane * STRIDE % kElements];  // the access to look at
}

// What must come out: no shared memory, float by float.
extern "C" __global__ void reference(const float* in, float* out) {
  const int part = blockIdx.x * kFloats, lane = threadIdx.x;
  for (int i = 0; i < WIDTH; ++i)
    out[part + lane * WIDTH + i] =
        in[part + lane * STRIDE % kElements * WIDTH + i];
}
