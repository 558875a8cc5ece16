// uses: CALL
// A function chosen by a number.
typedef unsigned (*Function)(unsigned);
__device__ __noinline__ unsigned f0(unsigned x) { return x * 3 + 1; }
__device__ __noinline__ unsigned f1(unsigned x) { return x ^ 0x5555; }
__device__ __noinline__ unsigned f2(unsigned x) { return __popc(x); }
__device__ Function functions[3] = {f0, f1, f2};
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = functions[in[threadIdx.x] % 3](in[threadIdx.x + 32]);
}
