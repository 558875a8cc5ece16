// Kernels of run_memory.py: nvcc -cubin -arch sm_90. Loads and stores are asm volatile, each pass at other addresses or of
// memory that the compiler cannot see through, so that none is merged; check with cuobjdump -sass.
#include <cstdint>

typedef long long Time;
__device__ __forceinline__ uint32_t special_sm() { uint32_t x; asm volatile("mov.u32 %0, %%smid;" : "=r"(x)); return x; }
__device__ __forceinline__ uint32_t special_slot() { uint32_t x; asm volatile("mov.u32 %0, %%warpid;" : "=r"(x)); return x; }
__device__ __forceinline__ Time nanoseconds() { Time x; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(x)); return x; }
// Four numbers a warp: start, end, SM, hardware slot.
__device__ __forceinline__ void report(Time* out, Time start, Time end) {
  if (threadIdx.x % 32 != 0) return;
  Time* const mine = out + 4 * (blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32);
  mine[0] = start, mine[1] = end, mine[2] = special_sm(), mine[3] = special_slot();
}

// ---- Local memory. mode 0: stores, 1: loads, 2: stores, then loads of all; 3: a store and a dependent load of the same
// word; 4: dependent loads. `bytes` of the frame are used in turn.
template <int WORDS>
__device__ __forceinline__ void store_local(uint32_t at, uint32_t x) {
  if (WORDS == 1) asm volatile("st.local.u32 [%0], %1;" ::"r"(at), "r"(x) : "memory");
  if (WORDS == 2) asm volatile("st.local.v2.u32 [%0], {%1,%1};" ::"r"(at), "r"(x) : "memory");
  if (WORDS == 4) asm volatile("st.local.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(at), "r"(x) : "memory");
}
template <int WORDS>
__device__ __forceinline__ uint32_t load_local(uint32_t at) {
  uint32_t x = 0, y = 0, z = 0, w = 0;
  if (WORDS == 1) asm volatile("ld.local.u32 %0, [%1];" : "=r"(x) : "r"(at) : "memory");
  if (WORDS == 2) asm volatile("ld.local.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "r"(at) : "memory");
  if (WORDS == 4) asm volatile("ld.local.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at) : "memory");
  return x + y + z + w;
}
template <int WORDS>
__device__ __forceinline__ void local(Time* out, int mode, int passes, int bytes, int* sink) {
  __align__(16) uint32_t frame[1024];
  uint32_t base;
  asm volatile("{ .reg .u64 t; cvta.to.local.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(frame));
  for (int at = 0; at < bytes; at += 4) store_local<1>(base + at, mode == 4 ? base : 0);
  constexpr int kStep = 4 * WORDS, kTogether = 8;
  uint32_t sum = threadIdx.x;
  __syncthreads();
  const Time start = clock64();
  if (mode == 3 || mode == 4) {
    uint32_t address = base;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      if (mode == 3) store_local<WORDS>(address, base);
      address = load_local<WORDS>(address);
      if (WORDS == 2) address >>= 1;
      if (WORDS == 4) address >>= 2;
    }
    sum = address;
  } else {
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      if (mode != 1)
#pragma unroll 1
        for (int at = 0; at < bytes; at += kStep * kTogether)
#pragma unroll
          for (int i = 0; i < kTogether; ++i) store_local<WORDS>(base + at + i * kStep, sum);
      if (mode != 0)
#pragma unroll 1
        for (int at = 0; at < bytes; at += kStep * kTogether) {
          uint32_t x[kTogether];
#pragma unroll
          for (int i = 0; i < kTogether; ++i) x[i] = load_local<WORDS>(base + at + i * kStep);
#pragma unroll
          for (int i = 0; i < kTogether; ++i) sum += x[i];
        }
    }
  }
  const Time end = clock64();
  if (sum == 0x12345677) sink[0] = sum;
  report(out, start, end);
}
#define LOCAL(BITS)                                                                                              \
  extern "C" __global__ void __launch_bounds__(1024) local_##BITS(Time* out, int mode, int passes, int bytes, int* sink) { \
    local<BITS / 32>(out, mode, passes, bytes, sink);                                                            \
  }
LOCAL(32)
LOCAL(64)
LOCAL(128)

// ---- Global loads. `row` bytes between neighbouring rows; lane l reads 16 bytes of row l / lanes, column l % lanes. The next
// pass reads `step` bytes further on; warps and blocks have rows of their own.
extern "C" __global__ void rows(Time* out, const char* p, int lanes, int row, int step, int passes, int together, int own, int* sink) {
  const int warp = threadIdx.x / 32 + (own ? blockIdx.x * (blockDim.x / 32) : 0), lane = threadIdx.x % 32;
  const char* at = p + (int64_t)(warp * (32 / lanes) + lane / lanes) * row + lane % lanes * 16;
  uint32_t sum = 0;
  __syncthreads();
  const Time start = clock64();
  if (together == 1) {
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      uint32_t x, y, z, w;
      asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(at) : "memory");
      x ^= y ^ z ^ w;
      sum += x;
      at += step + (x & 1 ? 1 : 0);  // memory holds zeros: the next address depends on this load
    }
  } else {
#pragma unroll 1
    for (int pass = 0; pass < passes; pass += 4) {
      uint32_t x[4], y[4], z[4], w[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x[i]), "=r"(y[i]), "=r"(z[i]), "=r"(w[i]) : "l"(at + i * step) : "memory");
#pragma unroll
      for (int i = 0; i < 4; ++i) sum += x[i] ^ y[i] ^ z[i] ^ w[i];
      at += 4 * step;
    }
  }
  const Time end = clock64();
  if (sum == 0x12345677) sink[0] = sum;
  report(out, start, end);
}

