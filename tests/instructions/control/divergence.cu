// uses: BSSY BSYNC
// Loops of different length inside branches, left early by break and continue.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned x = in[threadIdx.x];
  for (unsigned i = 0; i < threadIdx.x + 3; ++i) {
    if ((x & 7) == i) continue;
    if ((x & 31) == 13 && i > 4) break;
    if (x & 1) {
      for (unsigned k = x & 3; k < 5; ++k) x = x * 1664525 + 1013904223 + k;
    } else {
      x = x >> 1 ^ in[i];
    }
  }
  out[threadIdx.x] = x;
  out[32 + threadIdx.x] = __ballot_sync(~0u, x & 1);
}
