// FSETP in every comparison that compilers emit; flushing.
// uses: FSETP.GT FSETP.GEU FSETP.NEU
// input: float32
// out: 64
__device__ unsigned truths(float a, float b) {
  unsigned r = 0, flushed;
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
  r |= fabsf(a) > 1.0f && b < 2.0f ? 2048u : 0u;
  asm("{ .reg .pred p; setp.eq.ftz.f32 p, %1, 0f00000000; selp.u32 %0, 4096, 0, p; }" : "=r"(flushed) : "f"(a));
  r |= flushed;
  return r;
}
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  out[threadIdx.x] = truths(a, b);
  out[32 + threadIdx.x] = truths(a, threadIdx.x % 2 == 0 ? a : -a);
}
