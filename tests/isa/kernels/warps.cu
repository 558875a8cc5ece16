// Votes, shuffles, matches, reductions, barriers, special registers, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>
#include <cstdint>
namespace cg = cooperative_groups;
#define PUT(E) o[32 * k++] = (E);
extern "C" __global__ void votes(uint32_t* x, uint32_t mask, int n) {
  const uint32_t a = x[threadIdx.x];
  uint32_t* o = x + 32 + threadIdx.x;
  int k = 0, p;
  PUT(__ballot_sync(~0u, a > 3)) PUT(__any_sync(~0u, a)) PUT(__all_sync(~0u, a & 1)) PUT(__uni_sync(~0u, a > 7)) PUT(__ballot_sync(mask, a > 3)) PUT(__any_sync(mask, a)) PUT(__activemask())
  PUT(__shfl_sync(~0u, a, 5)) PUT(__shfl_sync(~0u, a, n)) PUT(__shfl_sync(~0u, a, a, 8)) PUT(__shfl_up_sync(~0u, a, 1)) PUT(__shfl_up_sync(~0u, a, n, 16)) PUT(__shfl_down_sync(~0u, a, 16)) PUT(__shfl_down_sync(mask, a, a)) PUT(__shfl_xor_sync(~0u, a, 1)) PUT(__shfl_xor_sync(~0u, a, n, 4))
  PUT(__match_any_sync(~0u, a)) PUT(__match_all_sync(~0u, a, &p)) PUT(p) PUT(__match_any_sync(~0u, (unsigned long long)a * n)) PUT(__match_all_sync(mask, (unsigned long long)a * a, &p)) PUT(p)
  PUT((uint32_t)__shfl_sync(~0u, (double)a, 3)) PUT((uint32_t)__shfl_xor_sync(~0u, (long long)a, 2))
  uint32_t d;
  asm volatile("{.reg .pred p; shfl.sync.idx.b32 %0|p, %1, %2, %3, %4; @p add.u32 %0, %0, 1;}" : "=r"(d) : "r"(a), "r"(n), "r"(mask), "r"(a ^ 1));
  PUT(d)
  asm volatile("{.reg .pred p; shfl.sync.down.b32 %0|p, %1, 3, 0x1c03, -1; @!p add.u32 %0, %0, 1;}" : "=r"(d) : "r"(a));
  PUT(d)
  asm volatile("{.reg .pred p, q; setp.lt.u32 p, %1, 7; vote.sync.uni.pred q, p, -1; vote.sync.any.pred p, !q, -1; selp.u32 %0, 1, 0, p;}" : "=r"(d) : "r"(a));
  PUT(d)
#if __CUDA_ARCH__ >= 800
  PUT(__reduce_add_sync(~0u, a)) PUT(__reduce_min_sync(~0u, a)) PUT(__reduce_max_sync(mask, a)) PUT(__reduce_and_sync(~0u, a)) PUT(__reduce_or_sync(~0u, a)) PUT(__reduce_xor_sync(mask, a)) PUT(__reduce_min_sync(~0u, (int)a)) PUT(__reduce_max_sync(mask, (int)a)) PUT(__reduce_add_sync(mask, (int)a))
#endif
  __syncwarp();
  __syncwarp(mask);
  __syncwarp(0xff);
  if (a > 5) __syncwarp(__activemask());
}
extern "C" __global__ void block_barriers(int* x, int n, int m) {
  int s = x[threadIdx.x];
  __syncthreads();
  s += __syncthreads_count(s > 3) + __syncthreads_and(s & 1) + __syncthreads_or(s & 2);
  asm volatile("bar.sync 1; bar.sync 2, 64; bar.arrive 3, 96; bar.sync %0; bar.sync %0, 64; bar.sync 4, %1; bar.sync %0, %1; bar.arrive %0, %1; bar.arrive 5, %1; bar.arrive %0, 32;" ::"r"(n), "r"(m));
  asm volatile("barrier.sync 6; barrier.sync %0, %1; barrier.arrive 7, 64; barrier.cta.sync.aligned 8, 128; bar.warp.sync %0; bar.warp.sync 0xffffffff;" ::"r"(n), "r"(m));
  asm volatile("{.reg .pred p; setp.lt.s32 p, %0, 9; bar.red.popc.u32 %0, 1, p; setp.lt.s32 p, %0, 9; bar.red.and.pred p, 2, 64, !p; bar.red.or.pred p, %1, %2, p; barrier.red.popc.u32 %0, %1, p; @p add.u32 %0, %0, 2;}" : "+r"(s) : "r"(n), "r"(m));
  if (s > n) asm volatile("barrier.sync 9, 64;");
  x[threadIdx.x] = s;
}
extern "C" __global__ void special(uint32_t* o) {
  uint32_t v, s = 0;
  uint64_t l, t = 0;
#define S(R) asm volatile("mov.u32 %0, %%" R ";" : "=r"(v)); s += v;
#define L(R) asm volatile("mov.u64 %0, %%" R ";" : "=l"(l)); t += l;
  S("tid.x") S("tid.y") S("tid.z") S("ntid.x") S("ntid.y") S("ntid.z") S("ctaid.x") S("ctaid.y") S("ctaid.z") S("nctaid.x") S("nctaid.y") S("nctaid.z") S("laneid") S("warpid") S("nwarpid") S("smid") S("nsmid") S("lanemask_eq") S("lanemask_le") S("lanemask_lt") S("lanemask_ge") S("lanemask_gt") S("clock") S("clock_hi") S("globaltimer_lo") S("globaltimer_hi") S("total_smem_size") S("dynamic_smem_size") S("envreg0") S("envreg1") S("envreg31") S("pm0") S("pm1") S("pm7")
  L("clock64") L("globaltimer") L("gridid") L("pm0_64") L("pm3_64")
#if __CUDA_ARCH__ >= 800
  S("reserved_smem_offset_begin") S("reserved_smem_offset_end")
#endif
#if __CUDA_ARCH__ >= 900
  S("aggr_smem_size")
#endif
  o[threadIdx.x] = s + (uint32_t)t + warpSize;
}
extern "C" __global__ void groups(int* x, int n) {
  cg::thread_block b = cg::this_thread_block();
  auto w = cg::tiled_partition<32>(b);
  auto q = cg::tiled_partition<4>(w);
  int s = x[b.thread_rank()];
  s += cg::reduce(w, s, cg::plus<int>()) + cg::reduce(q, s, cg::greater<int>()) + cg::reduce(w, (unsigned)s, cg::bit_xor<unsigned>());
  s += cg::inclusive_scan(w, s) + cg::exclusive_scan(q, s) + w.shfl_down(s, 3) + q.any(s) + w.ballot(s > 3) + w.match_any(s);
  b.sync(), w.sync(), q.sync();
  if (s > n) {
    auto c = cg::coalesced_threads();
    s += c.size() + c.thread_rank() + c.shfl(s, 0) + cg::reduce(c, s, cg::plus<int>());
    if (c.thread_rank() == 0) atomicAdd(x, s);
  }
  auto part = cg::labeled_partition(w, s & 3);
  s += part.size() + part.shfl(s, 0) + cg::binary_partition(w, s & 1).size();
  __shared__ int t[256];
  cg::memcpy_async(b, t, x, sizeof(int) * 256);
  cg::wait(b);
  x[b.thread_rank() + 256] = s + t[b.thread_rank()];
}
extern "C" __global__ void whole_grid(int* x) {
  auto g = cg::this_grid();
  x[g.thread_rank()] += 1;
  g.sync();
  x[g.thread_rank()] += x[g.size() - 1 - g.thread_rank()];
}
template <typename T> __device__ T block_sum(T v) {
  __shared__ T part[32];
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : T(0);
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  }
  return v;
}
extern "C" __global__ void sums(const float* a, float* b, const double* c, double* d, int n) {
  float s = 0;
  double t = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i], t += c[i];
  s = block_sum(s), t = block_sum(t);
  if (threadIdx.x == 0) b[blockIdx.x] = s, atomicAdd(d, t);
}
