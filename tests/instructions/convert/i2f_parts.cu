// I2F of bytes and halves of a register.
// uses: I2F.S8 I2F.U16 I2F.S16
extern "C" __global__ void test(const unsigned* in, float* out) {
  const unsigned a = in[threadIdx.x];
  float* const o = out + 8 * threadIdx.x;
  o[0] = (float)(unsigned char)a;
  o[1] = (float)(signed char)a;
  o[2] = (float)(unsigned char)(a >> 8);
  o[3] = (float)(signed char)(a >> 24);
  o[4] = (float)(unsigned short)a;
  o[5] = (float)(short)a;
  o[6] = (float)(short)(a >> 16);
  o[7] = (float)(unsigned char)(a >> 16);
}
