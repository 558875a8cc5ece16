// uses: BRX
// A jump table.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned x = in[threadIdx.x + 32];
  const unsigned kind = in[threadIdx.x] & 3;
  asm volatile(
      "{ways: .branchtargets way0, way1, way2, way3; brx.idx %1, ways;"
      "way0: add.u32 %0, %0, 17; bra done; way1: mul.lo.u32 %0, %0, 3; way2: xor.b32 %0, %0, 0xff00; bra "
      "done;"
      "way3: popc.b32 %0, %0; done: }"
      : "+r"(x)
      : "r"(kind));
  out[threadIdx.x] = x;
}
