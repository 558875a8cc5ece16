// uses: CALL
// A method that is found by an object's table.
struct Shape {
  unsigned size;
  __device__ virtual unsigned area() const = 0;
};
struct Square : Shape {
  __device__ unsigned area() const override { return size * size; }
};
struct Strip : Shape {
  __device__ unsigned area() const override { return size * 3; }
};
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  Square square;
  Strip strip;
  square.size = strip.size = in[threadIdx.x] & 255;
  const Shape* const shape = in[threadIdx.x + 1] & 1 ? (const Shape*)&square : (const Shape*)&strip;
  out[threadIdx.x] = shape->area();
}
