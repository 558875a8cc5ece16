// Atomic operations of every kind, type, scope and space, with and without a use of the old value.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdint>

#define INTEGER(NAME, T, CALL)                                                        \
  extern "C" __global__ void NAME(T* p, T* out, T v, T w) {                           \
    __shared__ T s[64];                                                               \
    s[threadIdx.x] = out[threadIdx.x];                                                \
    __syncthreads();                                                                  \
    T* const g = p + threadIdx.x;                                                     \
    T r = 0;                                                                          \
    { T* a = g; CALL; }                                                               \
    { T* a = g + 5; r += CALL; }                                                      \
    { T* a = s + threadIdx.x; CALL; }                                                 \
    { T* a = s + 3; r += CALL; }                                                      \
    { T* a = v > w ? g : s; r += CALL; }                                              \
    { T* a = v > w ? g + 9 : s + 7; CALL; }                                           \
    { T* a = p; CALL; }                                                               \
    { T* a = p + 100; v = 1; r += CALL; }                                             \
    out[threadIdx.x] = r + s[63 - threadIdx.x];                                       \
  }
#define ALL_INTEGER(SUFFIX, T)                     \
  INTEGER(add_##SUFFIX, T, atomicAdd(a, v))        \
  INTEGER(exch_##SUFFIX, T, atomicExch(a, v))      \
  INTEGER(cas_##SUFFIX, T, atomicCAS(a, v, w))     \
  INTEGER(min_##SUFFIX, T, atomicMin(a, v))        \
  INTEGER(max_##SUFFIX, T, atomicMax(a, v))        \
  INTEGER(and_##SUFFIX, T, atomicAnd(a, v))        \
  INTEGER(or_##SUFFIX, T, atomicOr(a, v))          \
  INTEGER(xor_##SUFFIX, T, atomicXor(a, v))        \
  INTEGER(add_block_##SUFFIX, T, atomicAdd_block(a, v))   \
  INTEGER(max_system_##SUFFIX, T, atomicMax_system(a, v)) \
  INTEGER(cas_block_##SUFFIX, T, atomicCAS_block(a, v, w))\
  INTEGER(exch_system_##SUFFIX, T, atomicExch_system(a, v))
ALL_INTEGER(u32, unsigned)
ALL_INTEGER(s32, int)
ALL_INTEGER(u64, unsigned long long)
INTEGER(min_s64, long long, atomicMin(a, v))
INTEGER(max_s64, long long, atomicMax(a, v))
INTEGER(inc_u32, unsigned, atomicInc(a, v))
INTEGER(dec_u32, unsigned, atomicDec(a, v))
INTEGER(sub_u32, unsigned, atomicSub(a, v))
INTEGER(add_f32, float, atomicAdd(a, v))
INTEGER(exch_f32, float, atomicExch(a, v))
INTEGER(add_f64, double, atomicAdd(a, v))
INTEGER(cas_u16, unsigned short, atomicCAS(a, v, w))

extern "C" __global__ void add_halves(__half2* h, __nv_bfloat162* b, __half* h1, __nv_bfloat16* b1, float2* f) {
  const int t = threadIdx.x;
  __shared__ __half2 s[32];
  s[t] = h[t];
  __syncthreads();
  h[t] = atomicAdd(h + t + 1, h[t + 2]);
  atomicAdd(h + 7, s[t ^ 1]);
  atomicAdd(s + t, h[5]);
  atomicAdd(h1 + t, h1[t + 1]);
  h[t + 64] = s[t ^ 3];
#if __CUDA_ARCH__ >= 800
  b[t] = atomicAdd(b + t + 1, b[t + 2]);
  atomicAdd(b1 + t, b1[t + 1]);
  atomicAdd(b + 9, b[t + 2]);
#endif
#if __CUDA_ARCH__ >= 900
  atomicAdd(f + t, f[t + 1]);
  f[t] = atomicAdd(f + t + 1, f[t]);
  atomicAdd((float4*)f + t + 1, ((float4*)f)[t + 9]);
  ((float4*)f)[t] = atomicAdd((float4*)f + t + 1, ((float4*)f)[t]);
#endif
}

#define PTX_ATOM(OP, TYPE, R)                                                                              \
  asm volatile("atom." OP "." TYPE " %0, [%1], %0;" : "+" R(r) : "l"(p));                                  \
  asm volatile("red." OP "." TYPE " [%0+8], %1;" ::"l"(p), R(r));
#define ORDERS(NAME, OP, TYPE, T, R)                                                                       \
  extern "C" __global__ void NAME(T* p, T r) {                                                             \
    p += threadIdx.x;                                                                                      \
    PTX_ATOM("relaxed.cta.global." OP, TYPE, R)                                                            \
    PTX_ATOM("relaxed.gpu.global." OP, TYPE, R)                                                            \
    PTX_ATOM("relaxed.sys.global." OP, TYPE, R)                                                            \
    PTX_ATOM("relaxed.sys." OP, TYPE, R)                                                                   \
    asm volatile("atom.acquire.cta.global." OP "." TYPE " %0, [%1], %0;" : "+" R(r) : "l"(p));             \
    asm volatile("atom.acquire.gpu.global." OP "." TYPE " %0, [%1], %0;" : "+" R(r) : "l"(p));             \
    asm volatile("atom.acq_rel.sys.global." OP "." TYPE " %0, [%1], %0;" : "+" R(r) : "l"(p));             \
    asm volatile("atom.release.gpu." OP "." TYPE " %0, [%1+-16], %0;" : "+" R(r) : "l"(p));                \
    asm volatile("red.release.gpu.global." OP "." TYPE " [%0], %1;" ::"l"(p), R(r));                       \
    asm volatile("red.relaxed.cta." OP "." TYPE " [%0], %1;" ::"l"(p), R(r));                              \
    asm volatile("atom.shared." OP "." TYPE " %0, [%1+4096], %0;" : "+" R(r) : "r"((int)threadIdx.x * 4)); \
    asm volatile("red.shared." OP "." TYPE " [%0], %1;" ::"r"((int)threadIdx.x * 8), R(r));                \
    *p = r;                                                                                                \
  }
ORDERS(order_add_u32, "add", "u32", unsigned, "r")
ORDERS(order_add_u64, "add", "u64", unsigned long long, "l")
ORDERS(order_add_f32, "add", "f32", float, "f")
ORDERS(order_add_f64, "add", "f64", double, "d")
ORDERS(order_min_s32, "min", "s32", int, "r")
ORDERS(order_min_s64, "min", "s64", long long, "l")
ORDERS(order_and_b64, "and", "b64", unsigned long long, "l")
ORDERS(order_or_b32, "or", "b32", unsigned, "r")
ORDERS(order_inc, "inc", "u32", unsigned, "r")
ORDERS(order_dec, "dec", "u32", unsigned, "r")

#define SWAPS(NAME, TYPE, T, R)                                                                              \
  extern "C" __global__ void NAME(T* p, T r, T s) {                                                          \
    p += threadIdx.x;                                                                                        \
    asm volatile("atom.global.cas." TYPE " %0, [%1], %0, %2;" : "+" R(r) : "l"(p), R(s));                    \
    asm volatile("atom.cas." TYPE " %0, [%1+16], %0, %2;" : "+" R(r) : "l"(p), R(s));                        \
    asm volatile("atom.relaxed.cta.global.cas." TYPE " %0, [%1], %0, %2;" : "+" R(r) : "l"(p), R(s));        \
    asm volatile("atom.acq_rel.gpu.global.cas." TYPE " %0, [%1], %0, %2;" : "+" R(r) : "l"(p), R(s));        \
    asm volatile("atom.relaxed.sys.global.cas." TYPE " %0, [%1], %0, %2;" : "+" R(r) : "l"(p), R(s));        \
    asm volatile("atom.shared.cas." TYPE " %0, [%1+64], %0, %2;" : "+" R(r) : "r"((int)threadIdx.x * 4), R(s)); \
    asm volatile("atom.global.exch." TYPE " %0, [%1], %2;" : "+" R(r) : "l"(p), R(s));                       \
    asm volatile("atom.shared.exch." TYPE " %0, [%1+64], %2;" : "+" R(r) : "r"((int)threadIdx.x * 4), R(s)); \
    *p = r;                                                                                                  \
  }
SWAPS(swap_b32, "b32", unsigned, "r")
SWAPS(swap_b64, "b64", unsigned long long, "l")

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void swap_b128(__int128* p, __int128 v) {
  asm volatile("{.reg .b128 a, b, c; mov.b128 a, {%1, %2}; mov.b128 b, {%2, %1};\n"
               "atom.global.cas.b128 c, [%0], a, b; atom.global.exch.b128 b, [%0+16], c;\n"
               "st.global.b128 [%0+32], b; ld.relaxed.gpu.global.b128 a, [%0+48]; st.release.gpu.global.b128 [%0], a;}" ::"l"(p),
               "l"((uint64_t)v), "l"((uint64_t)(v >> 64)));
}
extern "C" __global__ void vector_atomics(float* p, __half2* h) {
  p += threadIdx.x * 8, h += threadIdx.x * 8;
  float a = p[0], b = p[1], c = p[2], d = p[3];
  asm volatile("atom.global.v2.f32.add {%0,%1}, [%4], {%0,%1}; red.global.v4.f32.add [%4+16], {%0,%1,%2,%3};\n"
               "atom.global.v4.f32.add {%0,%1,%2,%3}, [%4], {%0,%1,%2,%3}; red.global.v2.f32.add [%4], {%0,%1};"
               : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "l"(p));
  uint32_t x = *(uint32_t*)h, y = x + 1, z = x + 2, w = x + 3;
#define PACKED(TYPE, OP)                                                                                       \
  asm volatile("red.global." OP ".noftz." TYPE " [%0], %1;" ::"l"(h), "r"(x));                                  \
  asm volatile("atom.global." OP ".noftz." TYPE " %0, [%1], %0;" : "+r"(x) : "l"(h));                           \
  asm volatile("red.global.v2." TYPE "." OP ".noftz [%0], {%1,%2};" ::"l"(h), "r"(x), "r"(y));                  \
  asm volatile("red.global.v4." TYPE "." OP ".noftz [%0], {%1,%2,%3,%4};" ::"l"(h), "r"(x), "r"(y), "r"(z), "r"(w)); \
  asm volatile("atom.global.v4." TYPE "." OP ".noftz {%0,%1,%2,%3}, [%4], {%0,%1,%2,%3};" : "+r"(x), "+r"(y), "+r"(z), "+r"(w) : "l"(h));
  PACKED("f16x2", "add") PACKED("bf16x2", "add") 
  p[0] = a + b + c + d;
  *(uint32_t*)h = x + y + z + w;
}
#endif
extern "C" __global__ void histogram(const unsigned char* d, unsigned* h, int n) {
  __shared__ unsigned s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[d[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(h + i, s[i]);
  if (threadIdx.x == 0) atomicInc(h + 256, gridDim.x), atomicAdd(&s[0], 1u), h[257] = atomicAdd(&s[1], 1u);
}
