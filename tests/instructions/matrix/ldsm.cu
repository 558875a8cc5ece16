// ldmatrix of one, two and four matrices, as they are and transposed, rows at shuffled places.
// input: integer
// out: 224
// uses: LDSM.16.M88.4 LDSM.16.M88.2
// case: ldsm TRANS=""
// uses: LDSM.16.MT88.4 LDSM.16.MT88.2
// case: ldsm_trans TRANS=".trans"
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned rows[64 * 4];
  for (int i = threadIdx.x; i < 64 * 4; i += 32) rows[i] = in[i];
  __syncthreads();
  const unsigned row = (threadIdx.x * 37 + 5) % 64;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(rows + 4 * row));
  unsigned d[7];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1" TRANS ".shared.b16 {%0}, [%1];"
               : "=r"(d[0])
               : "r"(address)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2" TRANS ".shared.b16 {%0, %1}, [%2];"
               : "=r"(d[1]), "=r"(d[2])
               : "r"(address)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" TRANS ".shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6])
               : "r"(address)
               : "memory");
  for (int i = 0; i < 7; ++i) out[7 * threadIdx.x + i] = d[i];
}
