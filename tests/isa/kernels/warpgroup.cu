// Matrix products of a warpgroup and its registers; needs sm_90a.
#include <cuda_runtime.h>
#include <cstdint>
#define F(i) "+f"(c[i])
#define F4(i) F(i), F(i + 1), F(i + 2), F(i + 3)
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
#define U(i) "+r"(((uint32_t*)c)[i])
#define U4(i) U(i), U(i + 1), U(i + 2), U(i + 3)
#define HEAD                                                                     \
  extern __shared__ float c_in[];                                                \
  float c[64];                                                                   \
  for (int i = 0; i < 64; ++i) c[i] = c_in[i * 128 + threadIdx.x];               \
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#define TAIL                                                                     \
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; wgmma.wait_group.sync.aligned 0;" ::: "memory"); \
  for (int i = 0; i < 64; ++i) out[i * 128 + threadIdx.x] = c[i];
#define N8 "{%0,%1,%2,%3}"
#define N16 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define N32 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define GROUP8(NAME, TYPES, TAIL_TEXT)                                                                                    \
  extern "C" __global__ void NAME(float* out, uint64_t a, uint64_t b, int go) {                                           \
    HEAD asm volatile("{.reg .pred p; setp.ne.s32 p, %6, 0; wgmma.mma_async.sync.aligned." TYPES " " N8 ", %4, %5, p" TAIL_TEXT ";}" : F4(0) : "l"(a), "l"(b), "r"(go)); TAIL \
  }
#define GROUP32(NAME, TYPES, TAIL_TEXT)                                                                                   \
  extern "C" __global__ void NAME(float* out, uint64_t a, uint64_t b, int go) {                                           \
    HEAD asm volatile("wgmma.mma_async.sync.aligned." TYPES " " N32 ", %16, %17, 1" TAIL_TEXT ";" : F16(0) : "l"(a), "l"(b)); \
    asm volatile("wgmma.mma_async.sync.aligned." TYPES " " N32 ", %16, %17, 0" TAIL_TEXT ";" : F16(16) : "l"(a + 2), "l"(b + 2)); TAIL \
  }
#define REGISTER_A(NAME, TYPES, TAIL_TEXT)                                                                                \
  extern "C" __global__ void NAME(float* out, uint64_t a, uint64_t b, int go) {                                           \
    HEAD uint32_t x = (uint32_t)a + threadIdx.x, y = (uint32_t)b ^ threadIdx.x;                                           \
    asm volatile("{.reg .pred p; setp.ne.s32 p, %7, 0; wgmma.mma_async.sync.aligned." TYPES " " N8 ", {%4,%5,%4,%5}, %6, p" TAIL_TEXT ";}" : F4(0) : "r"(x), "r"(y), "l"(b), "r"(go)); TAIL \
  }
#define INTEGER8(NAME, TYPES)                                                                                             \
  extern "C" __global__ void NAME(float* out, uint64_t a, uint64_t b, int go) {                                           \
    HEAD uint32_t r[4] = {__float_as_uint(c[0]), __float_as_uint(c[1]), __float_as_uint(c[2]), __float_as_uint(c[3])};    \
    asm volatile("{.reg .pred p; setp.ne.s32 p, %6, 0; wgmma.mma_async.sync.aligned." TYPES " " N8 ", %4, %5, p;}" : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]) : "l"(a), "l"(b), "r"(go)); \
    asm volatile("{.reg .pred p; setp.ne.s32 p, %7, 0; wgmma.mma_async.sync.aligned." TYPES " " N8 ", {%4,%5,%4,%5}, %6, p;}" : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]) : "r"((int)a), "r"((int)b), "l"(b), "r"(go)); \
    TAIL out[0] = __uint_as_float(r[0] + r[1] + r[2] + r[3]);                                                             \
  }
#define HALF8(NAME, TYPES, TAIL_TEXT)                                                                                     \
  extern "C" __global__ void NAME(float* out, uint64_t a, uint64_t b, int go) {                                           \
    HEAD uint32_t r[2] = {__float_as_uint(c[0]), __float_as_uint(c[1])};                                                  \
    asm volatile("wgmma.mma_async.sync.aligned." TYPES " {%0,%1}, %2, %3, 1" TAIL_TEXT ";" : "+r"(r[0]), "+r"(r[1]) : "l"(a), "l"(b)); \
    TAIL out[0] = __uint_as_float(r[0] + r[1]);                                                                           \
  }
