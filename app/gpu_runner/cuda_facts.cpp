#include <dlfcn.h>

#include "gpu_runner/cuda_driver.h"
#include "gpu_runner/device.h"

namespace gemmscope::gpu {
namespace {

// NVML alone knows the driver's own version. Two of its functions, declared as NVIDIA's NVML reference gives
// them, spare the header; 0 is success.
std::string nvml_driver_version() {
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "";
  using Init = int (*)();
  using GetVersion = int (*)(char*, unsigned);
  const auto init = reinterpret_cast<Init>(dlsym(library, "nvmlInit_v2"));
  const auto get_version = reinterpret_cast<GetVersion>(dlsym(library, "nvmlSystemGetDriverVersion"));
  char text[96] = "";
  if (init == nullptr || get_version == nullptr || init() != 0 || get_version(text, sizeof text - 1) != 0)
    return "";
  return text;
}

}  // namespace

Outcome<DeviceFacts> device_facts() {
  const Outcome<CudaDevice>& device = cuda_device();
  if (!device) return tl::unexpected(device.error());
  const CudaDriver& cuda = *device->driver;
  CUresult result = CUDA_SUCCESS;
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    if (result == CUDA_SUCCESS) result = cuda.device_attribute(&value, which, device->device);
    return value;
  };
  DeviceFacts facts;
  facts.compute_capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                             attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.max_clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1e3;  // given in kHz
  char name[256] = "";
  size_t memory_bytes = 0;
  int version = 0;  // 13000 is 13.0
  if (result == CUDA_SUCCESS) result = cuda.device_name(name, sizeof name - 1, device->device);
  if (result == CUDA_SUCCESS) result = cuda.device_memory(&memory_bytes, device->device);
  if (result == CUDA_SUCCESS) result = cuda.driver_version(&version);
  if (result != CUDA_SUCCESS)
    return runner_error(ErrorKind::driver_error, "the GPU does not tell what it is: {}",
                        cuda.describe(result));
  facts.name = name;
  facts.memory_bytes = memory_bytes;
  facts.cuda_version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  facts.driver_version = nvml_driver_version();
  return facts;
}

}  // namespace gemmscope::gpu
