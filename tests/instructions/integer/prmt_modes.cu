// uses: PRMT.F4E PRMT.B4E PRMT.RC8 PRMT.ECL PRMT.ECR PRMT.RC16
// out: 1536
// The modes that take only two bits of the selector.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 0] = x;
    asm volatile("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 1] = x;
    asm volatile("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 2] = x;
    asm volatile("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 3] = x;
    asm volatile("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 4] = x;
    asm volatile("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 5] = x;
  }
}