// The loads of a 128 x 128 block of a product of rows of `depth` floats, eight of them a step, without the math: each thread
// loads 16 bytes of A and of B, waits for them and for the block.
extern "C" __global__ void tiles(Time* out, const char* a, const char* b, int depth, int columns, int steps, int* sink) {
  const int x = blockIdx.x % (columns / 128), y = blockIdx.x / (columns / 128);
  const char* from_a = a + (int64_t)(y * 128 + threadIdx.x / 2) * depth * 4 + threadIdx.x % 2 * 16;
  const char* from_b = b + (int64_t)(threadIdx.x / 32) * columns * 4 + x * 512 + threadIdx.x % 32 * 16;
  uint32_t sum = 0;
  __syncthreads();
  const Time start = clock64();
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    uint32_t p[4], q[4];
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3]) : "l"(from_a) : "memory");
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(q[0]), "=r"(q[1]), "=r"(q[2]), "=r"(q[3]) : "l"(from_b) : "memory");
    for (int i = 0; i < 4; ++i) sum += p[i] ^ q[i];
    from_a += 32 + (sum & 1), from_b += (int64_t)8 * columns * 4;
    __syncthreads();
  }
  const Time end = clock64();
  if (sum == 0x12345677) sink[0] = sum;
  report(out, start, end);
}

// All blocks read `bytes` once a pass, 16 bytes a lane, four loads in flight a warp; a warp that is chosen to follow a chain
// instead (chain >= 0) measures the latency meanwhile. `idle` cycles between groups of loads.
extern "C" __global__ void stream(Time* out, const char* p, int64_t bytes, int passes, int idle, const uint32_t* chain, int hops, int* sink) {
  uint32_t sum = 0;
  __syncthreads();
  const Time start = clock64();
  if (chain != nullptr && threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      uint32_t at = blockIdx.x * 977 % 4096;
#pragma unroll 1
      for (int hop = 0; hop < hops; ++hop) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(chain + at) : "memory");
      sum = at;
    }
    __syncwarp();
  } else {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x * 16;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass)
