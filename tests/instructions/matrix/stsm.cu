// stmatrix of one, two and four matrices, as they are and transposed, rows at shuffled places.
// input: integer
// archs: 90
// out: 768
// uses: STSM.16.M88.4 STSM.16.M88.2
// case: stsm TRANS=""
// uses: STSM.16.MT88.4 STSM.16.MT88.2
// case: stsm_trans TRANS=".trans"
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned rows[3][64 * 4];
  for (int i = threadIdx.x; i < 3 * 64 * 4; i += 32) rows[0][i] = 0;
  __syncthreads();
  const unsigned row = (threadIdx.x * 37 + 5) % 64;
  unsigned address[3];
  for (int i = 0; i < 3; ++i) address[i] = static_cast<unsigned>(__cvta_generic_to_shared(rows[i] + 4 * row));
  const unsigned* const w = in + 4 * threadIdx.x;
  asm volatile("stmatrix.sync.aligned.m8n8.x1" TRANS ".shared.b16 [%0], {%1};" ::"r"(address[0]), "r"(w[0])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2" TRANS ".shared.b16 [%0], {%1, %2};" ::"r"(address[1]),
               "r"(w[0]), "r"(w[1])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4" TRANS ".shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address[2]),
               "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])
               : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 3 * 64 * 4; i += 32) out[i] = rows[0][i];
}
