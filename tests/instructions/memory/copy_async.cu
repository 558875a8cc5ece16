// uses: LDGSTS.E LDGSTS.E.64 LDGSTS.E.128
// out: 512
// archs: 80 86 89 90
// Global to shared memory without a register: 4, 8 and 16 bytes, copied whole, in part and not at all.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned box[32 * 16];
  const unsigned t = threadIdx.x;
  for (int i = 0; i < 16; ++i) box[t * 16 + i] = 0xeeeeeeee;
  __syncwarp();
  const unsigned s = (unsigned)__cvta_generic_to_shared(box + t * 16);
  const unsigned* const g = in + t * 16;
  const unsigned some = in[t] % 17;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(g) : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(s + 16), "l"(g + 4), "r"(some)
               : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(s + 32), "l"(g + 8), "r"(some / 2)
               : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(s + 40), "l"(g + 10), "r"(some / 4)
               : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s + 44), "l"(g + 11) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, 0;" ::"r"(s + 48), "l"(g + 12) : "memory");
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int i = 0; i < 16; ++i) out[t * 16 + i] = box[t * 16 + i];
}
