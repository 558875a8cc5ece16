// Loads and stores of every width, space, order and cache hint.
#include <cuda_runtime.h>
#include <cstdint>

#define LOAD_WORDS(KIND)                                                                                    \
  asm volatile("ld." KIND ".u8 %0, [%1];" : "=r"(r) : "l"(p)); s += r;                                      \
  asm volatile("ld." KIND ".s8 %0, [%1+1];" : "=r"(r) : "l"(p)); s += r;                                    \
  asm volatile("ld." KIND ".u16 %0, [%1+2];" : "=r"(r) : "l"(p)); s += r;                                   \
  asm volatile("ld." KIND ".s16 %0, [%1+4];" : "=r"(r) : "l"(p)); s += r;                                   \
  asm volatile("ld." KIND ".u32 %0, [%1+-8];" : "=r"(r) : "l"(p)); s += r;                                  \
  asm volatile("ld." KIND ".u64 %0, [%1+16];" : "=l"(d) : "l"(p)); s += (uint32_t)d;
#define LOAD_VECTORS(KIND)                                                                                  \
  asm volatile("ld." KIND ".v2.u32 {%0,%1}, [%2+32];" : "=r"(r), "=r"(q) : "l"(p)); s += r ^ q;             \
  asm volatile("ld." KIND ".v4.u32 {%0,%1,%2,%3}, [%4+48];" : "=r"(r), "=r"(q), "=r"(t), "=r"(u) : "l"(p)); s += r ^ q ^ t ^ u;                                                                                   \
  asm volatile("ld." KIND ".v2.f64 {%0,%1}, [%2+64];" : "=d"(x), "=d"(y) : "l"(p)); s += (uint32_t)(x + y);
#define STORE_WORDS(KIND)                                                          \
  asm volatile("st." KIND ".u8 [%0], %1;" ::"l"(p), "r"(s));                       \
  asm volatile("st." KIND ".u16 [%0+2], %1;" ::"l"(p), "r"(s));                    \
  asm volatile("st." KIND ".u32 [%0+-4], %1;" ::"l"(p), "r"(s));                   \
  asm volatile("st." KIND ".u64 [%0+8], %1;" ::"l"(p), "l"(d));
#define STORE_VECTORS(KIND)                                                        \
  asm volatile("st." KIND ".v2.u32 [%0+16], {%1,%2};" ::"l"(p), "r"(s), "r"(q));   \
  asm volatile("st." KIND ".v4.u32 [%0+32], {%1,%2,%3,%4};" ::"l"(p), "r"(s), "r"(q), "r"(t), "r"(u));

#define KERNEL(NAME, BODY)                                       \
  extern "C" __global__ void NAME(char* p, uint32_t* out) {      \
    p += threadIdx.x * 128;                                      \
    uint32_t r = 0, q = 1, t = 2, u = 3, s = threadIdx.x;        \
    uint64_t d = 5;                                              \
    double x = 0, y = 0;                                         \
    (void)r, (void)t, (void)u, (void)x, (void)y;                 \
    BODY out[threadIdx.x] = s + (uint32_t)d + q;                 \
  }
#define LOADS(NAME, KIND) KERNEL(NAME, LOAD_WORDS(KIND) LOAD_VECTORS(KIND))
#define SCALAR_LOADS(NAME, KIND) KERNEL(NAME, LOAD_WORDS(KIND))
#define STORES(NAME, KIND) KERNEL(NAME, STORE_WORDS(KIND) STORE_VECTORS(KIND))
#define SCALAR_STORES(NAME, KIND) KERNEL(NAME, STORE_WORDS(KIND))

