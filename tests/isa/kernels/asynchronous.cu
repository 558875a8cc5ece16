// Asynchronous copies, barriers in shared memory, bulk copies, clusters.
#include <cuda_runtime.h>
#include <cuda.h>
#include <cooperative_groups.h>
#include <cstdint>
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
extern "C" __global__ void copies_to_shared(const char* g, char* out, int n, uint64_t policy) {
  extern __shared__ char s[];
  const uint32_t a = (uint32_t)__cvta_generic_to_shared(s) + threadIdx.x * 16;
  g += threadIdx.x * 16;
#define COPY(TEXT, ...) asm volatile("cp.async." TEXT ";" ::"r"(a), "l"(g), ##__VA_ARGS__);
  COPY("ca.shared.global [%0], [%1], 4")
  COPY("ca.shared.global [%0+16], [%1+8], 8")
  COPY("ca.shared.global [%0+4096], [%1+16], 16")
  COPY("cg.shared.global [%0+8192], [%1+-32], 16")
  COPY("ca.shared.global.L2::64B [%0], [%1], 8")
  COPY("ca.shared.global.L2::128B [%0], [%1], 16")
  COPY("cg.shared.global.L2::128B [%0], [%1], 16")
  COPY("cg.shared.global.L2::256B [%0], [%1], 16")
  COPY("ca.shared.global [%0], [%1], 4, %2", "r"(n))
  COPY("cg.shared.global [%0], [%1], 16, %2", "r"(n))
  COPY("cg.shared.global.L2::128B [%0+32], [%1+64], 16, %2", "r"(n))
  COPY("cg.shared.global.L2::cache_hint [%0], [%1], 16, %2", "l"(policy))
  asm volatile("{.reg .pred p; setp.lt.s32 p, %2, 5; @p cp.async.cg.shared.global [%0], [%1], 16; cp.async.ca.shared.global [%0], [%1], 8, p;}" ::"r"(a), "l"(g), "r"(n));
  asm volatile("cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_group 1; cp.async.wait_group 3; cp.async.wait_group 7; cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 5];
}
extern "C" __global__ void barriers(const char* g, uint64_t* out, int n) {
  __shared__ uint64_t bar[8];
  __shared__ char s[4096];
  const uint32_t b = (uint32_t)__cvta_generic_to_shared(bar), a = (uint32_t)__cvta_generic_to_shared(s);
  uint64_t t, u = 0;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1; mbarrier.init.shared.b64 [%0+8], 32;" ::"r"(b), "r"(n));
  __syncthreads();
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(b)); u += t;
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(t) : "r"(b)); u += t;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1+8];" : "=l"(t) : "r"(b)); u += t;
  asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1+8], 2;" : "=l"(t) : "r"(b)); u += t;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16; cp.async.mbarrier.arrive.shared.b64 [%2]; cp.async.mbarrier.arrive.noinc.shared.b64 [%2+8];" ::"r"(a), "l"(g), "r"(b));
  uint32_t done;
  do asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(b), "l"(t));
  while (!done);
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(done) : "l"(u));
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], 3;" : "=l"(t) : "r"(b)); u += t;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(t) : "r"(b), "r"(n)); u += t;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(b));
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n));
  asm volatile("mbarrier.arrive_drop.expect_tx.shared::cta.b64 %0, [%1], 16;" : "=l"(t) : "r"(b)); u += t;
#define WAIT(KIND, ...) asm volatile("{.reg .pred p; mbarrier." KIND "; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(b), "r"(n), "l"(t)); u += done;
  WAIT("try_wait.shared.b64 p, [%1], %3") WAIT("try_wait.parity.shared.b64 p, [%1], %2") WAIT("try_wait.parity.shared.b64 p, [%1], %2, 1000")
  WAIT("test_wait.parity.shared.b64 p, [%1], 1") WAIT("try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1+8], 0")
  asm volatile("{.reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];\n"
               "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [r], 64; mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [r], 32;}" ::"r"(b), "r"(n));
