// uses: LDG.E.EF STG.E.EF
// Hints for the caches change no value.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  __stcs(out + t, __ldcs(in + t));
  __stcg(out + 32 + t, __ldcg(in + 32 + t));
  __stwt(out + 64 + t, __ldca(in + 64 + t));
  __stwb(out + 96 + t, __ldlu(in + 96 + t));
  out[128 + t] = __ldcv(in + 128 + t);
  unsigned x;
  asm volatile("ld.global.L1::evict_last.u32 %0, [%1];" : "=r"(x) : "l"(in + 160 + t));
  asm volatile("st.global.L1::no_allocate.u32 [%0], %1;" ::"l"(out + 160 + t), "r"(x) : "memory");
  asm volatile("ld.global.L2::128B.u32 %0, [%1];" : "=r"(x) : "l"(in + 192 + t));
  out[192 + t] = x;
}