LOADS(ld_generic, "weak")
LOADS(ld_global, "global")
LOADS(ld_nc, "global.nc")
LOADS(ld_ca, "global.ca")
LOADS(ld_cg, "global.cg")
LOADS(ld_cs, "global.cs")
LOADS(ld_lu, "global.lu")
LOADS(ld_cv, "global.cv")
LOADS(ld_nc_ca, "global.ca.nc")
LOADS(ld_nc_cg, "global.cg.nc")
LOADS(ld_nc_cs, "global.cs.nc")
LOADS(ld_volatile, "volatile.global")
LOADS(ld_volatile_generic, "volatile")
LOADS(ld_relaxed_cta, "relaxed.cta.global")
LOADS(ld_relaxed_gpu, "relaxed.gpu.global")
LOADS(ld_relaxed_sys, "relaxed.sys.global")
LOADS(ld_acquire_cta, "acquire.cta.global")
LOADS(ld_acquire_gpu, "acquire.gpu.global")
LOADS(ld_acquire_sys, "acquire.sys.global")
LOADS(ld_acquire_generic, "acquire.gpu")
LOADS(ld_first, "global.L1::evict_first")
LOADS(ld_last, "global.L1::evict_last")
LOADS(ld_unchanged, "global.L1::evict_unchanged")
LOADS(ld_normal, "global.L1::evict_normal")
LOADS(ld_none, "global.L1::no_allocate")
LOADS(ld_nc_first, "global.nc.L1::evict_first")
LOADS(ld_nc_last, "global.nc.L1::evict_last")
LOADS(ld_nc_none, "global.nc.L1::no_allocate")
LOADS(ld_l2_64, "global.L2::64B")
LOADS(ld_l2_128, "global.L2::128B")
LOADS(ld_nc_none_128, "global.nc.L1::no_allocate.L2::128B")
#if __CUDA_ARCH__ >= 800
LOADS(ld_l2_256, "global.L2::256B")
LOADS(ld_nc_none_256, "global.nc.L1::no_allocate.L2::256B")
#endif
SCALAR_LOADS(ld_mmio, "mmio.relaxed.sys.global")
STORES(st_generic, "weak")
STORES(st_global, "global")
STORES(st_wb, "global.wb")
STORES(st_cg, "global.cg")
STORES(st_cs, "global.cs")
STORES(st_wt, "global.wt")
STORES(st_volatile, "volatile.global")
STORES(st_volatile_generic, "volatile")
STORES(st_relaxed_cta, "relaxed.cta.global")
STORES(st_relaxed_gpu, "relaxed.gpu.global")
STORES(st_relaxed_sys, "relaxed.sys.global")
STORES(st_release_cta, "release.cta.global")
STORES(st_release_gpu, "release.gpu.global")
STORES(st_release_sys, "release.sys.global")
STORES(st_first, "global.L1::evict_first")
STORES(st_last, "global.L1::evict_last")
STORES(st_unchanged, "global.L1::evict_unchanged")
STORES(st_none, "global.L1::no_allocate")
SCALAR_STORES(st_mmio, "mmio.relaxed.sys.global")
#if __CUDA_ARCH__ >= 900
LOADS(ld_relaxed_cluster, "relaxed.cluster.global")
LOADS(ld_acquire_cluster, "acquire.cluster.global")
STORES(st_release_cluster, "release.cluster.global")
#endif
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void cache_policies(char* p, uint32_t* out) {
  uint64_t a, b, c, d;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(a));
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(b));
  asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %0, [%1], %2, %3;"
               : "=l"(c) : "l"(p), "r"(out[0]), "r"(out[1]));
  asm volatile("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(d) : "l"(*(uint64_t*)p));
  uint32_t r, s = 0;
  asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "l"(a)); s += r;
  asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.u32 %0, [%1+8], %2;" : "=r"(r) : "l"(p), "l"(b)); s += r;
  asm volatile("ld.global.nc.L2::cache_hint.u64 %0, [%1+8], %2;" : "=l"(a) : "l"(p), "l"(c)); s += (uint32_t)a;
  asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(p), "r"(s), "l"(d));
  asm volatile("st.global.L1::no_allocate.L2::cache_hint.v4.u32 [%0], {%1,%1,%1,%1}, %2;" ::"l"(p), "r"(s), "l"(d));
  asm volatile("red.global.add.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(p), "r"(s), "l"(d));
  asm volatile("atom.global.add.L2::cache_hint.u32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(s), "l"(d));
  out[threadIdx.x] = s + r;
}
extern "C" __global__ void l2_lines(char* p) {
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(p));
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(p + 128));
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(p + 256));
  asm volatile("prefetch.global.L2::evict_normal [%0];" ::"l"(p + 384));
}
#endif
extern "C" __global__ void prefetches(char* p) {
  p += threadIdx.x * 64;
  asm volatile("prefetch.global.L1 [%0];" ::"l"(p));
  asm volatile("prefetch.global.L2 [%0+64];" ::"l"(p));
  asm volatile("prefetch.L1 [%0];" ::"l"(p));
  asm volatile("prefetch.L2 [%0+-64];" ::"l"(p));
  asm volatile("prefetchu.L1 [%0];" ::"l"(p));
}

