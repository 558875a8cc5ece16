// uses: REDG.E.ADD.F32
// threads: 128
// blocks: 2
// Sums in global memory of numbers that add up exactly in any order.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  atomicAdd((float*)out + threadIdx.x % 4, (float)(in[threadIdx.x] & 1023));
  atomicAdd((float*)out + 8, 0.5f);
}
