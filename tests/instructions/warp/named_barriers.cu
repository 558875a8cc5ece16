// uses: BAR.ARV BAR.SYNC
// threads: 96
// Producers that only arrive, consumers that wait: named barriers with counts.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[64];
  const unsigned t = threadIdx.x;
  if (t < 64) {
    box[t] = in[t];
    asm volatile("bar.arrive 3, 96;" ::: "memory");
    asm volatile("bar.sync 4, 64;" ::: "memory");
    out[t] = box[63 - t];
  } else {
    asm volatile("bar.sync 3, 96;" ::: "memory");
    out[t] = box[t - 64] + box[t - 32];
  }
}
