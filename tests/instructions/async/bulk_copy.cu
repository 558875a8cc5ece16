// uses: UBLKCP.S.G SYNCS.PHASECHK.TRANS64.TRYWAIT SYNCS.ARRIVE.TRANS64
// archs: 90
// threads: 128
// out: 512
// Global to shared memory by one thread: 16 to 512 bytes at a time, in four turns through two buffers. The warps
// wait for a buffer's bytes, and the thread that copies waits for the warps.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned box[2][128];
  __shared__ __align__(8) unsigned long long full[2], empty[2];
  const unsigned t = threadIdx.x;
  const auto at = [](const void* p) { return (unsigned)__cvta_generic_to_shared(p); };
  const auto wait = [](unsigned object, unsigned parity) {
    asm volatile(
        "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(object),
        "r"(parity)
        : "memory");
  };
  if (t == 0)
    for (int i = 0; i < 2; ++i) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(at(&empty[i])) : "memory");
    }
  __syncthreads();
  for (int turn = 0; turn < 4; ++turn) {
    const int i = turn % 2;
    if (t == 0) {
      if (turn >= 2) wait(at(&empty[i]), 0);
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(at(&full[i])) : "memory");
      const unsigned sizes[4] = {16, 112, 128, 256};
      unsigned done = 0;
      for (unsigned n = 0; n < 4; ++n) {
        const unsigned bytes = sizes[(n + turn) % 4];
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                at(box[i]) + done),
            "l"((const char*)in + turn * 512 + done), "r"(bytes), "r"(at(&full[i]))
            : "memory");
        done += bytes;
      }
    }
    wait(at(&full[i]), turn / 2);
    out[turn * 128 + t] = box[i][t ^ 5] + turn;
    __syncwarp();
    if (t % 32 == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(&empty[i])) : "memory");
  }
}
