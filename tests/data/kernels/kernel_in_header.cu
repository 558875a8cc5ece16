// Only the launch: the kernel and a host helper stand in a header beside.
#include "kernel_in_header.cuh"

static const int kTile = 16;

void multiply(int n, const float *a, const float *b, float *c) {
  const dim3 grid(blocks_for(n, kTile), blocks_for(n, kTile)), block(kTile, kTile);
  tiled<kTile><<<grid, block>>>(n, a, b, c);
  report("done");
}
