// uses: ATOM
// input: small16
// Sums of pairs of float16 in global memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned* const place = out + threadIdx.x * 8;
  for (int k = 0; k < 4; ++k) {
    place[k] = in[threadIdx.x * 4 + k];
    unsigned old;
    asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(place + k), "r"(in[1000 + threadIdx.x * 4 + k])
                 : "memory");
    place[4 + k] = old;
  }
}
