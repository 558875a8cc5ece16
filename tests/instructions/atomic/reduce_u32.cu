// uses: REDG
// threads: 64
// blocks: 2
// Operations whose old value nobody wants, by every thread of two blocks.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  atomicAdd(out + i % 8, in[i]);
  atomicMax(out + 8 + i % 8, in[i]);
  atomicOr(out + 16 + i % 8, in[i]);
  atomicXor(out + 24 + i % 8, in[i]);
  atomicMax((int*)out + 32 + i % 8, (int)in[i]);
  atomicAdd((unsigned long long*)out + 20 + i % 4, (unsigned long long)in[i] << 16);
  atomicInc(out + 48 + i % 8, 5);
}
