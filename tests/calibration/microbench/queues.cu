// Kernels of run_memory.py's part `queues`: nvcc -cubin -arch sm_90. How long a warp takes to issue N memory instructions
// in a row that wait for nothing: as many as the queues hold go at once.
#include <cstdint>

template <int OP, int AT>
__device__ __forceinline__ void issue(uint32_t shared, const char* global, uint32_t (&x)[4]) {
  if constexpr (OP == 0) asm volatile("ld.shared.u32 %0, [%1+%2];" : "=r"(x[0]) : "r"(shared), "n"(AT * 512));
  if constexpr (OP == 1)
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4+%5];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(shared), "n"(AT * 512));
  if constexpr (OP == 2) asm volatile("st.shared.u32 [%0+%1], %0;" ::"r"(shared), "n"(AT * 512) : "memory");
  if constexpr (OP == 3) asm volatile("st.shared.v4.u32 [%0+%1], {%0,%0,%0,%0};" ::"r"(shared), "n"(AT * 512) : "memory");
  if constexpr (OP == 4) asm volatile("ld.global.u32 %0, [%1+%2];" : "=r"(x[0]) : "l"(global), "n"(AT * 512));
  if constexpr (OP == 5)
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4+%5];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "l"(global), "n"(AT * 512));
  if constexpr (OP == 6) asm volatile("ld.global.cg.u32 %0, [%1+%2];" : "=r"(x[0]) : "l"(global), "n"(AT * 512));
  if constexpr (OP == 7) asm volatile("st.global.u32 [%0+%1], %2;" ::"l"(global), "n"(AT * 512), "r"(shared) : "memory");
  if constexpr (OP == 8) asm volatile("cp.async.cg.shared.global [%0+%2], [%1+%2], 16;" ::"r"(shared), "l"(global), "n"(AT * 512) : "memory");
}
template <int OP, int N, int AT = 0>
__device__ __forceinline__ void issue_all(uint32_t shared, const char* global, uint32_t (*x)[4]) {
  if constexpr (AT < N) {
    issue<OP, AT>(shared, global, x[AT]);
    issue_all<OP, N, AT + 1>(shared, global, x);
  }
}
// Of each warp whose bit is set: cycles from before the first instruction to after the last one has issued.
template <int OP, int N>
__device__ __forceinline__ void queue(long long* out, uint32_t mask, const char* global, int* sink) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(words)) + lane * 16 + (warp % 4) * 16384;
  global += lane * 16 + warp * 16384;
  uint32_t x[N][4] = {};
  long long cycles = 0;
  for (int pass = 0; pass < 4; ++pass) {  // the first ones bring lines and code
    __syncthreads();
    if (mask >> warp & 1) {
      const long long start = clock64();
      issue_all<OP, N>(shared, global, x);
      cycles = clock64() - start;
    }
    asm volatile("cp.async.wait_all;");
    uint32_t sum = 0;
    for (int i = 0; i < N; ++i) sum += x[i][0] + x[i][1] + x[i][2] + x[i][3];
    if (sum == 0x12345677) sink[0] = sum;
  }
  if (lane == 0) out[warp] = cycles;
}
#define QUEUE(OP, N)                                                                                               \
  extern "C" __global__ void __launch_bounds__(256, 1) queue_##OP##_##N(long long* out, uint32_t mask, const char* global, int* sink) { \
    queue<OP, N>(out, mask, global, sink);                                                                         \
  }
#define QUEUES(OP) \
  QUEUE(OP, 1) QUEUE(OP, 2) QUEUE(OP, 3) QUEUE(OP, 4) QUEUE(OP, 5) QUEUE(OP, 6) QUEUE(OP, 7) QUEUE(OP, 8) QUEUE(OP, 9) QUEUE(OP, 10) \
  QUEUE(OP, 12) QUEUE(OP, 14) QUEUE(OP, 16) QUEUE(OP, 20) QUEUE(OP, 24) QUEUE(OP, 28)
QUEUES(0) QUEUES(1) QUEUES(2) QUEUES(3) QUEUES(4) QUEUES(5) QUEUES(6) QUEUES(7) QUEUES(8)