#pragma unroll 1
      for (int64_t at = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * 16; at + 3 * stride < bytes; at += 4 * stride) {
        uint32_t x[4], y[4], z[4], w[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
          asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x[i]), "=r"(y[i]), "=r"(z[i]), "=r"(w[i]) : "l"(p + at + i * stride) : "memory");
#pragma unroll
        for (int i = 0; i < 4; ++i) sum += x[i] ^ y[i] ^ z[i] ^ w[i];
        if (idle > 0) {
          const Time since = clock64();
          while (clock64() - since < idle) continue;
        }
      }
  }
  const Time end = clock64();
  if (sum == 0x12345677) sink[0] = sum;
  report(out, start, end);
}

// ---- Global loads that hit L1: the warp's `words` x 128 bytes again and again.
template <int WORDS>
__device__ __forceinline__ void hits(Time* out, const char* p, int passes, int stride, int* sink) {
  const char* const base = p + threadIdx.x / 32 * 1024 * WORDS + threadIdx.x % 32 * stride;
  uint32_t sum = 0, turn = 0;
  __syncthreads();
  const Time start = clock64();
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t x[8], y[8] = {}, z[8] = {}, w[8] = {};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const char* const at = base + turn + (i % 4) * 128 * WORDS;
      if (WORDS == 1) asm volatile("ld.global.u32 %0, [%1];" : "=r"(x[i]) : "l"(at + i / 4 * 4) : "memory");
      if (WORDS == 4) asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x[i]), "=r"(y[i]), "=r"(z[i]), "=r"(w[i]) : "l"(at + i / 4 * 16) : "memory");
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += x[i] ^ y[i] ^ z[i] ^ w[i];
    turn = sum & 64;
  }
  const Time end = clock64();
  if (sum == 0x12345677) sink[0] = sum;
  report(out, start, end);
}
extern "C" __global__ void hits_32(Time* out, const char* p, int passes, int stride, int* sink) { hits<1>(out, p, passes, stride, sink); }
extern "C" __global__ void hits_128(Time* out, const char* p, int passes, int stride, int* sink) { hits<4>(out, p, passes, stride, sink); }

// ---- One lane's chain of loads through L1: `count` lines `pitch` bytes apart, `passes` times; with `order`, the line of each step comes
// from there. `out` gets the cycles of each step of the last pass.
extern "C" __global__ void chain(Time* out, const char* p, int count, int pitch, int passes, int through_l1, const int* order, int* sink) {
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass)
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const char* at = p + (int64_t)(order != nullptr ? order[i] : i) * pitch;
      uint32_t x;
      const Time start = clock64();
      if (through_l1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
      else
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
      sum += x;
      asm volatile("" ::"r"(sum) : "memory");
      const Time end = clock64() + (sum & 1);
      out[i] = end - start;
    }
  if (sum == 0x12345677) sink[0] = sum;
}

