// uses: LD
// A pointer that may lead to a __constant__ array or to a buffer.
__constant__ unsigned table[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned* const p = in[threadIdx.x] & 1 ? table : in;
  out[threadIdx.x] = p[threadIdx.x & 15];
}
