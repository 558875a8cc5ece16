// uses: UIMAD ULEA UMOV
// blocks: 4
// Arithmetic that is the same for the whole warp, in part on the uniform datapath.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[64];
  box[threadIdx.x] = in[threadIdx.x], box[threadIdx.x + 32] = in[threadIdx.x + 32];
  __syncthreads();
  unsigned sum = threadIdx.x;
#pragma unroll 1
  for (unsigned k = 0, step = gridDim.x; k < gridDim.x * 13; k += 3, step = (step * 5 + k) & 31) {
    const unsigned bits = (k << 2 | step >> 1) ^ 0x2a;
    if ((step & 3) == 1) sum += box[min(k, step)] * bits;
    sum ^= box[(bits + step) & 63] + __popc(bits) + __brev(step) + __clz(bits);
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
