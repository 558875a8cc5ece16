// uses: LDL STL
// An array whose index is not known before: local memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned box[64];
  for (int i = 0; i < 64; ++i) box[i] = i;
  for (int i = 0; i < 64; ++i) box[(i * 7 + in[i]) & 63] = in[i + threadIdx.x];
  unsigned sum = 0;
  for (int i = 0; i < 64; ++i) sum = sum * 31 + box[in[threadIdx.x + i] & 63];
  for (int i = 0; i < 64; ++i) box[in[i + 100] & 63] += i;
  for (int i = 0; i < 8; ++i) out[threadIdx.x * 8 + i] = box[in[threadIdx.x + i] & 63] + sum;
}
