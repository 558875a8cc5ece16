// 96 values are alive at once, but a block of 1,024 threads leaves each only 64 registers: some must be spilled.
extern "C" __global__ void __launch_bounds__(1024) spills(float* out, const float* in) {
  float values[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) values[i] = in[i * 1024 + threadIdx.x];
#pragma unroll
  for (int round = 0; round < 2; ++round) {
#pragma unroll
    for (int i = 0; i < 96; ++i) values[i] = values[i] * values[(i + 7) % 96] + values[(i + 29) % 96];
  }
#pragma unroll
  for (int i = 0; i < 96; ++i) out[i * 1024 + threadIdx.x] = values[i];
}
