// uses: ATOMG.E.CAS ATOMG.E.EXCH
// threads: 256
// A lock that one thread of each warp takes in turn.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  volatile unsigned* const shared_sum = out + 1;
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(out, 0u, 1u) != 0u) {
    }
    __threadfence();
    shared_sum[0] = shared_sum[0] + in[threadIdx.x];
    __threadfence();
    atomicExch(out, 0u);
  }
}
