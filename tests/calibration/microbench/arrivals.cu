// When asynchronous copies and loads take the data stage of L1 and shared memory: as they issue, and as their data arrives from L2.
// nvcc -arch sm_90 -std=c++17 -O3 arrivals.cu
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "random_area.cuh"

using Time = long long;
constexpr int kBlocks = 16, kStreamWarps = 8, kCopyWarps = 8, kCopies = 12, kProbes = 64, kPasses = 12;
constexpr size_t kBytes = size_t{24} << 20;
constexpr int kShared = 96 << 10;

const char* const kNames[] = {"LDGSTS.32, a row",     "LDGSTS.32, two half lines into columns", "LDGSTS.128, a row of 512 B",
                              "LDGSTS.128, 8 rows of 64 B", "LDGSTS.128, 8 rows of 64 B, 80 B apart in shared memory",
                              "LDG.128, a row of 512 B",    "LDG.32, a row",  "LDG.128, 8 rows of 64 B",
                              "LDG.32, two half lines",     "STS.32",         "STS.128",                 "LDS.32", "nothing", "LDGDEPBAR"};

template <int KIND>
__device__ __forceinline__ uint32_t access(uint32_t shared, const char* from, uint32_t lane) {
  uint32_t x = 0, y, z, w;
  if constexpr (KIND == 0) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared + lane * 4), "l"(from + lane * 4) : "memory");
  if constexpr (KIND == 1)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared + (lane % 16 * 68 + lane / 16) * 4), "l"(from + lane / 16 * 2048 + lane % 16 * 4) : "memory");
  if constexpr (KIND == 2) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared + lane * 16), "l"(from + lane * 16) : "memory");
  if constexpr (KIND == 3)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared + lane * 16), "l"(from + lane / 4 * 512 + lane % 4 * 16) : "memory");
  if constexpr (KIND == 4)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared + lane / 4 * 80 + lane % 4 * 16), "l"(from + lane / 4 * 512 + lane % 4 * 16) : "memory");
  if constexpr (KIND == 5)
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(from + lane * 16) : "memory");
  if constexpr (KIND == 6) asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(from + lane * 4) : "memory");
  if constexpr (KIND == 7)
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(from + lane / 4 * 512 + lane % 4 * 16) : "memory");
  if constexpr (KIND == 8) asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(from + lane / 16 * 2048 + lane % 16 * 4) : "memory");
  if constexpr (KIND == 9) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared + lane * 4), "r"(lane) : "memory");
  if constexpr (KIND == 10) asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(shared + lane * 16), "r"(lane) : "memory");
  if constexpr (KIND == 11) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(shared + lane * 4) : "memory");
  return x;
}

// Eight warps load 128 bits a lane from shared memory, which alone keeps the data stage busy; eight others access global memory every
// `pace` cycles until `until`, 4 KiB further each time within `span` bytes of their own.
template <int KIND>
__global__ void __launch_bounds__(512) beside(Time* out, const char* area, int loads, int pace, Time until, int span) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  uint32_t sum = 0;
  __syncthreads();
  const Time start = clock64();
  Time count = 0;
  if (warp < kStreamWarps) {
    for (int i = 0; i < loads; i += 8) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        uint32_t x, y, z, w;
        asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(base + k * 512 + lane * 16) : "memory");
        sum += x ^ y ^ z ^ w;
      }
    }
  } else {
    const char* own = area + (size_t{1} * blockIdx.x * kCopyWarps + warp - kStreamWarps) * (kBytes / (kBlocks * kCopyWarps));
    uint32_t shared = base + 8192 + (warp - kStreamWarps) * 8192;
    Time next = start + (warp - kStreamWarps) * (pace / kCopyWarps);
    for (int at = 0; next < start + until; at = (at + 4096) % span, next += pace, ++count) {
      while (clock64() < next) {}
      sum += access<KIND>(shared, own + at, lane);
      if (KIND < 5 || KIND == 13) {
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 3;");
      }
    }
    asm volatile("cp.async.wait_all;");
  }
  const Time end = clock64();
  if (sum == 0x12345) out[0] = 1;
  Time* const own = out + (blockIdx.x * (kStreamWarps + kCopyWarps) + warp) * 3;
  if (lane == 0) own[0] = start, own[1] = end, own[2] = count;
}

