// Conversions between all types, in every rounding.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cstdint>
#define CVT(D, S, DT, ST, M, DR, SR)                                                        \
  { DT d; ST s = ((const ST*)in)[k++ * 32 + threadIdx.x]; asm volatile("cvt" M "." D "." S " %0, %1;" : "=" DR(d) : SR(s)); ((DT*)out)[k * 32 + threadIdx.x] = d; }
#define KERNEL(NAME, ...) extern "C" __global__ void NAME(const void* in, void* out) { int k = 0; __VA_ARGS__ }
#define F2I(M)                                                                              \
  CVT("s32", "f32", int, float, M, "r", "f") CVT("u32", "f32", unsigned, float, M, "r", "f") \
  CVT("s64", "f32", long long, float, M, "l", "f") CVT("u64", "f32", unsigned long long, float, M, "l", "f") \
  CVT("s16", "f32", short, float, M, "h", "f") CVT("u16", "f32", unsigned short, float, M, "h", "f") \
  CVT("s32", "f64", int, double, M, "r", "d") CVT("u32", "f64", unsigned, double, M, "r", "d") \
  CVT("s64", "f64", long long, double, M, "l", "d") CVT("u64", "f64", unsigned long long, double, M, "l", "d") \
  CVT("s32", "f16", int, short, M, "r", "h") CVT("u32", "f16", unsigned, short, M, "r", "h") \
  CVT("s64", "f16", long long, short, M, "l", "h") CVT("u16", "f16", unsigned short, short, M, "h", "h") \
  CVT("s8", "f32", int, float, M, "r", "f") CVT("u8", "f32", unsigned, float, M, "r", "f")
KERNEL(f2i_n, F2I(".rni")) KERNEL(f2i_z, F2I(".rzi")) KERNEL(f2i_m, F2I(".rmi")) KERNEL(f2i_p, F2I(".rpi"))
KERNEL(f2i_ftz, CVT("s32", "f32", int, float, ".rni.ftz", "r", "f") CVT("u64", "f32", unsigned long long, float, ".rzi.ftz", "l", "f") CVT("s32", "f32", int, float, ".rzi.ftz.sat", "r", "f"))
#define I2F(M)                                                                              \
  CVT("f32", "s32", float, int, M, "f", "r") CVT("f32", "u32", float, unsigned, M, "f", "r") \
  CVT("f32", "s64", float, long long, M, "f", "l") CVT("f32", "u64", float, unsigned long long, M, "f", "l") \
  CVT("f32", "s16", float, short, M, "f", "h") CVT("f32", "u16", float, unsigned short, M, "f", "h") \
  CVT("f32", "u8", float, unsigned, M, "f", "r") CVT("f32", "s8", float, int, M, "f", "r") \
  CVT("f64", "s32", double, int, M, "d", "r") CVT("f64", "u32", double, unsigned, M, "d", "r") \
  CVT("f64", "s64", double, long long, M, "d", "l") CVT("f64", "u64", double, unsigned long long, M, "d", "l") \
  CVT("f64", "s16", double, short, M, "d", "h") CVT("f64", "u8", double, unsigned, M, "d", "r") \
  CVT("f16", "s32", short, int, M, "h", "r") CVT("f16", "u16", short, unsigned short, M, "h", "h") \
  CVT("f16", "s64", short, long long, M, "h", "l") CVT("f16", "s8", short, int, M, "h", "r")
KERNEL(i2f_n, I2F(".rn")) KERNEL(i2f_z, I2F(".rz")) KERNEL(i2f_m, I2F(".rm")) KERNEL(i2f_p, I2F(".rp"))
#define ROUNDS(M) CVT("f32", "f32", float, float, M, "f", "f") CVT("f64", "f64", double, double, M, "d", "d") CVT("f16", "f16", short, short, M, "h", "h")
KERNEL(frnd, ROUNDS(".rni") ROUNDS(".rzi") ROUNDS(".rmi") ROUNDS(".rpi") CVT("f32", "f32", float, float, ".rni.ftz", "f", "f") CVT("f32", "f32", float, float, ".rzi.sat", "f", "f") CVT("f32", "f32", float, float, ".sat", "f", "f") CVT("f32", "f32", float, float, ".ftz.sat", "f", "f"))
#define NARROW(M) CVT("f32", "f64", float, double, M, "f", "d") CVT("f16", "f32", short, float, M, "h", "f") CVT("f16", "f64", short, double, M, "h", "d")
KERNEL(f2f, NARROW(".rn") NARROW(".rz") NARROW(".rm") NARROW(".rp") CVT("f64", "f32", double, float, "", "d", "f") CVT("f32", "f16", float, short, "", "f", "h") CVT("f64", "f16", double, short, "", "d", "h")
  CVT("f64", "f32", double, float, ".ftz", "d", "f") CVT("f32", "f64", float, double, ".rn.ftz", "f", "d") CVT("f16", "f32", short, float, ".rn.ftz", "h", "f") CVT("f16", "f32", short, float, ".rn.sat", "h", "f") CVT("f32", "f16", float, short, ".ftz", "f", "h") CVT("f32", "f64", float, double, ".rn.sat", "f", "d"))