// ---- Fixed costs.
extern "C" __global__ void empty(int* sink) {
  if (sink == nullptr) *sink = 1;
}
extern "C" __global__ void spin(Time* out, int cycles, int spread, int store, int* sink) {
  const Time start = clock64();
  const Time wanted = cycles + (spread ? (Time)(blockIdx.x * 7919u % 97u) * spread : 0);
  while (clock64() - start < wanted) continue;
  if (store == 1) sink[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (store == 2)
    for (int i = 0; i < 16; ++i) sink[(i * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = 1;
  if (out != nullptr) report(out, start, clock64());
}
// Says when its warps start, and nothing at the end; with store, one store a thread ends it.
extern "C" __global__ void starts(Time* out, int cycles, int store, int* sink) {
  const Time start = clock64();
  report(out, start, start + cycles);
  while (clock64() - start < cycles) continue;
  if (store) sink[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// Holds 200 registers.
extern "C" __global__ void __launch_bounds__(256) spin_200(Time* out, int cycles, int* sink) {
  int r[190];
  for (int i = 0; i < 190; ++i) asm volatile("mov.u32 %0, %%clock;" : "=r"(r[i]));
  const Time start = clock64();
  while (clock64() - start < cycles) continue;
  for (int i = 0; i < 190; ++i) asm volatile("" ::"r"(r[i]));
  int sum = 0;
  for (int i = 0; i < 190; ++i) sum ^= r[i];
  if (sum == 0x12345677) sink[0] = 1;
  if (out != nullptr) report(out, start, clock64());
}
// Keeps so many values in registers, and counts the time in which it gets them, too: spin_200 does not.
template <int COUNT>
__device__ __forceinline__ void hold(Time* out, int cycles) {
  const Time start = clock64();
  int r[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; ++i) asm volatile("mov.u32 %0, %%clock;" : "=r"(r[i]));
  while (clock64() - start < cycles) continue;
  if (cycles < 0)  // never, but the registers must be kept for it
    for (int i = 0; i < COUNT; ++i) out[i] = r[i];
  if (out != nullptr) report(out, start, clock64());
}
#define HOLD(COUNT) \
  extern "C" __global__ void __launch_bounds__(256) hold_##COUNT(Time* out, int cycles) { hold<COUNT>(out, cycles); }
HOLD(20) HOLD(90) HOLD(110) HOLD(130) HOLD(160) HOLD(190) HOLD(230)
// The first accesses of a warp, eight numbers a block: clocks before and after a constant load, then after loads of a first
// word, of the same again, of one 256 bytes on, of one 16 KiB on and of one `far` words on. A branch on each result makes the
// next clock wait for it.
__constant__ int constants[4096];
extern "C" __global__ void first_accesses(Time* out, const uint32_t* p, int far) {
  const Time ns = nanoseconds();
  Time t[7];
  t[0] = clock64();
  if (constants[(t[0] >> 62) & 1] != 0) return;
  t[1] = clock64();
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    const uint32_t* const at = p + ((t[1 + i] >> 62) & 1) + (i < 2 ? 0 : i == 2 ? 64 : i == 3 ? 4096 : far) + blockIdx.x * 128;
    uint32_t x;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
    if (x != 0) return;
    t[2 + i] = clock64();
  }
  if (threadIdx.x == 0) {
    for (int i = 0; i < 7; ++i) out[blockIdx.x * 8 + i] = t[i];
    out[blockIdx.x * 8 + 7] = ns;
  }
}

// ---- Atomics. distance: bytes between the words of neighbouring lanes; apart: bytes between those of warps, over all blocks.
#define ATOMIC(NAME, TEXT)                                                                                      \
  extern "C" __global__ void NAME(Time* out, char* p, int distance, int apart, int passes, int* sink) {          \
    char* const at = p + threadIdx.x % 32 * distance + (int64_t)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * apart; \
    int x = 0, sum = 0;                                                                                         \
    __syncthreads();                                                                                            \
    const Time start = clock64();                                                                               \
    _Pragma("unroll 1") for (int pass = 0; pass < passes; ++pass) {                                             \
      _Pragma("unroll") for (int i = 0; i < 4; ++i) { TEXT; sum += x; }                                         \
    }                                                                                                           \
    const Time end = clock64();                                                                                 \
    if (sum == 0x12345677) sink[0] = sum;                                                                       \
    report(out, start, end);                                                                                    \
  }
ATOMIC(red_s32, asm volatile("red.global.add.s32 [%0], 1;" ::"l"(at) : "memory"))
ATOMIC(red_f32, asm volatile("red.global.add.f32 [%0], 0f3F800000;" ::"l"(at) : "memory"))
ATOMIC(atom_s32, asm volatile("atom.global.add.s32 %0, [%1], 1;" : "=r"(x) : "l"(at) : "memory"))
ATOMIC(atom_f32, { float f; asm volatile("atom.global.add.f32 %0, [%1], 0f3F800000;" : "=f"(f) : "l"(at) : "memory"); x = f; })
#define SHARED_ATOMIC(NAME, TEXT)                                                                               \
  extern "C" __global__ void NAME(Time* out, char* p, int distance, int apart, int passes, int* sink) {          \
    __shared__ int words[8192];                                                                                 \
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = 0;                                          \
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(words) + (threadIdx.x % 32 * distance + threadIdx.x / 32 * apart) % 32768; \
    int x = 0, sum = 0;                                                                                         \
    __syncthreads();                                                                                            \
    const Time start = clock64();                                                                               \
    _Pragma("unroll 1") for (int pass = 0; pass < passes; ++pass) {                                             \
      _Pragma("unroll") for (int i = 0; i < 4; ++i) { TEXT; sum += x; }                                         \
    }                                                                                                           \
    const Time end = clock64();                                                                                 \
    if (sum == 0x12345677) sink[0] = sum + words[sum & 8191];                                                   \
    report(out, start, end);                                                                                    \
  }
SHARED_ATOMIC(atoms_s32, asm volatile("atom.shared.add.s32 %0, [%1], 1;" : "=r"(x) : "r"(at) : "memory"))
SHARED_ATOMIC(reds_s32, asm volatile("red.shared.add.s32 [%0], 1;" ::"r"(at) : "memory"))
SHARED_ATOMIC(reds_f32, asm volatile("red.shared.add.f32 [%0], 0f3F800000;" ::"r"(at) : "memory"))

// ---- A hit behind misses: warp 0 follows a chain of loads that hit L1; with OWN each hit follows a load of its own that
// misses. The warps of the mask `beside` load lines that miss, four at a time, until warp 0 ends.
__device__ __forceinline__ uint32_t load_line(const char* cold, uint32_t& at) {
  uint32_t x;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(cold + at + threadIdx.x % 32 * 4));
  at = (at + 128) & ((4 << 20) - 1);
  return x;
}
template <bool OWN, bool LOCAL>
__device__ __forceinline__ void hit_order(Time* out, const char* cold, int beside, int passes, int* sink) {
  __align__(16) uint32_t frame[64];
  __shared__ volatile int done;
  uint32_t base, sum = 0, at = (blockIdx.x * 8 + threadIdx.x / 32) * (32 << 10) & ((4 << 20) - 1);
  asm volatile("{ .reg .u64 t; cvta.to.local.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(frame));
  for (int i = 0; i < 64; ++i) store_local<1>(base + 4 * i, base);
  const char* hot = (const char*)sink + (32 << 20);
  done = 0;
  __syncthreads();
  const Time start = clock64();
  if (threadIdx.x < 32) {
    uint32_t address = base;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      uint32_t cold_word[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (OWN) cold_word[i] = load_line(cold, at);
        if (LOCAL) {
          address = load_local<1>(address);
        } else {
          uint32_t x;
          asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(hot));
          hot += x;
        }
      }
      if (OWN) sum += cold_word[0] + cold_word[1] + cold_word[2] + cold_word[3];
    }
    sum += address + (uint32_t)(uint64_t)hot;
    done = 1;
  } else if ((beside >> threadIdx.x / 32 & 1) != 0) {
    while (done == 0) {
      uint32_t cold_word[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) cold_word[i] = load_line(cold, at);
      sum += cold_word[0] + cold_word[1] + cold_word[2] + cold_word[3];
    }
  }
  const Time end = clock64();
  report(out, start, end);
  if (sum == 12345) sink[threadIdx.x] = sum;
}
#define HIT_ORDER(NAME, OWN, LOCAL) \
  extern "C" __global__ void NAME(Time* out, const char* cold, int beside, int passes, int* sink) { \
    hit_order<OWN, LOCAL>(out, cold, beside, passes, sink); \
  }
HIT_ORDER(hit_order_global, false, false)
HIT_ORDER(hit_order_local, false, true)
HIT_ORDER(hit_order_global_own, true, false)
HIT_ORDER(hit_order_local_own, true, true)
