// uses: BAR
// threads: 64
// A barrier whose number and count are not known before.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[64];
  const unsigned t = threadIdx.x, half = t / 32;
  const int id = (int)half + 1 + (int)(in[0] >> 31 >> 1), count = 32 + (int)(in[0] >> 31 >> 1);
  box[t] = in[t];
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
  out[t] = box[half * 32 + (31 - t % 32)];
}
