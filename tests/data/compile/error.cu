extern "C" __global__ void error(float* out) {
  int unused = 3;
  out[0] = 1.0f;
  out[threadIdx.x] = absent + 1.0f;
}
