// A stand-in for NVIDIA's libcuda.so.1, so that the runner can be tested without a GPU. "Device memory" is
// this process's, and a few kernels are known by name. It has only the functions that the runner calls, with
// the types of the driver's ABI written out (CUDA's headers stay in app/). The variable FAKE_CUDA chooses a
// fault of the whole device.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "fake_kernels.h"

namespace {

using Address = unsigned long long;
// Values of CUresult, from the CUDA driver API's reference.
constexpr int kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100, kInvalidImage = 200,
              kNoBinaryForGpu = 209, kEccUncorrectable = 214, kUnsupportedPtxVersion = 222, kNotFound = 500,
              kNotReady = 600, kIllegalAddress = 700, kUnknown = 999;
constexpr size_t kDeviceBytes = 4 << 20;

size_t used_bytes = 0;
int stream_state = kSuccess;
int launches = 0, launches_behind_a_hang = 0;
double now_ms = 0;                    // the device's clock: only work moves it
constexpr size_t kStackBytes = 1024;  // of a new context
size_t stack_bytes = kStackBytes;     // the largest that the context has seen

bool device_is(std::string_view what) {
  const char* const chosen = getenv("FAKE_CUDA");
  return chosen != nullptr && what == chosen;
}

// Blocks, as a driver's call does that waits for a kernel that never ends.
void wait_for_kernel() {
  while (stream_state == kNotReady) pause();
}

}  // namespace

