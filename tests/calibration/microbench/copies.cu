// Tensor copies of one thread and the barrier objects that they arrive at, in cycles: nvcc -arch sm_90 copies.cu, a program of its
// own, since only the driver makes tensor maps.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                   \
  do {                                                                                \
    if (const int error = static_cast<int>(call)) {                                   \
      std::printf("%s: error %d\n", #call, error);                                    \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (false)

constexpr int kShared = 200 * 1024, kPasses = 40, kFirst = 10, kCells = 5, kColumns = 1024, kRows = 2048;

__device__ unsigned place(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }
__device__ void init(unsigned object) { asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(object) : "memory"); }
__device__ void arrive(unsigned object) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(object) : "memory"); }
__device__ void wait(unsigned object, unsigned phase) {
  asm volatile("{\n.reg .pred over;\nagain: mbarrier.try_wait.parity.shared.b64 over, [%0], %1;\n@!over bra again;\n}" ::"r"(object),
               "r"(phase & 1)
               : "memory");
}

// Copies `boxes` boxes of `rows` rows of 128 bytes, one copy after the other, and waits for them.
__global__ void latency(const __grid_constant__ CUtensorMap map, int rows, int boxes, long long* out) {
  extern __shared__ __align__(1024) char shared[];
  __shared__ unsigned long long objects[2];
  if (threadIdx.x != 0) return;
  const unsigned full = place(objects), own = place(objects + 1), bytes = rows * 128 * boxes;
  init(full), init(own);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  for (int i = 0; i < kPasses; ++i) {
    const long long start = clock64();
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full), "r"(bytes) : "memory");
    for (int b = 0; b < boxes; ++b)
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
              place(shared) + b * rows * 128),
          "l"(&map), "r"(b * 32), "r"(0), "r"(full)
          : "memory");
    const long long issued = clock64();
    wait(full, i);
    const long long there = clock64();
    wait(full, i);
    const long long again = clock64();
    arrive(own);
    const long long arrived = clock64();
    wait(own, i);
    const long long cells[kCells] = {issued - start, there - start, again - there, arrived - again, clock64() - again};
    for (int c = 0; c < kCells; ++c) out[i * kCells + c] = cells[c];
  }
}

// From an arrival of one warp to the clock behind the wait of another, which has waited for 2000 cycles.
__global__ void handover(long long* out) {
  __shared__ unsigned long long object;
  __shared__ long long arrival;
  if (threadIdx.x == 0) init(place(&object));
  for (int i = 0; i < kPasses; ++i) {
    __syncthreads();
    if (threadIdx.x == 32) {
      const long long end = clock64() + 2000;
      while (clock64() < end) continue;
      arrival = clock64();
      arrive(place(&object));
    }
    if (threadIdx.x == 0) {
      wait(place(&object), i);
      const long long now = clock64();
      out[i] = now - *static_cast<volatile long long*>(&arrival);
    }
  }
}

CUtensorMap map_of(float* matrix, int rows) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
  CUtensorMap map;
  const cuuint64_t size[] = {kColumns, kRows}, stride = kColumns * sizeof(float);
  const cuuint32_t box[] = {32, static_cast<cuuint32_t>(rows)}, every[] = {1, 1};
  CHECK(reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, size, &stride, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  return map;
}

int main() {
  float* matrix = nullptr;
  long long* out = nullptr;
  CHECK(cudaMalloc(&matrix, sizeof(float) * kColumns * kRows));
  CHECK(cudaMemset(matrix, 1, sizeof(float) * kColumns * kRows));
  CHECK(cudaMallocManaged(&out, sizeof(long long) * kPasses * kCells));
  CHECK(cudaFuncSetAttribute(latency, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  std::printf("latency: rows boxes | issue, start to phase's end, wait that is over, arrive, arrive to own wait (medians of 30, cycles)\n");
  for (const int boxes : {1, 2, 4, 5})
    for (const int rows : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
      if (rows * boxes > 1024) continue;
      latency<<<1, 32, kShared>>>(map_of(matrix, rows), rows, boxes, out);
      CHECK(cudaDeviceSynchronize());
      std::printf("%4d %2d |", rows, boxes);
      for (int c = 0; c < kCells; ++c) {
        std::vector<long long> cells;
        for (int i = kFirst; i < kPasses; ++i) cells.push_back(out[i * kCells + c]);
        std::sort(cells.begin(), cells.end());
        std::printf(" %lld", cells[cells.size() / 2]);
      }
      std::printf("\n");
    }
  handover<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  std::printf("handover:");
  for (int i = kFirst; i < kPasses; ++i) std::printf(" %lld", out[i]);
  std::printf("\n");
}
