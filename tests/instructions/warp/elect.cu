// uses: ELECT
// archs: 90
// out: 128
// One lane for all.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 4;
  unsigned x, p;
  asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p;}" : "=r"(x), "=r"(p));
  o[0] = x, o[1] = p;
  if (t >= 5) {
    asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffe0; selp.u32 %1, 1, 0, p;}" : "=r"(x), "=r"(p));
    o[2] = x, o[3] = p;
  }
}
