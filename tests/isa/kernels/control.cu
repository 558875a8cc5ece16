// Branches, tables, calls, recursion, traps, printing.
#include <cuda_runtime.h>
#include <cassert>
#include <cstdint>
#include <cstdio>
extern "C" __global__ void jump_table(int* x, int n) {
  int v = x[threadIdx.x];
  switch (v) {
    case 0: v = v * 3 + n; break;
    case 1: v = __clz(v); break;
    case 2: v ^= n; __syncwarp(); break;
    case 3: v = n / (v | 1); break;
    case 4: v += x[n];
    case 5: v -= 7; break;
    case 6: v = (int)sqrtf((float)v); break;
    case 7: atomicAdd(x, v); break;
    case 8: return;
    case 9: v = v * v; break;
    case 12: v = __popc(v + n); break;
    default: v = -1;
  }
  switch (n) {
    case 10: v += 1; break;
    case 11: v *= 5; break;
    case 12: v = __brev(v); break;
    case 13: v = x[v & 31]; break;
    case 14: v = v >> 3; break;
    case 15: v = v % 10; break;
  }
  x[threadIdx.x] = v;
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ __noinline__ double many(double a, float b, int c, long long d, char e, short f, int* g, float4 h) { return a + b + c + d + e + f + *g + h.x * h.w; }
__device__ __noinline__ float4 returns_vector(float a) { return {a, a + 1, a * 2, -a}; }
extern "C" __global__ void calls(int* x, double* y) {
  x[threadIdx.x] = fibonacci(x[threadIdx.x]) + ackermann(x[1], x[2]);
  const float4 v = returns_vector(x[3]);
  y[threadIdx.x] = many(y[0], v.x, x[2], x[3], x[4], x[5], x + 6, v);
}
using Function = int (*)(int, int);
__device__ __noinline__ int f_add(int a, int b) { return a + b; }
__device__ __noinline__ int f_mul(int a, int b) { return a * b + __clz(a); }
__device__ __noinline__ int f_div(int a, int b) { return a / b; }
__device__ Function table[3] = {f_add, f_mul, f_div};
extern "C" __global__ void function_pointers(int* x, int n) { x[threadIdx.x] = table[n](x[threadIdx.x], n) + table[x[threadIdx.x] % 3](n, 7); }
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape { float a; __device__ Square(float s) : a(s) {} __device__ float area() const override { return a * a; } };
struct Circle : Shape { float r; __device__ Circle(float s) : r(s) {} __device__ float area() const override { return 3.14159f * r * r; } };
extern "C" __global__ void virtual_calls(float* x, int n) {
  Shape* s = n > threadIdx.x ? (Shape*)new Square(x[0]) : (Shape*)new Circle(x[1]);
  x[threadIdx.x] = s->area();
  delete s;
}
extern "C" __global__ void prints(const int* x, double d) {
  printf("%d %f %s %p\n", x[threadIdx.x], d, "text", x);
  if (x[0] > 3) printf("again\n");
  assert(x[threadIdx.x] != 77);
}
extern "C" __global__ void traps(int* x) {
  if (x[0] == 1) __trap();
  if (x[0] == 2) asm volatile("brkpt;");
  if (x[0] == 3) asm volatile("exit;");
  if (x[0] == 4) __nanosleep(100);
  if (x[0] == 5) __nanosleep(x[1]);
  asm volatile("pmevent 3; pmevent.mask 0x5;");
  if (x[0] == 6) __builtin_unreachable();
  x[1] = (int)clock() + (int)clock64();
  __prof_trigger(1);
}
extern "C" __global__ void nested(int* x, int n) {
  int s = 0;
  for (int i = 0; i < x[0]; ++i) {
    if (x[i] == 3) continue;
    for (int j = i; j < n; ++j) {
      if (x[j] > s && x[i] < j) break;
      s += x[i * n + j];
      if (s > 1000) goto out;
      while (x[s & 31] > i) {
        s += __shfl_sync(~0u, s, 3);
        if (s % 7 == 0) return;
      }
    }
    __syncthreads();
  }
out:
  x[threadIdx.x] = s;
}
extern "C" __global__ void __launch_bounds__(64, 8) many_predicates(int* x, const int* y, int n) {
  bool p[20];
  for (int i = 0; i < 20; ++i) p[i] = y[i * 32 + threadIdx.x] > i * n;
  for (int i = 0; i < 20; ++i)
    if (p[i] ? p[(i + 7) % 20] && !p[(i + 3) % 20] : p[(i + 11) % 20] || p[(i + 1) % 20]) x[i * 32 + threadIdx.x] = y[i] * n + (p[(i + 9) % 20] ? 3 : x[7]);
  int m = 0;
  for (int i = 0; i < 20; ++i) m |= p[i] << i;
  x[999] = m;
}
extern "C" __global__ void __launch_bounds__(1024, 2) spills(float* x, int n) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = x[i * 1024 + threadIdx.x];
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 64; ++i) a[i] = a[(i * 7 + 3) % 64] * a[(i + 1) % 64] + a[i];
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i * 1024 + threadIdx.x] = a[i];
}
extern "C" __global__ void indirect_branch(int* x, int n) {
  int v = x[threadIdx.x];
  asm volatile("{.reg .u32 i; and.b32 i, %0, 3; ts: .branchtargets a0, a1, a2, a3; brx.idx i, ts;\n"
               "a0: add.s32 %0, %0, 1; bra.uni done; a1: mul.lo.s32 %0, %0, 3; bra.uni done; a2: xor.b32 %0, %0, 5; bra.uni done; a3: sub.s32 %0, %0, 9; done: }" : "+r"(v));
  x[threadIdx.x] = v + n;
}
