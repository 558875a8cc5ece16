// uses: QSPC
// Where a generic address leads.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[32];
  unsigned local[4] = {1, 2, 3, 4};
  const unsigned t = threadIdx.x;
  box[t] = t;
  local[in[t] & 3] = t;
  const void* const p = t % 3 == 0   ? (const void*)(out + t)
                        : t % 3 == 1 ? (const void*)(box + t)
                                     : (const void*)(local + (in[t] & 3));
  out[t] = __isGlobal(p) + 2 * __isShared(p) + 4 * __isLocal(p) + 8 * __isConstant(p);
  out[32 + t] = *(const volatile unsigned*)p * 0;
}
