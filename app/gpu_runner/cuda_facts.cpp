#include "gpu_runner/cuda_driver.h"
#include "gpu_runner/device.h"
#include "gpu_runner/nvml.h"
#include "metrics/sm_rates.h"

namespace gemmscope::gpu {

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
  const auto optional_attribute = [&](CUdevice_attribute which) {
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
  const double memory_hz = optional_attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1e3;
  const double bus_bytes = optional_attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.0;
  facts.memory_gb_per_second = 2 * memory_hz * bus_bytes / 1e9;
  if (const metrics::SmRates* rates = metrics::sm_rates(facts.compute_capability))
    facts.fp32_lanes_per_sm = rates->fp32;
  facts.l2_bytes = static_cast<uint64_t>(optional_attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  return facts;
}

}  // namespace gemmscope::gpu
