// uses: CALL LDL STL BMOV
// A function that calls itself, to a different depth in each lane.
__device__ __noinline__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 12);
  out[32 + threadIdx.x] = ackermann(in[threadIdx.x] & 1, threadIdx.x & 3);
}
