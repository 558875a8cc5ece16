// uses: SEL
// out: 512
// A choice by a predicate.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const bool less = (int)a < (int)b;
    const unsigned x = less ? b : c, y = less ? c : a;
    out[2 * i] = x * 3 + y;
    out[2 * i + 1] = x ^ y;
  }
}