extern "C" {

// Lets fake_cublas.cpp move the clock, since its products take time too.
void fake_cuda_work(double ms) { now_ms += ms; }

int cuInit(unsigned) { return device_is("none") ? kNoDevice : device_is("broken") ? kUnknown : kSuccess; }
int cuGetErrorName(int result, const char** name) {
  *name = result == kIllegalAddress          ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : result == kEccUncorrectable      ? "CUDA_ERROR_ECC_UNCORRECTABLE"
          : result == kNoBinaryForGpu        ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : result == kUnsupportedPtxVersion ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
                                             : "CUDA_ERROR_FAKE";
  return kSuccess;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == kIllegalAddress ? "an illegal memory access was encountered" : "a fake error";
  return kSuccess;
}
int cuDriverGetVersion(int* version) {
  return *version = device_is("old") ? 11040 : device_is("cuda12") ? 12020 : 13000, kSuccess;
}
int cuDeviceGetCount(int* count) { return *count = device_is("hidden") ? 0 : 1, kSuccess; }
int cuDeviceGet(int* device, int) { return *device = 0, kSuccess; }
int cuDeviceGetName(char* name, int size, int) {
  return snprintf(name, static_cast<size_t>(size), "Fake CUDA device"), kSuccess;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  struct Attribute {
    int number, value;
  };
  // Clock (kHz), SMs, memory clock (kHz), bus (bits), L2 cache (bytes), major and minor compute capability.
  constexpr Attribute kAttributes[] = {{13, 1'980'000}, {16, 132}, {36, 3'201'000}, {37, 6'144},
                                       {38, 1 << 18},   {75, 9},   {76, 0}};
  for (const Attribute& known : kAttributes)
    if (known.number == attribute) return *value = known.value, kSuccess;
  return kInvalidValue;
}
int cuDeviceGetPCIBusId(char* id, int size, int) {
  return snprintf(id, static_cast<size_t>(size), "0000:3b:00.0"), kSuccess;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) { return *bytes = kDeviceBytes, kSuccess; }
int cuDevicePrimaryCtxRetain(void** context, int) {
  return *context = &used_bytes, device_is("full") ? kOutOfMemory : kSuccess;
}
int cuCtxSetCurrent(void*) { return kSuccess; }
int cuCtxGetLimit(size_t* value, int limit) {
  return *value = stack_bytes, limit == 0 ? kSuccess : kInvalidValue;
}
int cuCtxSetLimit(int limit, size_t value) {
  return stack_bytes = value, limit == 0 ? kSuccess : kInvalidValue;
}
int cuMemGetInfo_v2(size_t* free_bytes, size_t* all_bytes) {
  return *free_bytes = kDeviceBytes - used_bytes, *all_bytes = kDeviceBytes, kSuccess;
}
// The size is stored before the memory, in the 256 bytes that the alignment takes.
int cuMemAlloc_v2(Address* address, size_t bytes) {
  constexpr size_t kHeader = 256;
  if (bytes > kDeviceBytes - used_bytes) return kOutOfMemory;
  auto* const memory = static_cast<char*>(aligned_alloc(256, (bytes + 2 * kHeader - 1) / kHeader * kHeader));
  memcpy(memory, &bytes, sizeof bytes);
  used_bytes += bytes;
  *address = reinterpret_cast<Address>(memory + kHeader);
  return kSuccess;
}
int cuMemFree_v2(Address address) {
  wait_for_kernel();
  char* const memory = reinterpret_cast<char*>(address) - 256;
  size_t bytes = 0;
  memcpy(&bytes, memory, sizeof bytes);
  used_bytes -= bytes;
  free(memory);
  return stream_state;
}
int cuMemsetD8_v2(Address address, unsigned char value, size_t count) {
  return memset(reinterpret_cast<void*>(address), value, count), stream_state;
}
int cuMemsetD8Async(Address address, unsigned char value, size_t count, void*) {
  now_ms += 100;
  memset(reinterpret_cast<void*>(address), value, count);
  return stream_state == kNotReady ? kSuccess : stream_state;
}
int cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) {
  return memcpy(reinterpret_cast<void*>(to), from, bytes), stream_state;
}
int cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) {
  return memcpy(to, reinterpret_cast<const void*>(from), bytes), stream_state;
}
int cuModuleLoadData(void** module, const void* image) {
  const std::string_view kind(static_cast<const char*>(image) + 64, 4);
  *module = &stream_state;
  return kind == "GOOD"   ? kSuccess
         : kind == "OTHR" ? kNoBinaryForGpu
         : kind == "NEWR" ? kUnsupportedPtxVersion
                          : kInvalidImage;
}
int cuModuleUnload(void*) { return wait_for_kernel(), stream_state; }
int cuModuleGetFunction(void** function, void*, const char* name) {
  const fake::Kernel* const kernel = fake::find_kernel(name);
  *function = const_cast<fake::Kernel*>(kernel);
  return kernel == nullptr ? kNotFound : kSuccess;
}
int cuFuncGetAttribute(int* value, int attribute, void* function) {
  *value = static_cast<const fake::Kernel*>(function)->local_bytes;
  return attribute == 3 ? kSuccess : kInvalidValue;  // CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
}
int cuFuncSetAttribute(void*, int, int value) { return value > 227 * 1024 ? kInvalidValue : kSuccess; }
int cuFuncGetParamInfo(void* function, size_t index, size_t* offset, size_t* bytes) {
  const fake::Kernel& kernel = *static_cast<const fake::Kernel*>(function);
  if (index >= kernel.parameter_bytes.size()) return kInvalidValue;
  *offset = 8 * index;
  const char digit = kernel.parameter_bytes[index];
  *bytes = digit == 't' ? sizeof(fake::TensorMap) : static_cast<size_t>(digit - '0');
  return kSuccess;
}
// Knows boxes of two dimensions with 128-byte swizzle (3), as the runner makes them.
int cuTensorMapEncodeTiled(void* map, int type, unsigned rank, void* matrix, const uint64_t* size,
                           const uint64_t* row_bytes, const uint32_t* box, const uint32_t* every,
                           int interleave, int swizzle, int, int) {
  const bool known = rank == 2 && every[0] == 1 && every[1] == 1 && interleave == 0 && swizzle == 3;
  if (!known || *row_bytes % 16 != 0) return kInvalidValue;
  const fake::TensorMap made{
      matrix, size[0], size[1], *row_bytes, box[0], box[1], static_cast<uint32_t>(type), {}};
  memcpy(map, &made, sizeof made);
  return kSuccess;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned x, unsigned y, unsigned z, unsigned,
                   void*, void** parameters, void**) {
  if (x * y * z > 1024) return kInvalidValue;
  const fake::Kernel& kernel = *static_cast<const fake::Kernel*>(function);
  if (stream_state == kNotReady && ++launches_behind_a_hang > 900) wait_for_kernel();  // the queue is full
  if (stream_state != kSuccess) return stream_state == kNotReady ? kSuccess : stream_state;
  kernel.run(parameters);
  // Behind a kernel with a larger stack, spilling takes longer.
  const auto local_bytes = static_cast<size_t>(kernel.local_bytes);
  stack_bytes = std::max(stack_bytes, (local_bytes + 15) / 16 * 16);
  const bool slower = local_bytes > 0 && stack_bytes > std::max(kStackBytes, local_bytes);
  now_ms += slower ? 2 * kernel.ms : kernel.ms;
  switch (kernel.end) {
    case fake::End::good:
      break;
    case fake::End::fault:
      stream_state = kIllegalAddress;
      break;
    case fake::End::hang_later:
      if (++launches < 5) break;
      [[fallthrough]];
    case fake::End::hang:
      stream_state = kNotReady;
      break;
    case fake::End::interrupted:
      if (++launches % 16 == 0) now_ms += 4;
      break;
    case fake::End::lost:
      stream_state = kEccUncorrectable;
      break;
  }
  return kSuccess;
}
int cuEventCreate(void** event, unsigned) { return *event = new double(0), kSuccess; }
int cuEventDestroy_v2(void* event) { return delete static_cast<double*>(event), kSuccess; }
int cuEventRecord(void* event, void*) { return *static_cast<double*>(event) = now_ms, kSuccess; }
int cuEventQuery(void*) { return stream_state; }
int cuEventElapsedTime_v2(float* ms, void* start, void* stop) {
  *ms = static_cast<float>(*static_cast<double*>(stop) - *static_cast<double*>(start));
  return stream_state;
}
int cuEventElapsedTime(float* ms, void* start, void* stop) { return cuEventElapsedTime_v2(ms, start, stop); }
int cuStreamQuery(void*) { return stream_state; }

}  // extern "C"
