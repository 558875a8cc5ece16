//! title   = "Coalescing"
//! entry   = "strided_copy"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(M * N / WIDTH, 256)", "1", "1"]
//! shared  = "0"
//! changed = """Each thread copies one element: it reads with a stride
//!              and an offset between neighbouring threads, and writes
//!              side by side."""
//! why     = """Memory comes in sectors of 32 bytes. Lanes side by side
//!              share sectors, and use all of each; with a stride of 8
//!              floats every lane fetches a sector of its own and uses
//!              an eighth of it."""
//! look_at = """The sectors of the load: 4 for 32 floats side by side,
//!              5 with an offset of 1, 8 with stride 2, 32 from stride
//!              8 on. With 4 floats a lane: 16 sectors, all used, for a
//!              quarter of the instructions."""
//! show_me = ["numbers.global_sectors", "toggles.next", "toggles.next",
//!            "toggles.next_value", "toggles.previous_value",
//!            "toggles.previous", "toggles.next_value"]
//! picture = "sectors"
//! parameters = [
//!   { name = "in", buffer = "M * N * STRIDE + OFFSET * WIDTH" },
//!   { name = "out", buffer = "M * N", fill = "uninitialised" },
//!   { name = "count", scalar = "M * N / WIDTH" },
//! ]
//! [divisibility]
//! N = 4
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! compare = ["out"]
//! [[toggles]]
//! name = "STRIDE"
//! title = "Elements between lanes"
//! values = [1, 2, 3, 4, 8, 16, 32]
//! default = 1
//! [[toggles]]
//! name = "OFFSET"
//! title = "Elements before the first"
//! values = [0, 1, 2, 4, 8]
//! default = 0
//! [[toggles]]
//! name = "WIDTH"
//! title = "Floats of an element"
//! values = [1, 2, 4]
//! default = 1

#ifndef STRIDE
#define STRIDE 1
#endif
#ifndef OFFSET
#define OFFSET 0
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

extern "C" __global__ void strided_copy(const float* in, float* out,
                                        int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Element* const from = (const Element*)in;
  // The access to look at.
  const Element value = from[OFFSET + (size_t)i * STRIDE];
  ((Element*)out)[i] = value;
}

// What must come out, float by float.
extern "C" __global__ void reference(const float* in, float* out,
                                     int count) {
  const int at = blockIdx.x * 256 + threadIdx.x;
  if (at < count * WIDTH)
    out[at] = in[(OFFSET + (size_t)(at / WIDTH) * STRIDE) * WIDTH +
                 at % WIDTH];
}