KERNEL(saturating, CVT("s8", "s32", int, int, ".sat", "r", "r") CVT("u8", "s32", int, int, ".sat", "r", "r") CVT("s16", "s32", short, int, ".sat", "h", "r") CVT("u16", "s32", short, int, ".sat", "h", "r") CVT("u32", "s32", unsigned, int, ".sat", "r", "r") CVT("s32", "u32", int, unsigned, ".sat", "r", "r")
  CVT("s32", "s64", int, long long, ".sat", "r", "l") CVT("u8", "u32", unsigned, unsigned, ".sat", "r", "r") CVT("u16", "u64", short, unsigned long long, ".sat", "h", "l") CVT("s8", "s16", int, short, ".sat", "r", "h") CVT("u64", "s64", unsigned long long, long long, ".sat", "l", "l"))
KERNEL(integers, CVT("s32", "s8", int, int, "", "r", "r") CVT("s64", "s8", long long, int, "", "l", "r") CVT("u32", "u16", unsigned, unsigned short, "", "r", "h") CVT("s64", "s32", long long, int, "", "l", "r") CVT("u64", "u32", unsigned long long, unsigned, "", "l", "r") CVT("s16", "s8", short, int, "", "h", "r"))
#if __CUDA_ARCH__ >= 800
#define PACK(D, M) { unsigned d; float a = ((float*)in)[k], b = ((float*)in)[32 + k++]; asm volatile("cvt" M "." D ".f32 %0, %1, %2;" : "=r"(d) : "f"(a), "f"(b)); ((unsigned*)out)[k * 32 + threadIdx.x] = d; asm volatile("cvt" M "." D ".f32 %0, %1, %2;" : "=r"(d) : "f"(a), "f"(0.f)); ((unsigned*)out)[k++ * 32 + threadIdx.x] = d; }
#define ONE(D, M) CVT(D, "f32", short, float, M, "h", "f")
KERNEL(packs, PACK("f16x2", ".rn") PACK("f16x2", ".rz") PACK("f16x2", ".rn.relu") PACK("f16x2", ".rz.relu") PACK("bf16x2", ".rn") PACK("bf16x2", ".rz") PACK("bf16x2", ".rn.relu") PACK("bf16x2", ".rz.relu")
  ONE("bf16", ".rn") ONE("bf16", ".rz") ONE("bf16", ".rn.relu") ONE("f16", ".rn.relu") ONE("f16", ".rz.relu") CVT("tf32", "f32", unsigned, float, ".rna", "r", "f"))
KERNEL(packs_sat, PACK("f16x2", ".rn.satfinite") PACK("bf16x2", ".rn.relu.satfinite") ONE("bf16", ".rn.satfinite") ONE("f16", ".rn.relu.satfinite") CVT("tf32", "f32", unsigned, float, ".rna.satfinite", "r", "f"))
#endif
#if __CUDA_ARCH__ >= 900
KERNEL(bf16_all, CVT("f32", "bf16", float, short, "", "f", "h") CVT("tf32", "f32", unsigned, float, ".rn", "r", "f") CVT("tf32", "f32", unsigned, float, ".rz", "r", "f") CVT("tf32", "f32", unsigned, float, ".rn.relu", "r", "f") 
  CVT("bf16", "s32", short, int, ".rn", "h", "r") CVT("bf16", "u64", short, unsigned long long, ".rz", "h", "l") CVT("s32", "bf16", int, short, ".rzi", "r", "h") CVT("u64", "bf16", unsigned long long, short, ".rni", "l", "h") 
  CVT("bf16", "f64", short, double, ".rn", "h", "d") CVT("f64", "bf16", double, short, "", "d", "h") CVT("bf16", "bf16", short, short, ".rni", "h", "h") CVT("bf16", "u16", short, unsigned short, ".rp", "h", "h") CVT("s16", "bf16", short, short, ".rmi", "h", "h"))
#endif
#if __CUDA_ARCH__ >= 890
#define FP8(D, M) { unsigned short d; float a = ((float*)in)[k], b = ((float*)in)[32 + k++]; asm volatile("cvt" M "." D ".f32 %0, %1, %2;" : "=h"(d) : "f"(a), "f"(b)); ((unsigned short*)out)[k * 32 + threadIdx.x] = d; }
KERNEL(fp8, FP8("e4m3x2", ".rn.satfinite") FP8("e5m2x2", ".rn.satfinite") FP8("e4m3x2", ".rn.satfinite.relu") FP8("e5m2x2", ".rn.satfinite.relu")
  CVT("e4m3x2", "f16x2", short, unsigned, ".rn.satfinite", "h", "r") CVT("e5m2x2", "f16x2", short, unsigned, ".rn.satfinite.relu", "h", "r") CVT("f16x2", "e4m3x2", unsigned, short, ".rn", "r", "h") CVT("f16x2", "e5m2x2", unsigned, short, ".rn", "r", "h") )
#endif
extern "C" __global__ void fp8_types(const float4* in, __nv_fp8x4_e4m3* a, __nv_fp8x4_e5m2* b, float4* out, __half2* h, __nv_bfloat162* g) {
  const int t = threadIdx.x;
  a[t] = __nv_fp8x4_e4m3(in[t]), b[t] = __nv_fp8x4_e5m2(in[t + 32]);
  out[t] = float4(a[t + 7]), out[t + 32] = float4(b[t + 9]);
  ((__nv_fp8x2_e4m3*)b)[t + 999] = __nv_fp8x2_e4m3(h[t]);
  ((__nv_fp8x2_e5m2*)a)[t + 999] = __nv_fp8x2_e5m2(g[t]);
  ((__nv_fp8_e5m2*)a)[t + 2999] = __nv_fp8_e5m2(h[t].x), ((__nv_fp8_e8m0*)a)[t + 3999] = __nv_fp8_e8m0(in[t].x);
}
