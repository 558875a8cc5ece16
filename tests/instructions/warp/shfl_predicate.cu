// uses: SHFL.IDX
// out: 128
// Whether the lane asked for is in range, by a clamp of one's own.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 4;
  unsigned x, p;
  asm volatile("{.reg .pred p; shfl.sync.idx.b32 %0|p, %2, %3, 0x0817, 0xffffffff; selp.u32 %1, 1, 0, p;}"
               : "=r"(x), "=r"(p)
               : "r"(a), "r"(b));
  o[0] = x, o[1] = p;
  asm volatile("{.reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, 0x1c1f, 0xffffffff; selp.u32 %1, 1, 0, p;}"
               : "=r"(x), "=r"(p)
               : "r"(a), "r"(b));
  o[2] = x, o[3] = p;
}