// Eight warps issue 12 accesses each; a ninth one loads from shared memory in a chain: when, and how long each takes.
template <int KIND>
__global__ void __launch_bounds__(288) profile(Time* out, const char* area, int warps) {
  extern __shared__ __align__(16) uint32_t words[];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
  uint32_t sum = 0, times[kProbes];
  words[threadIdx.x] = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    const char* own = area + (size_t{1} * (blockIdx.x * kPasses + pass) * kCopyWarps + warp) * kCopies * 4096 % kBytes;
    uint32_t address = base + lane * 4;
    __syncthreads();
    const uint32_t start = static_cast<uint32_t>(clock64());
    if (warp < kCopyWarps) {
      if (static_cast<int>(warp) < warps) {
        uint32_t x[kCopies];
#pragma unroll
        for (int k = 0; k < kCopies; ++k) x[k] = access<KIND>(base + 8192 + warp * 8192 + k * 512, own + k * 4096, lane);
        for (int k = 0; k < kCopies; ++k) sum += x[k];
      }
    } else {
#pragma unroll
      for (int k = 0; k < kProbes; ++k) {
        uint32_t x;
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(address) : "memory");
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address + 4096), "r"(x) : "memory");  // the clock is read behind it
        times[k] = static_cast<uint32_t>(clock64());
        address += x;
      }
      if (pass == kPasses - 1 && lane == 0)
        for (int k = 0; k < kProbes; ++k) out[blockIdx.x * kProbes + k] = times[k] - start;
    }
    asm volatile("cp.async.wait_all;");
  }
  if (sum == 0x12345) out[0] = 1;
}

Time* out;
char* area;
std::vector<Time> times(kBlocks * 16 * 3 + kBlocks * kProbes);

void read() { cudaMemcpy(times.data(), out, times.size() * sizeof(Time), cudaMemcpyDeviceToHost); }

template <int KIND>
void measure_beside() {
  cudaFuncSetAttribute(beside<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  constexpr int kLoads = 4096;
  const auto run = [&](int pace, Time until, int span, double& copies) {
    for (int i = 0; i < 3; ++i) beside<KIND><<<kBlocks, 512, kShared>>>(out, area, kLoads, pace, until, span);
    read();
    std::vector<double> cycles;
    copies = 0;
    for (int b = 0; b < kBlocks; ++b) {
      const Time* own = &times[b * 16 * 3];
      Time first = own[0], last = 0;
      for (int w = 0; w < 16; ++w)
        if (w < kStreamWarps) first = std::min(first, own[w * 3]), last = std::max(last, own[w * 3 + 1]);
        else copies += static_cast<double>(own[w * 3 + 2]) / kBlocks;
      cycles.push_back(last - first);
    }
    std::sort(cycles.begin(), cycles.end());
    return cycles[kBlocks / 2];
  };
  double none, copies;
  const double alone = run(1000, 0, 4096, none);
  printf("beside: %s: alone %.2f cycles a load; cycles lost an access", kNames[KIND], alone / (kLoads * kStreamWarps));
  for (int span : {128 << 10, 4096})
    for (int pace : {1024, 512}) {
      const double with = run(pace, 100000, span, copies);
      printf("; %s, one in %d %.2f (%.0f)", span == 4096 ? "the same lines" : "new lines", pace / kCopyWarps, (with - alone) / copies, copies);
    }
  printf("\n");
}

template <int KIND>
void measure_profile() {
  cudaFuncSetAttribute(profile<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  for (int warps : {0, 4, 8}) {
    for (int i = 0; i < 4; ++i) profile<KIND><<<kBlocks, 288, kShared>>>(out, area, warps);
    read();
    std::vector<double> sum(40), count(40);
    for (int b = 0; b < kBlocks; ++b)
      for (int k = 1; k < kProbes; ++k) {
        const Time from = times[b * kProbes + k - 1], to = times[b * kProbes + k];
        const size_t bin = std::min<size_t>(39, from / 40);
        sum[bin] += to - from, ++count[bin];
      }
    printf("profile: %s, %d warps: cycles a probe from", kNames[KIND], warps);
    for (size_t bin = 0; bin < 36; ++bin)
      if (count[bin] > 0) printf(" %zu:%.0f", bin * 40, sum[bin] / count[bin]);
    printf("\n");
  }
}

template <int KIND>
void measure() {
  measure_beside<KIND>();
  if (KIND < 11) measure_profile<KIND>();
}

int main() {
  cudaMalloc(&out, times.size() * sizeof(Time));
  area = random_area(kBytes + (1 << 20));
  measure<0>(), measure<1>(), measure<2>(), measure<3>(), measure<4>(), measure<5>(), measure<6>(), measure<7>();
  measure<8>(), measure<9>(), measure<10>(), measure<11>(), measure<12>(), measure<13>();
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return printf("%s\n", cudaGetErrorString(error)), 1;
}
