// uses: POPC
// Set bits, of 32 and 64.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    out[i] = __popc(a) + 64 * __popc(~b) + 4096 * __popcll((unsigned long long)a << 32 | b);
  }
}
