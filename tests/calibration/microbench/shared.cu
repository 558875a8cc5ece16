// Kernels of run_shared.py: nvcc -cubin -arch sm_90. Loads from shared memory by which lanes read the same words, and stores
// of a few bytes to each sector.
#include <cstdint>

// Where a lane reads, in units of its access; see run_shared.py.
__device__ uint32_t place_of(int pattern, uint32_t lane) {
  switch (pattern) {
    case 0: return lane;                                        // each lane its own
    case 1: return 0;                                           // all lanes the same
    case 2: return lane / 2;                                    // neighbours the same
    case 3: return lane % 2 + lane / 4 * 2;                     // lanes l and l ^ 2 the same
    case 4: return lane / 4;                                    // fours the same
    case 5: return lane / 2 % 2 + lane / 8 * 2;                 // rows of a small tile: 8 places
    case 6: return lane % 2 + lane / 4 % 2 * 2;                 // its columns: 4 places
    case 7: return (lane / 4) ^ (lane % 4);                     // rows of a large tile: 8 places
    case 8: return lane % 4;                                    // its columns: 4 places
    case 9: return lane / 8;                                    // eights the same
    default: return lane / 16;                                  // halves
  }
}

template <int WORDS>
__device__ __forceinline__ void load(uint32_t address, uint32_t (&x)[4]) {
  // volatile, or else loads of one address are merged.
  if constexpr (WORDS == 1) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x[0]) : "r"(address));
  if constexpr (WORDS == 2) asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(x[0]), "=r"(x[1]) : "r"(address));
  if constexpr (WORDS == 4)
    asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(address));
}

// `count` groups of eight loads, of two patterns in turn; cycles of each warp.
template <int WORDS>
__device__ __forceinline__ void stream(long long* out, int first, int second, int count, int* sink) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = 0;
  const uint32_t a = base + place_of(first, lane) * WORDS * 4, b = base + place_of(second, lane) * WORDS * 4;
  uint32_t x[8][4] = {}, sum = 0;
  __syncthreads();
  const long long start = clock64();
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int k = 0; k < 8; ++k) load<WORDS>((k % 2 ? b : a) + k * 512, x[k]);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum |= x[k][0];
  }
  const long long cycles = clock64() - start;
  if (sum == 0x12345677) sink[0] = sum;
  if (lane == 0) out[threadIdx.x / 32] = cycles;
}
#define STREAM(WORDS) \
  extern "C" __global__ void __launch_bounds__(1024) stream_##WORDS(long long* out, int first, int second, int count, int* sink) { \
    stream<WORDS>(out, first, second, count, sink); \
  }
STREAM(1) STREAM(2) STREAM(4)

// Each load's address depends on the one before.
template <int WORDS>
__device__ __forceinline__ void chain(long long* out, int pattern, int count, int* sink) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t lane = threadIdx.x % 32;
  for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = 0;
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(words)) + place_of(pattern, lane) * WORDS * 4;
  uint32_t x[4] = {};
  __syncthreads();
  const long long start = clock64();
  for (int i = 0; i < count; ++i) {
    load<WORDS>(at, x);
    at += x[WORDS - 1];
  }
  const long long cycles = clock64() - start;
  if (at == 1) sink[0] = at;
  if (lane == 0) out[threadIdx.x / 32] = cycles;
}
#define CHAIN(WORDS) \
  extern "C" __global__ void __launch_bounds__(1024) chain_##WORDS(long long* out, int pattern, int count, int* sink) { \
    chain<WORDS>(out, pattern, count, sink); \
  }
CHAIN(1) CHAIN(2) CHAIN(4)

// Loads of two patterns among FFMAs, as in a product: of each pass LOADS loads for the next pass and FFMAS FFMAs of this one's.
template <int LOADS, int FFMAS>
__device__ __forceinline__ void product(long long* out, int first, int second, int count, int* sink) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  for (uint32_t i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = 0;
  const uint32_t a = base + place_of(first, lane) * 16, b = base + place_of(second, lane) * 16;
  float sums[FFMAS] = {};
  uint32_t x[2][LOADS][4] = {};
  __syncthreads();
  const long long start = clock64();
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int k = 0; k < LOADS; ++k) load<4>((k % 2 ? b : a) + (k + half * LOADS) * 512, x[1 - half][k]);
#pragma unroll
      for (int f = 0; f < FFMAS; ++f)
        asm volatile("fma.rn.f32 %0, %1, %2, %0;"
                     : "+f"(sums[f])
                     : "f"(__uint_as_float(x[half][f / 4 % LOADS][f % 4])), "f"(__uint_as_float(x[half][(f / 4 + 1) % LOADS][f / 8 % 4])));
    }
  }
  const long long cycles = clock64() - start;
  float sum = 0;
  for (int f = 0; f < FFMAS; ++f) sum += sums[f];
  if (sum == 1.25f) sink[0] = 1;
  if (lane == 0) out[threadIdx.x / 32] = cycles;
}
#define PRODUCT(LOADS, FFMAS) \
  extern "C" __global__ void __launch_bounds__(256) product_##LOADS##_##FFMAS(long long* out, int first, int second, int count, int* sink) { \
    product<LOADS, FFMAS>(out, first, second, count, sink); \
  }
