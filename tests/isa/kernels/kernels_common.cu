// Kernels as in courses and libraries: tiles, stencils, scans, sorts, softmax, attention, pipelines, random
// numbers.
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cuda/std/complex>
#include <cuda_fp16.h>
#include <curand_kernel.h>
template <typename T, int B, int R>
__device__ void tile_gemm(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int m, int n, int k, T alpha, T beta) {
  __shared__ T s[2][B][B + 1];
  T acc[R][R] = {};
  for (int t = 0; t < k; t += B) {
    for (int i = threadIdx.y; i < B; i += blockDim.y)
      s[0][i][threadIdx.x] = a[(blockIdx.y * B + i) * k + t + threadIdx.x], s[1][i][threadIdx.x] = b[(t + i) * n + blockIdx.x * B + threadIdx.x];
    __syncthreads();
    for (int q = 0; q < B; ++q)
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) acc[i][j] += s[0][threadIdx.y * R + i][q] * s[1][q][(threadIdx.x * R + j) % B];
    __syncthreads();
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) {
      const int y = blockIdx.y * B + threadIdx.y * R + i, x = blockIdx.x * B + threadIdx.x * R + j;
      if (y < m && x < n) c[y * n + x] = alpha * acc[i][j] + beta * c[y * n + x];
    }
}
#define GEMM(NAME, T, B, R) extern "C" __global__ void NAME(const T* a, const T* b, T* c, int m, int n, int k, T x, T y) { tile_gemm<T, B, R>(a, b, c, m, n, k, x, y); }
GEMM(gemm_f32, float, 32, 4)
GEMM(gemm_f64, double, 16, 2)
GEMM(gemm_half, __half, 32, 2)
GEMM(gemm_s32, int, 32, 4)
GEMM(gemm_s64, long long, 16, 2)
extern "C" __global__ void gemm_complex(const cuda::std::complex<float>* a, const cuda::std::complex<float>* b, cuda::std::complex<float>* c, int n) {
  cuda::std::complex<float> s = 0;
  for (int k = 0; k < n; ++k) s += a[threadIdx.y * n + k] * b[k * n + threadIdx.x];
  c[threadIdx.y * n + threadIdx.x] = s / a[0];
}
extern "C" __global__ void stencil(const float* __restrict__ a, float* b, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  b[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]) - a[y * w + x];
}
extern "C" __global__ void softmax(const float* a, float* b, int n) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage t;
  __shared__ float top, total;
  float m = -INFINITY, s = 0;
  for (int i = threadIdx.x; i < n; i += 256) m = fmaxf(m, a[blockIdx.x * n + i]);
  m = Reduce(t).Reduce(m, cuda::maximum<>{});
  if (threadIdx.x == 0) top = m;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256) s += __expf(a[blockIdx.x * n + i] - top);
  s = Reduce(t).Sum(s);
  if (threadIdx.x == 0) total = s;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256) b[blockIdx.x * n + i] = __expf(a[blockIdx.x * n + i] - top) / total;
}
extern "C" __global__ void block_primitives(int* x, unsigned long long* y, short* z) {
  using Scan = cub::BlockScan<int, 128>;
  using Sort = cub::BlockRadixSort<unsigned long long, 128, 4, int>;
  using Load = cub::BlockLoad<short, 128, 8, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Merge = cub::WarpMergeSort<int, 4>;
  __shared__ union { typename Scan::TempStorage a; typename Sort::TempStorage b; typename Load::TempStorage c; typename Merge::TempStorage d[4]; } t;
  int v = x[threadIdx.x], total, p[4];
  Scan(t.a).ExclusiveSum(v, v, total);
  __syncthreads();
  unsigned long long k[4];
  for (int i = 0; i < 4; ++i) k[i] = y[threadIdx.x * 4 + i], p[i] = i;
  Sort(t.b).Sort(k, p);
  __syncthreads();
  short s[8];
  Load(t.c).Load(z, s);
  __syncthreads();
  Merge(t.d[threadIdx.x / 32]).Sort(p, cuda::std::less<int>{});
  for (int i = 0; i < 4; ++i) y[threadIdx.x * 4 + i] = k[i] + p[i] + s[i] + s[i + 4];
  x[threadIdx.x] = v + total;
}
extern "C" __global__ void random_numbers(float* x, double* d, unsigned* u, int seed) {
  curandState a;
  curandStatePhilox4_32_10_t b;
  curandStateMRG32k3a m;
  curand_init(seed, threadIdx.x, 0, &a), curand_init(seed, threadIdx.x, 0, &b), curand_init(seed, 1, threadIdx.x, &m);
  const float4 n = curand_normal4(&b);
  x[threadIdx.x] = curand_uniform(&a) + curand_normal(&a) + n.x + n.w + curand_log_normal(&a, 1, 2) + curand_uniform(&m);
  d[threadIdx.x] = curand_uniform_double(&a) + curand_normal_double(&m);
  u[threadIdx.x] = curand_poisson(&a, 3.5) + curand(&b);
}
extern "C" __global__ void scoped_atomics(int* x, int n) {
  cuda::atomic_ref<int, cuda::thread_scope_device> d(x[0]);
  cuda::atomic_ref<int, cuda::thread_scope_block> b(x[1]);
  cuda::atomic_ref<int, cuda::thread_scope_system> s(x[2]);
  d.fetch_add(n, cuda::memory_order_relaxed), b.fetch_or(n, cuda::memory_order_acq_rel), s.store(n, cuda::memory_order_release);
  int e = s.load(cuda::memory_order_acquire);
  while (!d.compare_exchange_weak(e, n, cuda::memory_order_seq_cst)) e += b.exchange(3);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  x[3] = d.fetch_max(e) + b.fetch_sub(2) + s.fetch_and(5) + e;
}
extern "C" __global__ void staged_copies(const float4* a, float4* b, int n) {
  constexpr int kStages = 3;
  __shared__ float4 s[kStages][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0, f = 0; i < n; ++i) {
    for (; f < n && f < i + kStages; ++f) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[f % kStages], a + f * 128, sizeof(float4) * 128, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    b[i * 128 + threadIdx.x] = s[i % kStages][127 - threadIdx.x];
    pipe.consumer_release();
  }
}
extern "C" __global__ void block_barrier(const int* a, int* b) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[256];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&s[threadIdx.x], a + threadIdx.x, sizeof(int), bar);
  auto token = bar.arrive();
  bar.wait(std::move(token));
  b[threadIdx.x] = s[255 - threadIdx.x];
  bar.arrive_and_wait();
  bar.arrive_and_drop();
}
extern "C" __global__ void attention(const __half* q, const __half* k, const __half* v, __half* o, int n, float scale) {
  __shared__ __half2 ks[64][33], vs[64][33];
  float m = -INFINITY, l = 0, acc[8] = {};
  for (int t = 0; t < n; t += 64) {
    for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x) ks[i / 32][i % 32] = ((const __half2*)k)[t * 32 + i], vs[i / 32][i % 32] = ((const __half2*)v)[t * 32 + i];
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      float s = 0;
      for (int d = threadIdx.x & 3; d < 32; d += 4) {
        const float2 x = __half22float2(((const __half2*)q)[threadIdx.x / 4 * 32 + d]), y = __half22float2(ks[j][d]);
        s += x.x * y.x + x.y * y.y;
      }
      s += __shfl_xor_sync(~0u, s, 1), s += __shfl_xor_sync(~0u, s, 2);
      const float mm = fmaxf(m, s * scale), p = exp2f(s * scale - mm), f = exp2f(m - mm);
      l = l * f + p, m = mm;
      for (int d = 0; d < 4; ++d) {
        const float2 y = __half22float2(vs[j][(threadIdx.x & 3) * 8 + d]);
        acc[2 * d] = acc[2 * d] * f + p * y.x, acc[2 * d + 1] = acc[2 * d + 1] * f + p * y.y;
      }
    }
    __syncthreads();
  }
  for (int d = 0; d < 8; ++d) o[threadIdx.x * 8 + d] = __float2half(acc[d] / l);
}
extern "C" __global__ void mandelbrot(unsigned char* image, double x0, double y0, double step, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  double a = 0, b = 0;
  int i = 0;
  for (; i < limit && a * a + b * b < 4; ++i) {
    const double t = a * a - b * b + x0 + x * step;
    b = 2 * a * b + y0 + y * step, a = t;
  }
  image[y * gridDim.x * blockDim.x + x] = i == limit ? 0 : 255 * i / limit;
}