#define SPARSE8(NAME, TYPES, SEL, TAIL_TEXT)                                                                              \
  extern "C" __global__ void NAME(float* out, uint64_t a, uint64_t b, int meta) {                                         \
    HEAD asm volatile("wgmma.mma_async.sp.sync.aligned." TYPES " " N8 ", %4, %5, %6, " SEL ", 1" TAIL_TEXT ";" : F4(0) : "l"(a), "l"(b), "r"(meta + (int)threadIdx.x)); TAIL \
  }
GROUP8(wg_f16, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
GROUP8(wg_f16_signs, "m64n8k16.f32.f16.f16", ", -1, 1, 1, 0")
GROUP8(wg_f16_signs2, "m64n8k16.f32.f16.f16", ", 1, -1, 0, 1")
GROUP8(wg_bf16, "m64n8k16.f32.bf16.bf16", ", 1, 1, 1, 1")
GROUP8(wg_tf32, "m64n8k8.f32.tf32.tf32", ", -1, -1")
GROUP8(wg_e4m3, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
GROUP8(wg_e5m2, "m64n8k32.f32.e5m2.e5m2", ", 1, 1")
GROUP8(wg_e4m3_e5m2, "m64n8k32.f32.e4m3.e5m2", ", -1, 1")
GROUP8(wg_e5m2_e4m3, "m64n8k32.f32.e5m2.e4m3", ", 1, -1")
GROUP32(wg_f16_32, "m64n32k16.f32.f16.f16", ", 1, 1, 0, 0")
GROUP32(wg_bf16_32, "m64n32k16.f32.bf16.bf16", ", 1, 1, 0, 1")
GROUP32(wg_tf32_32, "m64n32k8.f32.tf32.tf32", ", 1, 1")
GROUP32(wg_e4m3_32, "m64n32k32.f32.e4m3.e4m3", ", 1, 1")
REGISTER_A(wg_reg_f16, "m64n8k16.f32.f16.f16", ", 1, 1, 0")
REGISTER_A(wg_reg_bf16, "m64n8k16.f32.bf16.bf16", ", -1, 1, 1")
REGISTER_A(wg_reg_tf32, "m64n8k8.f32.tf32.tf32", ", 1, -1")
REGISTER_A(wg_reg_e5m2, "m64n8k32.f32.e5m2.e4m3", ", 1, 1")
INTEGER8(wg_s8, "m64n8k32.s32.s8.s8")
INTEGER8(wg_u8, "m64n8k32.s32.u8.u8")
INTEGER8(wg_s8u8, "m64n8k32.s32.s8.u8.satfinite")
INTEGER8(wg_u8s8, "m64n8k32.s32.u8.s8")
INTEGER8(wg_b1, "m64n8k256.s32.b1.b1.and.popc")
HALF8(wg_half, "m64n8k16.f16.f16.f16", ", 1, 1, 0, 0")
HALF8(wg_half_fp8, "m64n8k32.f16.e4m3.e5m2", ", 1, 1")
SPARSE8(wg_sp_f16, "m64n8k32.f32.f16.f16", "0", ", 1, 1, 0, 0")
SPARSE8(wg_sp_bf16, "m64n8k32.f32.bf16.bf16", "1", ", 1, 1, 1, 0")
SPARSE8(wg_sp_tf32, "m64n8k16.f32.tf32.tf32", "0", ", 1, 1")
SPARSE8(wg_sp_e4m3, "m64n8k64.f32.e4m3.e4m3", "0", ", 1, 1")
extern "C" __global__ void __launch_bounds__(384) registers_by_role(float* out, int n) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    out[threadIdx.x] = n;
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    float s = 0;
    for (int i = 0; i < n; ++i) s += out[i * 128 + threadIdx.x];
    out[threadIdx.x] = s;
  }
}
