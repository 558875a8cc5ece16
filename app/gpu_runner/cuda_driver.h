// NVIDIA's driver library, libcuda.so.1, loaded at run time: the program also starts without a driver.
#pragma once

#include <cuda.h>

#include <string>
#include <string_view>

#include "gpu/protocol.h"

namespace gemmscope::gpu {

// The functions that the runner calls. cuda.h maps each name to the symbol of the version that it declares.
struct CudaDriver {
  decltype(&cuInit) init = nullptr;
  decltype(&cuGetErrorName) error_name = nullptr;
  decltype(&cuGetErrorString) error_string = nullptr;
  decltype(&cuDriverGetVersion) driver_version = nullptr;
  decltype(&cuDeviceGetCount) device_count = nullptr;
  decltype(&cuDeviceGet) device_get = nullptr;
  decltype(&cuDeviceGetName) device_name = nullptr;
  decltype(&cuDeviceGetAttribute) device_attribute = nullptr;
  decltype(&cuDeviceTotalMem) device_memory = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) retain_context = nullptr;
  decltype(&cuCtxSetCurrent) set_context = nullptr;
  decltype(&cuCtxGetLimit) get_limit = nullptr;
  decltype(&cuCtxSetLimit) set_limit = nullptr;
  decltype(&cuMemGetInfo) memory_info = nullptr;
  decltype(&cuMemAlloc) allocate = nullptr;
  decltype(&cuMemFree) free = nullptr;
  decltype(&cuMemsetD8) fill = nullptr;
  decltype(&cuMemcpyHtoD) copy_to_device = nullptr;
  decltype(&cuMemcpyDtoH) copy_to_host = nullptr;
  decltype(&cuModuleLoadData) load_module = nullptr;
  decltype(&cuModuleUnload) unload_module = nullptr;
  decltype(&cuModuleGetFunction) module_function = nullptr;
  decltype(&cuFuncGetAttribute) function_attribute = nullptr;
  decltype(&cuFuncSetAttribute) set_function_attribute = nullptr;
  decltype(&cuFuncGetParamInfo) parameter_info = nullptr;  // null before CUDA 12.4
  decltype(&cuLaunchKernel) launch = nullptr;
  decltype(&cuTensorMapEncodeTiled) encode_tensor_map = nullptr;  // may be null
  decltype(&cuStreamQuery) query_stream = nullptr;
  decltype(&cuMemsetD8Async) fill_later = nullptr;
  decltype(&cuEventCreate) create_event = nullptr;
  decltype(&cuEventDestroy) destroy_event = nullptr;
  decltype(&cuEventRecord) record_event = nullptr;
  decltype(&cuEventQuery) query_event = nullptr;
  decltype(&cuEventElapsedTime) elapsed_ms = nullptr;
  decltype(&cuDeviceGetPCIBusId) pci_bus_id = nullptr;  // may be null

  // "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
  std::string describe(CUresult result) const;

  // Makes the error reply for a failed call. `what` is the start of its sentence: "the GPU cannot be opened".
  // The kind is `otherwise`, unless the result says that memory or the device itself is the cause.
  tl::unexpected<RunnerError> failure(CUresult result, ErrorKind otherwise, std::string_view what) const;
};

// Loads and initializes the library once. Errors: no_driver, no_device.
const Outcome<CudaDriver>& cuda_driver();

// The first device and its context, made current. Errors: those of cuda_driver(), driver_error.
struct CudaDevice {
  const CudaDriver* driver = nullptr;
  CUdevice device = 0;
  size_t stack_bytes = 0;   // of a thread, in a new context
  std::string title;        // "NVIDIA H200 (sm_90)"
  std::string driver_cuda;  // the newest CUDA that the driver runs, "13.0"
  std::string pci_bus_id;   // "0000:3b:00.0"; empty if the driver does not report it
};
const Outcome<CudaDevice>& cuda_device();

}  // namespace gemmscope::gpu
