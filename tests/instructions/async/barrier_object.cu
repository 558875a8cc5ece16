// uses: SYNCS.EXCH.64 SYNCS.ARRIVE.TRANS64.A1T0 SYNCS.ARRIVE.TRANS64 SYNCS.PHASECHK.TRANS64 SYNCS.CCTL.IV
// archs: 90
// One thread counts a barrier object through its phases: arrivals by one and by several, with bytes that are
// expected and come, and arrivals that later phases no longer wait for.
__device__ unsigned missing(unsigned long long state) {
  unsigned count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}
__device__ unsigned over(unsigned object, unsigned long long state) {
  unsigned result;
  asm volatile(
      "{\n.reg .pred p;\nmbarrier.test_wait.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
      : "=r"(result)
      : "r"(object), "l"(state)
      : "memory");
  return result;
}
__device__ unsigned parity_over(unsigned object, unsigned parity) {
  unsigned result;
  asm volatile(
      "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
      : "=r"(result)
      : "r"(object), "r"(parity)
      : "memory");
  return result;
}
__device__ unsigned long long arrive(unsigned object) {
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(object) : "memory");
  return state;
}
__device__ unsigned long long arrive_many(unsigned object, unsigned count) {
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(object), "r"(count) : "memory");
  return state;
}
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ __align__(8) unsigned long long place[2];
  if (threadIdx.x != 0) return;
  const unsigned object = (unsigned)__cvta_generic_to_shared(place);
  const unsigned count = in[0] % 9 + 4, bytes = in[1] % 1000 + 1;
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(object), "r"(count) : "memory");
  unsigned i = 0;
  // The first phase: all arrive, one by one, then the rest together.
  const unsigned long long first = arrive(object);
  out[i++] = missing(first), out[i++] = over(object, first);
  const unsigned long long second = arrive_many(object, 2);
  out[i++] = missing(second), out[i++] = parity_over(object, 0), out[i++] = parity_over(object, 1);
  const unsigned long long last = arrive_many(object, count - 3);
  out[i++] = missing(last), out[i++] = over(object, first), out[i++] = over(object, last);
  out[i++] = parity_over(object, 0), out[i++] = parity_over(object, 1);
  // The second: it also waits for bytes, some of which come before they are expected.
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(object), "r"(bytes) : "memory");
  unsigned long long with_bytes;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
               : "=l"(with_bytes)
               : "r"(object), "r"(bytes + 48)
               : "memory");
  out[i++] = missing(with_bytes);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(object), "r"(16) : "memory");
  arrive_many(object, count - 1);
  out[i++] = over(object, with_bytes), out[i++] = parity_over(object, 1);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(object), "r"(48) : "memory");
  out[i++] = over(object, with_bytes);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(object), "r"(16) : "memory");
  out[i++] = over(object, with_bytes), out[i++] = parity_over(object, 1);
  // The third: two arrive and leave, so the fourth waits for two fewer.
  asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(object) : "memory");
  asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0], %1;" ::"r"(object), "r"(1) : "memory");
  const unsigned long long third = arrive_many(object, count - 2);
  out[i++] = missing(third), out[i++] = over(object, third);
  const unsigned long long fourth = arrive(object);
  out[i++] = missing(fourth), out[i++] = over(object, fourth);
  arrive_many(object, count - 3);
  out[i++] = over(object, fourth);
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(object) : "memory");
}
