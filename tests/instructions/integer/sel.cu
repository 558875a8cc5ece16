// uses: SEL
// A choice by a predicate.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("{.reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, %2, %3, p;}" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[i] = x;
  }
}
