// uses: EXIT
// threads: 96
// Lanes that leave before a barrier and a vote of the others.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (in[t] % 5 == 0) return;
  out[t] = in[t];
  if (t >= 64) return;
  out[128 + t] = __popc(__activemask()) != 0 ? in[t + 1] : 0;
}
