// uses: BRA
// Conditions that are only looked at if those before hold.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, i = in[t];
  unsigned x = 0;
  if (i < 4096 && in[i] != 0 && (in[i] & 4095) < 4096 && in[in[i] & 4095] > 3) x = in[i] + 1;
  while (x != 0 && (x & 1) == 0) x >>= 1;
  out[t] = x;
}
