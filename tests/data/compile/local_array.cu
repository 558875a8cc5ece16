// The index is not known to the compiler, so the array lies in local memory: 256 bytes of stack, nothing spilled.
extern "C" __global__ void local_array(int* out, const int* in, int n) {
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = in[i] * n;
  for (int i = 0; i < n; ++i) values[values[i & 63] & 63] += i;
  out[threadIdx.x] = values[n & 63];
}
