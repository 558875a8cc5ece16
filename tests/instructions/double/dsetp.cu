// DSETP in every comparison that compilers emit, with an absolute source and a constant.
// uses: DSETP.GT DSETP.GEU DSETP.NEU
// input: float64
// out: 64
__device__ unsigned truths(double a, double b) {
  unsigned r = 0;
  r |= a < b ? 1u : 0u;
  r |= a <= b ? 2u : 0u;
  r |= a > b ? 4u : 0u;
  r |= a >= b ? 8u : 0u;
  r |= a == b ? 16u : 0u;
  r |= a != b ? 32u : 0u;
  r |= !(a < b) ? 64u : 0u;
  r |= !(a <= b) ? 128u : 0u;
  r |= !(a > b) ? 256u : 0u;
  r |= !(a >= b) ? 512u : 0u;
  r |= isnan(a) || isnan(b) ? 1024u : 0u;
  r |= fabs(a) > 1.0 && b < 2.0 ? 2048u : 0u;
  r |= isinf(b) ? 4096u : 0u;
  return r;
}
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  out[threadIdx.x] = truths(a, b);
  out[32 + threadIdx.x] = truths(a, threadIdx.x % 2 == 0 ? a : -a);
}
