// Textures and surfaces.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdint>
#define KERNEL(NAME, ...) extern "C" __global__ void NAME(cudaTextureObject_t t, cudaSurfaceObject_t u, float4* o, float x, float y, float z, int i, int j) { const float a = x + threadIdx.x, b = y * threadIdx.x, c = z - threadIdx.x; int k = 0; (void)a, (void)b, (void)c, (void)k; __VA_ARGS__ }
#define PUT(E) o[32 * k++ + threadIdx.x] = (E);
#define PUT1(E) ((float*)o)[32 * k++ + threadIdx.x] = (E);
#define PUTI(E) ((int4*)o)[32 * k++ + threadIdx.x] = (E);
KERNEL(fetch, PUT(tex1Dfetch<float4>(t, i + threadIdx.x)) PUT1(tex1Dfetch<float>(t, j)) PUT(tex1D<float4>(t, a)) PUT(tex2D<float4>(t, a, b)) PUT1(tex2D<float>(t, x, y)) PUT(tex3D<float4>(t, a, b, c)) PUTI(tex2D<int4>(t, a, b)) PUT1(tex2D<float2>(t, a, c).y) PUT1(tex2D<unsigned char>(t, a, b)) PUT1(tex3D<short>(t, a, b, c)))
KERNEL(levels, PUT(tex1DLod<float4>(t, a, b)) PUT(tex2DLod<float4>(t, a, b, c)) PUT(tex3DLod<float4>(t, a, b, c, x)) PUT(tex2DGrad<float4>(t, a, b, make_float2(x, y), make_float2(z, c))) PUT(tex1DGrad<float4>(t, a, x, y)) PUT(tex3DGrad<float4>(t, a, b, c, make_float4(x, y, z, 0), make_float4(y, z, x, 0))) PUT1(tex2DLod<float>(t, a, b, 0)))
KERNEL(layers, PUT(tex1DLayered<float4>(t, a, i)) PUT(tex2DLayered<float4>(t, a, b, i)) PUT(texCubemap<float4>(t, a, b, c)) PUT(texCubemapLayered<float4>(t, a, b, c, j)) PUT(tex2DLayeredLod<float4>(t, a, b, i, c)) PUT(texCubemapLod<float4>(t, a, b, c, x)) PUT(tex1DLayeredLod<float4>(t, a, i, b)) PUT(tex2DLayeredGrad<float4>(t, a, b, i, make_float2(x, y), make_float2(z, c))) PUT(texCubemapLayeredLod<float4>(t, a, b, c, j, x)))
KERNEL(gathers, PUT(tex2Dgather<float4>(t, a, b, 0)) PUT(tex2Dgather<float4>(t, a, b, 1)) PUT(tex2Dgather<float4>(t, a, b, 2)) PUTI(tex2Dgather<int4>(t, a, b, 3)))
KERNEL(queries, uint32_t r, s = 0;
#define Q(N) asm volatile("txq." N ".b32 %0, [%1];" : "=r"(r) : "l"(t)); s += r;
  Q("width") Q("height") Q("depth") Q("channel_data_type") Q("channel_order") Q("normalized_coords") Q("array_size") Q("num_mipmap_levels") Q("num_samples")
  asm volatile("txq.level.width.b32 %0, [%1], %2;" : "=r"(r) : "l"(t), "r"(i)); s += r;
#define SQ(N) asm volatile("suq." N ".b32 %0, [%1];" : "=r"(r) : "l"(u)); s += r;
  SQ("width") SQ("height") SQ("depth") SQ("channel_data_type") SQ("array_size") ((uint32_t*)o)[threadIdx.x] = s;)
#define TEX(T, ...) { float p, q, r, s; asm volatile(T : "=f"(p), "=f"(q), "=f"(r), "=f"(s) : "l"(t), ##__VA_ARGS__); PUT(make_float4(p, q, r, s)) }
KERNEL(texture_ptx,
  TEX("tex.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}];", "r"(i + (int)threadIdx.x), "r"(j)) TEX("tex.3d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%5,%6}];", "r"(i + (int)threadIdx.x), "r"(j)) TEX("tex.1d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5}];", "r"(j))
  TEX("tex.a2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%5,%6}];", "r"(i), "r"(j + (int)threadIdx.x)) TEX("tex.a1d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}];", "r"(i), "r"(j + (int)threadIdx.x))
  TEX("tex.level.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}], %6;", "r"(i + (int)threadIdx.x), "r"(j)) TEX("tex.base.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];", "f"(a), "f"(b))
  TEX("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {%7,%8};", "f"(a), "f"(b), "r"(i), "r"(j)) TEX("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], %7;", "f"(a), "f"(b), "f"(c)) TEX("tex.level.a2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%7,%5,%6,%6}], %8;", "f"(a), "f"(b), "r"(i), "f"(c))
  TEX("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {%7,%8};", "f"(a), "f"(b), "r"(i), "r"(j)) TEX("tld4.a.a2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%7,%5,%6,%6}];", "f"(a), "f"(b), "r"(i)) TEX("tld4.g.cube.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];", "f"(a), "f"(b), "f"(c)) TEX("tld4.b.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], %7;", "f"(a), "f"(b), "f"(c))
  TEX("tex.grad.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {%7,%5}, {%6,%7};", "f"(a), "f"(b), "f"(c)) TEX("tex.cube.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];", "f"(a), "f"(b), "f"(c)) TEX("tex.acube.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%8,%5,%6,%7}];", "f"(a), "f"(b), "f"(c), "r"(i)))
