// uses: STRONG
// Volatile, relaxed, acquire and release accesses, and fences.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned x, y;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(in + t) : "memory");
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(y) : "l"(in + 32 + t) : "memory");
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(out + t), "r"(x + y) : "memory");
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(out + 32 + t), "r"(x - y) : "memory");
}