__constant__ uint8_t bytes[256];
__constant__ int16_t shorts[256];
__constant__ double doubles[256];
__constant__ float4 quads[64];
__constant__ int words[4096];
extern "C" __global__ void constants(uint32_t* out, int i, int j) {
  const int t = threadIdx.x;
  double s = doubles[t] + doubles[7] + doubles[i];
  s += bytes[t] + bytes[3] + (signed char)bytes[i + 1] + shorts[t + 3] + shorts[j] + (uint16_t)shorts[2];
  const float4 f = quads[t & 7], g = quads[j];
  s += f.x + f.y + f.z + f.w + g.x + g.w + words[t * 4 + 5] + words[i + 1000] + words[4095];
  out[t] = (uint32_t)s;
  out[t + 32] = words[out[t] & 4095];
}
extern "C" __global__ void big_parameters(uint32_t* out, const int4 a, const double b, const char c, const short d,
                                          const long long e, const float f[1], const uchar4 g) {
  out[threadIdx.x] = a.x + a.y * threadIdx.x + (a.z ^ threadIdx.x) + a.w + (int)b + c + d + (int)e + g.x + g.y * g.z - g.w;
}
struct Big { int v[64]; };
extern "C" __global__ void indexed_parameter(const __grid_constant__ Big b, int* out, int i) {
  out[threadIdx.x] = b.v[threadIdx.x & 63] + b.v[i] + *(&b.v[0] + (i ^ 5));
}

template <typename T>
__device__ void through_shared(T* out, int i) {
  __shared__ T tile[33][32];
  extern __shared__ char dynamic[];
  tile[threadIdx.x][threadIdx.x] = out[threadIdx.x];
  ((T*)dynamic)[threadIdx.x * 3 + 1] = out[i];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1][i];
  out[threadIdx.x + 32] = ((T*)dynamic)[i + 2];
  out[threadIdx.x + 64] = tile[0][threadIdx.x];
}
#define SHARED(NAME, T) extern "C" __global__ void NAME(T* out, int i) { through_shared(out, i); }
SHARED(shared_u8, unsigned char)
SHARED(shared_s8, signed char)
SHARED(shared_u16, unsigned short)
SHARED(shared_s16, short)
SHARED(shared_u32, unsigned)
SHARED(shared_u64, unsigned long long)
SHARED(shared_f64, double)
SHARED(shared_f4, float4)
SHARED(shared_d2, double2)
SHARED(shared_s2, short2)
SHARED(shared_c4, char4)

#define STATE_SPACE(NAME, SPACE)                                                                     \
  extern "C" __global__ void NAME(uint32_t* out, uint32_t a) {                                       \
    uint32_t r, s = 0;                                                                               \
    uint64_t d;                                                                                      \
    asm volatile("ld." SPACE ".u8 %0, [%1];" : "=r"(r) : "r"(a)); s += r;                            \
    asm volatile("ld." SPACE ".s8 %0, [%1+4];" : "=r"(r) : "r"(a)); s += r;                          \
    asm volatile("ld." SPACE ".u16 %0, [%1+8];" : "=r"(r) : "r"(a)); s += r;                         \
    asm volatile("ld." SPACE ".s16 %0, [%1+12];" : "=r"(r) : "r"(a + threadIdx.x)); s += r;          \
    asm volatile("ld." SPACE ".u32 %0, [%1+-16];" : "=r"(r) : "r"(a + threadIdx.x * 4)); s += r;     \
    asm volatile("ld." SPACE ".u32 %0, [%1+16];" : "=r"(r) : "r"(threadIdx.x * 16)); s += r;         \
    asm volatile("ld." SPACE ".u64 %0, [%1];" : "=l"(d) : "r"(threadIdx.x * 8 + 64)); s += d;        \
        asm volatile("st." SPACE ".u8 [%0], %1;" ::"r"(a), "r"(s));                                      \
    asm volatile("st." SPACE ".u16 [%0+6], %1;" ::"r"(threadIdx.x * 4), "r"(s));                     \
    asm volatile("st." SPACE ".u64 [%0+8], %1;" ::"r"(a), "l"(d));                                   \
    asm volatile("st." SPACE ".v4.u32 [%0+16], {%1,%1,%1,%1};" ::"r"(a), "r"(s));                    \
    out[threadIdx.x] = s;                                                                            \
  }