KERNEL(half_textures, uint32_t p; uint32_t q; asm volatile("tex.2d.v2.f16x2.f32 {%0,%1}, [%2, {%3,%4}];" : "=r"(p), "=r"(q) : "l"(t), "f"(a), "f"(b)); ((uint32_t*)o)[threadIdx.x] = p ^ q;)
#define SURFACES(NAME, T)                                                                                                  \
  KERNEL(NAME, T v; const int g = i + threadIdx.x;                                                                         \
    surf1Dread(&v, u, g * sizeof(T)); surf1Dwrite(v, u, j * sizeof(T)); surf2Dread(&v, u, g * sizeof(T), j); surf2Dwrite(v, u, g * sizeof(T), j + 1); \
    surf3Dread(&v, u, g * sizeof(T), j, i); surf3Dwrite(v, u, g * sizeof(T), j, i + 1); surf1DLayeredread(&v, u, g * sizeof(T), j); surf1DLayeredwrite(v, u, g * sizeof(T), i); \
    surf2DLayeredread(&v, u, g * sizeof(T), i, j); surf2DLayeredwrite(v, u, g * sizeof(T), j, i); surfCubemapread(&v, u, g * sizeof(T), i, 2); surfCubemapwrite(v, u, g * sizeof(T), i, 3); \
    surf2Dread(&v, u, g * sizeof(T), j, cudaBoundaryModeZero); surf2Dwrite(v, u, g * sizeof(T), j + 1, cudaBoundaryModeClamp); surf1Dread(&v, u, g * sizeof(T), cudaBoundaryModeClamp); surf1Dwrite(v, u, i, cudaBoundaryModeZero); ((T*)o)[threadIdx.x] = v;)
SURFACES(surface_u8, unsigned char)
SURFACES(surface_s8, signed char)
SURFACES(surface_u16, unsigned short)
SURFACES(surface_s16, short)
SURFACES(surface_i32, int)
SURFACES(surface_f2, float2)
SURFACES(surface_f4, float4)
SURFACES(surface_u4, uchar4)
KERNEL(surface_formatted, const int g = i + threadIdx.x;
  asm volatile("sust.p.1d.b32.trap [%0, {%1}], {%2}; sust.p.2d.v4.b32.zero [%0, {%1,%2}], {%1,%2,%1,%2}; sust.p.2d.v2.b32.clamp [%0, {%1,%2}], {%1,%2}; sust.p.3d.v4.b32.trap [%0, {%1,%2,%1,%2}], {%1,%2,%1,%2}; sust.p.a2d.b32.trap [%0, {%1,%2,%1,%2}], {%1};" ::"l"(u), "r"(g), "r"(j));)
KERNEL(surface_hints, const int g = i + threadIdx.x; int v; int w;
  asm volatile("suld.b.1d.b32.trap.cg %0, [%1, {%2}];" ::"r"(0), "l"(u), "r"(g)); (void)v; (void)w;)
KERNEL(surface_reductions, const int g = i + threadIdx.x;
#define SURED(T) asm volatile("sured.b." T ";" ::"l"(u), "r"(g), "r"(j));
  SURED("add.1d.u32.trap [%0, {%1}], %2") SURED("add.2d.s32.clamp [%0, {%1,%2}], %2") SURED("min.1d.s32.zero [%0, {%1}], %2") SURED("max.3d.u32.trap [%0, {%1,%2,%1,%2}], %2") SURED("and.1d.b32.trap [%0, {%1}], %2") SURED("or.2d.b32.trap [%0, {%1,%2}], %2")
  asm volatile("sured.p.add.1d.b32.trap [%0, {%1}], %2;" ::"l"(u), "r"(g), "r"(j));
  asm volatile("sured.b.add.1d.u64.trap [%0, {%1}], %2;" ::"l"(u), "r"(g), "l"((uint64_t)j));)
