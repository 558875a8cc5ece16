// uses: S2R
// out: 192
// Special registers of the lane.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 6;
  unsigned x;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));
  o[0] = x;
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(x));
  o[1] = x;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(x));
  o[2] = x;
  asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(x));
  o[3] = x;
  asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(x));
  o[4] = x;
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(x));
  o[5] = x;
}
