// uses: LD.E ST.E
// Through a pointer that may lead to global, shared or local memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[32];
  const unsigned t = threadIdx.x;
  volatile unsigned local[4];
  for (int i = 0; i < 4; ++i) local[i] = 100 + i;
  for (int i = 0; i < 4; ++i) local[(i + in[i]) & 3] = in[t * 4 + i];
  box[t] = in[t];
  __syncthreads();
  const unsigned kind = in[t + 7] % 3;
  volatile unsigned* const p = kind == 0 ? out + t : kind == 1 ? box + t : local + (t & 3);
  const unsigned before = *p;
  *p = before + 5;
  __syncthreads();
  out[64 + t] = before, out[96 + t] = box[t], out[128 + t] = local[t & 3], out[160 + t] = out[t];
}
