#include "gpu_runner/cuda_driver.h"
#include "gpu_runner/device.h"
#include "gpu_runner/nvml.h"

namespace gemmscope::gpu {
namespace {

// FP32 results per clock and SM (CUDA C++ Programming Guide, table of arithmetic throughput); 0: not known.
int fp32_lanes(int compute_capability) {
  switch (compute_capability) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
      return 64;
    case 50:
    case 52:
    case 53:
    case 61:
    case 62:
    case 86:
    case 87:
    case 88:
    case 89:
    case 90:
    case 100:
    case 103:
    case 110:
    case 120:
    case 121:
      return 128;
    default:
      return 0;
  }
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
  const auto attribute_if_told = [&](CUdevice_attribute which) {
    int value = 0;
    return cuda.device_attribute(&value, which, device->device) == CUDA_SUCCESS && value > 0 ? value : 0;
  };
  DeviceFacts facts;
  facts.compute_capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                             attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.max_clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1e3;  // given in kHz
  char name[256] = "";
  size_t memory_bytes = 0;
  if (result == CUDA_SUCCESS) result = cuda.device_name(name, sizeof name - 1, device->device);
  if (result == CUDA_SUCCESS) result = cuda.device_memory(&memory_bytes, device->device);
  if (result != CUDA_SUCCESS)
    return cuda.failure(result, ErrorKind::driver_error, "the GPU's properties cannot be read");
  facts.name = name;
  facts.memory_bytes = memory_bytes;
  facts.cuda_version = device->driver_cuda;
  facts.driver_version = nvml_driver_version();
  const double memory_hz = attribute_if_told(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1e3;
  const double bus_bytes = attribute_if_told(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.0;
  facts.memory_gb_per_second = 2 * memory_hz * bus_bytes / 1e9;
  facts.fp32_lanes_per_sm = fp32_lanes(facts.compute_capability);
  facts.l2_bytes = static_cast<uint64_t>(attribute_if_told(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  return facts;
}

}  // namespace gemmscope::gpu
