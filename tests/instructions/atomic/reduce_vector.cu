// uses: REDG.E.ADD.F32x2 REDG.E.ADD.F32x4
// input: small32
// archs: 90
// Sums of two and four float32 at once.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  float* const place = (float*)out + threadIdx.x * 8;
  const float* const f = (const float*)in + threadIdx.x * 8;
  for (int k = 0; k < 8; ++k) place[k] = f[k] * 3;
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(f[0]), "f"(f[1]), "f"(f[2]),
               "f"(f[3])
               : "memory");
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(place + 4), "f"(f[4]), "f"(f[5]) : "memory");
}
