// uses: S2R
// threads: 40
// blocks: 3
// out: 960
// Special registers of the block and the grid.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned* const o = out + (blockIdx.x * 40 + threadIdx.x) * 8;
  o[0] = threadIdx.x, o[1] = threadIdx.y, o[2] = blockIdx.x, o[3] = blockIdx.y;
  o[4] = blockDim.x, o[5] = blockDim.y, o[6] = gridDim.x, o[7] = gridDim.z + in[0] * 0;
}
