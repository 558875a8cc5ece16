// uses: STL LDL
// A function with an array of its own, called in a loop.
__device__ __noinline__ unsigned sort(const unsigned* in, unsigned rank) {
  unsigned box[12];
  for (int i = 0; i < 12; ++i) {
    int k = i;
    for (; k > 0 && box[k - 1] > in[i]; --k) box[k] = box[k - 1];
    box[k] = in[i];
  }
  return box[rank % 12];
}
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 4; ++i)
    out[threadIdx.x * 4 + i] = sort(in + threadIdx.x * 12 + i, in[i] + threadIdx.x);
}
