// uses: SHF.L.W SHF.R.W
// out: 1024
// Funnel shifts that wrap and that clamp.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[4 * i] = __funnelshift_l(a, b, c), out[4 * i + 1] = __funnelshift_r(a, b, c);
    out[4 * i + 2] = __funnelshift_lc(a, b, c), out[4 * i + 3] = __funnelshift_rc(a, b, c);
  }
}