STATE_SPACE(space_shared, "shared")
STATE_SPACE(space_shared_volatile, "volatile.shared")
STATE_SPACE(space_local, "local")

extern "C" __global__ void local_arrays(int* out, int i, int j) {
  int a[64];
  char b[32];
  double2 c[8];
  for (int k = 0; k < 64; ++k) a[k] = out[k];
  for (int k = 0; k < 32; ++k) b[k] = (char)out[k * 2];
  for (int k = 0; k < 8; ++k) c[k] = ((double2*)out)[k];
  a[i] = j, b[j & 31] = 3, c[i & 7].y = 4;
  out[threadIdx.x] = a[j & 63] + b[i & 31] + (int)c[j & 7].x + (int)c[i & 7].y;
}
__device__ int global_word, global_array[128];
__device__ __managed__ int managed_word;
extern "C" __global__ void generic_spaces(int* g, int which, int* out) {
  __shared__ int s[32];
  int l[8];
  for (int k = 0; k < 8; ++k) l[k] = g[k];
  s[threadIdx.x] = g[threadIdx.x];
  int* p = which == 0 ? g : which == 1 ? s : which == 2 ? l : global_array;
  *p += 3, p[1] = global_word + managed_word;
  ((char*)p)[9] = 3, ((short*)p)[8] = ((short*)p)[9];
  *(int4*)(p + 4) = *(int4*)(p + 8);
  out[0] = __isGlobal(p) + 2 * __isShared(p) + 4 * __isLocal(p) + 8 * __isConstant(p);
  out[1] = (int)__cvta_generic_to_shared(p) + (int)__cvta_generic_to_local(p);
  out[2] = l[threadIdx.x & 7] + s[31 - threadIdx.x];
  global_array[threadIdx.x] = out[1];
}
extern "C" __global__ void uniform_addresses(const float* __restrict__ a, float* b, int n, int lda) {
  float s = 0;
  for (int i = blockIdx.y; i < n; i += gridDim.y) s += a[i * lda + threadIdx.x] * a[i] + a[blockIdx.x * 8ll + i];
  b[blockIdx.x * blockDim.x + threadIdx.x] = s;
  b[blockIdx.z] = s;
  b[threadIdx.x + (unsigned)n] = a[(unsigned)(threadIdx.x + lda)];
}
extern "C" __global__ void fences(int* p) {
  p[0] = 1;
  __threadfence_block();
  p[1] = 1;
  __threadfence();
  p[2] = 1;
  __threadfence_system();
  asm volatile("fence.acq_rel.cta; fence.acq_rel.gpu; fence.acq_rel.sys;" ::: "memory");
  asm volatile("fence.sc.cta; fence.sc.gpu; fence.sc.sys;" ::: "memory");
  asm volatile("membar.cta; membar.gl; membar.sys;" ::: "memory");
  asm volatile("fence.proxy.alias;" ::: "memory");
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.acq_rel.cluster; fence.sc.cluster;" ::: "memory");
  asm volatile("fence.proxy.async; fence.proxy.async.global; fence.proxy.async.shared::cta; fence.proxy.async.shared::cluster;" ::: "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(p) : "memory");
#endif
  p[3] = 1;
}
extern "C" __global__ void stack_allocation(int* out, int n) {
  int* a = (int*)alloca(n * 4);
  for (int i = 0; i < n; ++i) a[i] = out[i];
  for (int i = 0; i < n; ++i) out[i] = a[n - 1 - i];
}
extern "C" __global__ void copies(char* d, const char* s, size_t n) {
  memcpy(d, s, 32), memset(d + 64, 3, n), memcpy(d + 100, s + 1, n);
  struct S { int a[8]; };
  *(S*)(d + 256) = *(const S*)(s + 256);
  char* q = (char*)malloc(n);
  q[0] = s[3], d[1] = q[n - 1];
  free(q);
}
