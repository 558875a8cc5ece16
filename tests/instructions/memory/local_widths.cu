// uses: LDL.64 STL.128
// Wide accesses to local memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  uint4 box[8];
  for (int i = 0; i < 8; ++i) box[(i + in[t]) & 7] = make_uint4(i, in[t + i], i * t, ~in[i]);
  const uint2 pair = ((const uint2*)box)[in[t + 1] & 15];
  out[t * 4] = pair.x, out[t * 4 + 1] = pair.y;
  const uint4 quad = box[in[t + 2] & 7];
  out[t * 4 + 2] = quad.x ^ quad.w, out[t * 4 + 3] = quad.y + quad.z + ((unsigned char*)box)[in[t + 3] & 127];
}
