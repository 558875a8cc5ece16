// uses: QSPC.E.D
// archs: 90
// Shared memory of the block is part of that of its cluster.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[32];
  const unsigned t = threadIdx.x;
  box[t] = in[t];
  const void* const p = in[t] & 1 ? (const void*)(out + t) : (const void*)(box + t);
  unsigned x;
  asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(x) : "l"(p));
  out[t] = x;
}
