// movmatrix transposes the 8x8 matrix of a register.
// uses: MOVM.16.MT88
// input: integer
// out: 64
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int i = 0; i < 2; ++i) {
    unsigned d;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(in[32 * i + threadIdx.x]));
    out[32 * i + threadIdx.x] = d;
  }
}