PRODUCT(2, 16) PRODUCT(3, 32) PRODUCT(4, 64)

// Each warp of the mask issues N instructions of a kind and then a load from shared memory: cycles until that is there.
template <int KIND, int AT>
__device__ __forceinline__ void first_of(uint32_t shared, const char* global, uint32_t lane, uint32_t (&x)[4]) {
  const uint32_t line = shared + AT * 1024;
  const char* from = global + AT * 4096;
  // A row of 16 floats becomes a column, as in steps 13 and 17: lanes 0 to 15 read one row, 16 to 31 the next one.
  const uint32_t transposed = line + (lane % 16 * 68 + lane / 16) * 4;
  if constexpr (KIND == 0) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(line + lane * 4), "l"(from + lane * 4) : "memory");
  if constexpr (KIND == 1)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(transposed), "l"(from + lane / 16 * 2048 + lane % 16 * 4) : "memory");
  if constexpr (KIND == 2) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(line + lane * 16), "l"(from + lane * 16) : "memory");
  // Rows of 64 bytes, 80 apart in shared memory: half sectors.
  if constexpr (KIND == 3)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(line + lane / 4 * 80 + lane % 4 * 16), "l"(from + lane / 4 * 256 + lane % 4 * 16) : "memory");
  // The same rows without the gap.
  if constexpr (KIND == 4)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(line + lane * 16), "l"(from + lane / 4 * 256 + lane % 4 * 16) : "memory");
  if constexpr (KIND == 5)
    asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "l"(from + lane * 16));
  if constexpr (KIND == 6) asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(x[0]) : "l"(from + lane * 4));
  if constexpr (KIND == 7) asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(line + lane * 16), "r"(lane) : "memory");
  if constexpr (KIND == 8) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(transposed), "r"(lane) : "memory");
  if constexpr (KIND == 9) load<4>(line + lane * 16, x);
}
template <int KIND, int N, int AT = 0>
__device__ __forceinline__ void all_of(uint32_t shared, const char* global, uint32_t lane, uint32_t (*x)[4]) {
  if constexpr (AT < N) {
    first_of<KIND, AT>(shared, global, lane, x[AT]);
    all_of<KIND, N, AT + 1>(shared, global, lane, x);
  }
}
template <int KIND, int N>
__device__ __forceinline__ void burst(long long* out, uint32_t mask, const char* global, int* sink) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(words)) + warp % 4 * 24576;
  global += warp * 131072;
  uint32_t x[N + 1][4] = {}, y[4] = {};
  long long cycles = 0;
  for (int pass = 0; pass < 4; ++pass) {  // the first ones bring lines and code
    __syncthreads();
    if (mask >> warp & 1) {
      const long long start = clock64();
      all_of<KIND, N>(shared, global, lane, x);
      load<4>(shared + lane * 16, y);
      asm volatile("" ::"r"(y[0] + y[1] + y[2] + y[3]) : "memory");
      if (y[0] == 0x12345677) sink[0] = 1;
      cycles = clock64() - start;
    }
    asm volatile("cp.async.wait_all;");
    uint32_t sum = 0;
    for (int i = 0; i < N; ++i) sum += x[i][0] + x[i][1] + x[i][2] + x[i][3];
    if (sum == 0x12345677) sink[0] = sum;
  }
  if (lane == 0) out[warp] = cycles;
}
#define BURST(KIND, N)                                                                                                       \
  extern "C" __global__ void __launch_bounds__(256, 1) burst_##KIND##_##N(long long* out, uint32_t mask, const char* global, int* sink) { \
    burst<KIND, N>(out, mask, global, sink);                                                                                \
  }
#define BURSTS(KIND) BURST(KIND, 0) BURST(KIND, 1) BURST(KIND, 2) BURST(KIND, 4) BURST(KIND, 6) BURST(KIND, 8) BURST(KIND, 12) BURST(KIND, 16)
BURSTS(0) BURSTS(1) BURSTS(2) BURSTS(3) BURSTS(4) BURSTS(5) BURSTS(6) BURSTS(7) BURSTS(8) BURSTS(9)

// Stores of one word a lane, `pitch` words apart: what of a sector is written.
extern "C" __global__ void __launch_bounds__(256) stores(float* out, int pitch, int per_thread, int area) {
  const int lanes = blockDim.x * gridDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < per_thread; ++i) {
    const long long at = static_cast<long long>(thread + i * lanes) * pitch % area;
    out[at] = 1.0f;
  }
}
// The same where a thread writes its `pitch` words one after the other.
extern "C" __global__ void __launch_bounds__(256) stores_in_turn(float* out, int pitch, int per_thread, int area) {
  const int lanes = blockDim.x * gridDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < per_thread; i += pitch) {
    const long long at = static_cast<long long>(thread + i / pitch * lanes) * pitch % area;
    for (int k = 0; k < pitch; ++k) out[at + k] = 1.0f;
  }
}