#endif
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b));
  out[threadIdx.x] = u + s[threadIdx.x] + done;
}
#endif
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void bulk(char* g, uint64_t* out, int n, uint16_t mask, uint64_t policy) {
  __shared__ __align__(128) char s[4096];
  __shared__ uint64_t bar[2];
  const uint32_t b = (uint32_t)__cvta_generic_to_shared(bar), a = (uint32_t)__cvta_generic_to_shared(s);
#define BULK(T) asm volatile("cp.async.bulk." T ";" ::"r"(a), "l"(g), "r"(n), "r"(b), "h"(mask), "l"(policy) : "memory");
  BULK("shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3]")
  BULK("shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4")
  BULK("shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %5")
  BULK("shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%3]")
  BULK("shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%0], %2, [%3]")
  BULK("global.shared::cta.bulk_group [%1], [%0], %2")
  BULK("global.shared::cta.bulk_group.L2::cache_hint [%1], [%0], %2, %5")
  BULK("prefetch.L2.global [%1], %2")
  BULK("prefetch.L2.global.L2::cache_hint [%1], %2, %5")
#define REDUCE(T) asm volatile("cp.reduce.async.bulk." T ";" ::"r"(a), "l"(g), "r"(n), "r"(b) : "memory");
  REDUCE("global.shared::cta.bulk_group.add.u32 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.add.s32 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.add.u64 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.inc.u32 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.dec.u32 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.min.s32 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.max.u64 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.and.b32 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.or.b64 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.xor.b32 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.add.f32 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.add.f64 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.add.noftz.f16 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.add.noftz.bf16 [%1], [%0], %2")
  REDUCE("global.shared::cta.bulk_group.min.f16 [%1], [%0], %2") REDUCE("global.shared::cta.bulk_group.max.bf16 [%1], [%0], %2")
  REDUCE("shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%0], %2, [%3]")
  REDUCE("shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32 [%0], [%0], %2, [%3]")
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; cp.async.bulk.wait_group 2; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group.read 1;" ::: "memory");
  out[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void tensor_maps(const __grid_constant__ CUtensorMap map, uint64_t* out, int x, int y, uint16_t mask, uint64_t policy) {
  __shared__ __align__(1024) char s[8192];
  __shared__ uint64_t bar[2];
  const uint32_t b = (uint32_t)__cvta_generic_to_shared(bar), a = (uint32_t)__cvta_generic_to_shared(s);
  const uint64_t m = (uint64_t)&map;
  const uint16_t o = 1;
#define TMA(T) asm volatile(T ";" ::"r"(a), "l"(m), "r"(x), "r"(y), "r"(b), "h"(mask), "l"(policy), "h"(o) : "memory");
#define LOAD "cp.async.bulk.tensor."
#define INTO ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define INTO_I ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
  TMA("prefetch.tensormap [%1]")
  TMA(LOAD "1d" INTO " [%0], [%1, {%2}], [%4]") TMA(LOAD "2d" INTO " [%0], [%1, {%2,%3}], [%4]")
  TMA(LOAD "3d" INTO " [%0], [%1, {%2,%3,%2}], [%4]") TMA(LOAD "4d" INTO " [%0], [%1, {%2,%3,%2,%3}], [%4]")
  TMA(LOAD "5d" INTO " [%0], [%1, {%2,%3,%2,%3,%2}], [%4]")
  TMA(LOAD "2d" INTO ".multicast::cluster [%0], [%1, {%2,%3}], [%4], %5")
  TMA(LOAD "2d" INTO ".L2::cache_hint [%0], [%1, {%2,%3}], [%4], %6")
  TMA(LOAD "3d" INTO ".multicast::cluster.L2::cache_hint [%0], [%1, {%2,%3,%2}], [%4], %5, %6")
  TMA(LOAD "3d" INTO_I " [%0], [%1, {%2,%3,%2}], [%4], {%7}") TMA(LOAD "4d" INTO_I " [%0], [%1, {%2,%3,%2,%3}], [%4], {%7,%7}")
  TMA(LOAD "5d" INTO_I ".multicast::cluster [%0], [%1, {%2,%3,%2,%3,%2}], [%4], {%7,%7,%7}, %5")
#define FROM ".global.shared::cta.tile.bulk_group"
  TMA(LOAD "1d" FROM " [%1, {%2}], [%0]") TMA(LOAD "2d" FROM " [%1, {%2,%3}], [%0]") TMA(LOAD "3d" FROM " [%1, {%2,%3,%2}], [%0]")
  TMA(LOAD "4d" FROM " [%1, {%2,%3,%2,%3}], [%0]") TMA(LOAD "5d" FROM " [%1, {%2,%3,%2,%3,%2}], [%0]")
  TMA(LOAD "2d" FROM ".L2::cache_hint [%1, {%2,%3}], [%0], %6")
  TMA(LOAD "4d.global.shared::cta.im2col_no_offs.bulk_group [%1, {%2,%3,%2,%3}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%1, {%2}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group [%1, {%2,%3}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.tile.bulk_group [%1, {%2,%3,%2}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.tile.bulk_group [%1, {%2,%3}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.2d.global.shared::cta.and.tile.bulk_group [%1, {%2,%3}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.2d.global.shared::cta.or.tile.bulk_group [%1, {%2,%3}], [%0]")
  TMA("cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group [%1, {%2,%3}], [%0]")
  TMA("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%1, {%2,%3}]") TMA("cp.async.bulk.prefetch.tensor.5d.L2.global.tile [%1, {%2,%3,%2,%3,%2}]")
  TMA("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%1, {%2,%3,%2}], {%7}")
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  out[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) clusters(int* out, int n) {
  __shared__ int s[128];
  __shared__ uint64_t bar;
  uint32_t a = (uint32_t)__cvta_generic_to_shared(s) + threadIdx.x * 4, b = (uint32_t)__cvta_generic_to_shared(&bar), r, v, w = 0;
  s[threadIdx.x] = out[threadIdx.x];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(r)); w += v;
  asm volatile("ld.shared::cluster.u8 %0, [%1+4];" : "=r"(v) : "r"(r)); w += v;
  asm volatile("st.shared::cluster.u32 [%0+8], %1;" ::"r"(r), "r"(w));
  asm volatile("st.shared::cluster.v4.u32 [%0+16], {%1,%1,%1,%1};" ::"r"(r), "r"(w));
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(r), "r"(w)); w += v;
  asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(r), "r"(w));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(v) : "r"(r)); w += v;
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(r), "r"(w), "r"(b));
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u64 [%0], %1, [%2];" ::"r"(r), "l"((uint64_t)w), "r"(b));
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%1,%1,%1}, [%2];" ::"r"(r), "r"(w), "r"(b));
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(r), "r"(w), "r"(b));
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];" ::"r"(r), "r"(w), "r"(b));
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [%0], %1, [%2];" ::"r"(r), "r"(w), "r"(b));
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::"r"(r), "l"((uint64_t)w), "r"(b));
#define SPECIAL(R) asm volatile("mov.u32 %0, %%" R ";" : "=r"(v)); w += v;
  SPECIAL("cluster_ctarank") SPECIAL("cluster_nctarank") SPECIAL("cluster_ctaid.x") SPECIAL("cluster_ctaid.y") SPECIAL("cluster_nctaid.x")
  SPECIAL("clusterid.x") SPECIAL("clusterid.y") SPECIAL("nclusterid.x") SPECIAL("nclusterid.z")
  asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(v)); w += v;
  auto c = cooperative_groups::this_cluster();
  c.sync();
  out[threadIdx.x] = *c.map_shared_rank(&s[threadIdx.x], n & 1) + w + c.block_rank();
}
extern "C" __global__ void dependent_launch(int* p) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  p[threadIdx.x] += 1;
  asm volatile("griddepcontrol.launch_dependents;");
  uint32_t leader, lane;
  asm volatile("{.reg .pred p; elect.sync %1|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(leader), "=r"(lane));
  if (leader) p[32] = lane;
  asm volatile("{.reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(leader) : "r"(p[40]));
  p[33] = leader;
}
#endif
