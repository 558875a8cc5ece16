// A stand-in for NVIDIA's libcuda.so.1, so that the runner can be tested where there is no GPU: "device
// memory" is this process's, and a few kernels are known by name. Only what the runner calls, with the types
// of the driver's ABI spelled out (CUDA's headers stay in app/). The variable FAKE_CUDA chooses a fault of
// the whole device.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using Address = unsigned long long;
// Values of CUresult, from the CUDA driver API's reference.
constexpr int kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100, kInvalidImage = 200,
              kNotFound = 500, kNotReady = 600, kIllegalAddress = 700, kUnknown = 999;
constexpr size_t kDeviceBytes = 4 << 20;

const char* const kKernels[] = {"add_one", "write_behind", "write_before", "fault",
                                "hang",    "chatty",       "crash"};
enum : uintptr_t { add_one = 1, write_behind, write_before, fault, hang, chatty, crash };

size_t used_bytes = 0;
int stream_state = kSuccess;

bool device_is(std::string_view what) {
  const char* const chosen = getenv("FAKE_CUDA");
  return chosen != nullptr && what == chosen;
}

// What a driver does with a call that waits for a kernel that never ends.
void wait_for_kernel() {
  while (stream_state == kNotReady) pause();
}

void run_kernel(uintptr_t kernel, float* values, int count) {
  switch (kernel) {
    case add_one:
      for (int i = 0; i < count; ++i) values[i] += 1;
      break;
    case write_behind:
      values[count] = 0;
      break;
    case write_before:
      values[-2] = 0;
      break;
    case fault:
      stream_state = kIllegalAddress;
      break;
    case hang:
      stream_state = kNotReady;
      break;
    case chatty:
      printf("hello from the kernel\n");
      fflush(stdout);
      break;
    case crash:
      raise(SIGKILL);
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return device_is("none") ? kNoDevice : device_is("broken") ? kUnknown : kSuccess; }
int cuGetErrorName(int result, const char** name) {
  *name = result == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE";
  return kSuccess;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == kIllegalAddress ? "an illegal memory access was encountered" : "a fake error";
  return kSuccess;
}
int cuDriverGetVersion(int* version) { return *version = 13000, kSuccess; }
int cuDeviceGetCount(int* count) { return *count = device_is("hidden") ? 0 : 1, kSuccess; }
int cuDeviceGet(int* device, int) { return *device = 0, kSuccess; }
int cuDeviceGetName(char* name, int size, int) {
  return snprintf(name, static_cast<size_t>(size), "Fake CUDA device"), kSuccess;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kClockKhz = 13, kSmCount = 16, kMajor = 75, kMinor = 76;
  *value = attribute == kClockKhz ? 1'980'000 : attribute == kSmCount ? 132 : attribute == kMajor ? 9 : 0;
  return attribute == kClockKhz || attribute == kSmCount || attribute == kMajor || attribute == kMinor
             ? kSuccess
             : kInvalidValue;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) { return *bytes = kDeviceBytes, kSuccess; }
int cuDevicePrimaryCtxRetain(void** context, int) {
  return *context = &used_bytes, device_is("full") ? kOutOfMemory : kSuccess;
}
int cuCtxSetCurrent(void*) { return kSuccess; }
int cuMemGetInfo_v2(size_t* free_bytes, size_t* all_bytes) {
  return *free_bytes = kDeviceBytes - used_bytes, *all_bytes = kDeviceBytes, kSuccess;
}
// The size stands before the memory, in as many bytes as the alignment of 256 takes.
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
int cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) {
  return memcpy(reinterpret_cast<void*>(to), from, bytes), stream_state;
}
int cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) {
  return memcpy(to, reinterpret_cast<const void*>(from), bytes), stream_state;
}
int cuModuleLoadData(void** module, const void* image) {
  *module = &stream_state;
  return memcmp(static_cast<const char*>(image) + 64, "GOOD", 4) == 0 ? kSuccess : kInvalidImage;
}
int cuModuleUnload(void*) { return wait_for_kernel(), stream_state; }
int cuModuleGetFunction(void** function, void*, const char* name) {
  for (uintptr_t i = 0; i < std::size(kKernels); ++i)
    if (std::string_view(name) == kKernels[i]) return *function = reinterpret_cast<void*>(i + 1), kSuccess;
  return kNotFound;
}
int cuFuncSetAttribute(void*, int, int value) { return value > 227 * 1024 ? kInvalidValue : kSuccess; }
int cuFuncGetParamInfo(void*, size_t index, size_t* offset, size_t* bytes) {
  if (index > 1) return kInvalidValue;
  *offset = 8 * index;
  *bytes = index == 0 ? 8 : 4;
  return kSuccess;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned x, unsigned y, unsigned z, unsigned,
                   void*, void** parameters, void**) {
  if (x * y * z > 1024) return kInvalidValue;
  float* values = nullptr;
  int count = 0;
  memcpy(&values, parameters[0], sizeof values);
  memcpy(&count, parameters[1], sizeof count);
  run_kernel(reinterpret_cast<uintptr_t>(function), values, count);
  return kSuccess;
}
int cuStreamQuery(void*) { return stream_state; }

}  // extern "C"
