#include "gpu_runner/cuda_driver.h"

#include <dlfcn.h>

namespace gemmscope::gpu {
namespace {

// Expands cuda.h's macro before it becomes a string: cuMemAlloc -> "cuMemAlloc_v2".
#define GEMMSCOPE_TEXT(name) #name
#define GEMMSCOPE_SYMBOL(name) GEMMSCOPE_TEXT(name)

// Finds all functions. Returns the name of one that the library lacks, or null.
const char* find_all(void* library, CudaDriver& driver) {
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name, bool needed = true) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr && needed) missing = name;
  };
  find(driver.init, GEMMSCOPE_SYMBOL(cuInit));
  find(driver.error_name, GEMMSCOPE_SYMBOL(cuGetErrorName));
  find(driver.error_string, GEMMSCOPE_SYMBOL(cuGetErrorString));
  find(driver.driver_version, GEMMSCOPE_SYMBOL(cuDriverGetVersion));
  find(driver.device_count, GEMMSCOPE_SYMBOL(cuDeviceGetCount));
  find(driver.device_get, GEMMSCOPE_SYMBOL(cuDeviceGet));
  find(driver.device_name, GEMMSCOPE_SYMBOL(cuDeviceGetName));
  find(driver.device_attribute, GEMMSCOPE_SYMBOL(cuDeviceGetAttribute));
  find(driver.device_memory, GEMMSCOPE_SYMBOL(cuDeviceTotalMem));
  find(driver.retain_context, GEMMSCOPE_SYMBOL(cuDevicePrimaryCtxRetain));
  find(driver.set_context, GEMMSCOPE_SYMBOL(cuCtxSetCurrent));
  find(driver.get_limit, GEMMSCOPE_SYMBOL(cuCtxGetLimit));
  find(driver.set_limit, GEMMSCOPE_SYMBOL(cuCtxSetLimit));
  find(driver.memory_info, GEMMSCOPE_SYMBOL(cuMemGetInfo));
  find(driver.allocate, GEMMSCOPE_SYMBOL(cuMemAlloc));
  find(driver.free, GEMMSCOPE_SYMBOL(cuMemFree));
  find(driver.fill, GEMMSCOPE_SYMBOL(cuMemsetD8));
  find(driver.copy_to_device, GEMMSCOPE_SYMBOL(cuMemcpyHtoD));
  find(driver.copy_to_host, GEMMSCOPE_SYMBOL(cuMemcpyDtoH));
  find(driver.load_module, GEMMSCOPE_SYMBOL(cuModuleLoadData));
  find(driver.unload_module, GEMMSCOPE_SYMBOL(cuModuleUnload));
  find(driver.module_function, GEMMSCOPE_SYMBOL(cuModuleGetFunction));
  find(driver.function_attribute, GEMMSCOPE_SYMBOL(cuFuncGetAttribute));
  find(driver.set_function_attribute, GEMMSCOPE_SYMBOL(cuFuncSetAttribute));
  find(driver.parameter_info, GEMMSCOPE_SYMBOL(cuFuncGetParamInfo), false);
  find(driver.launch, GEMMSCOPE_SYMBOL(cuLaunchKernel));
  find(driver.encode_tensor_map, GEMMSCOPE_SYMBOL(cuTensorMapEncodeTiled), false);
  find(driver.query_stream, GEMMSCOPE_SYMBOL(cuStreamQuery));
  find(driver.fill_later, GEMMSCOPE_SYMBOL(cuMemsetD8Async));
  find(driver.create_event, GEMMSCOPE_SYMBOL(cuEventCreate));
  find(driver.destroy_event, GEMMSCOPE_SYMBOL(cuEventDestroy));
  find(driver.record_event, GEMMSCOPE_SYMBOL(cuEventRecord));
  find(driver.query_event, GEMMSCOPE_SYMBOL(cuEventQuery));
  // CUDA 12.8 added a second version with the same signature, which older drivers lack.
  find(driver.elapsed_ms, GEMMSCOPE_SYMBOL(cuEventElapsedTime), false);
  if (driver.elapsed_ms == nullptr) find(driver.elapsed_ms, "cuEventElapsedTime");
  find(driver.pci_bus_id, GEMMSCOPE_SYMBOL(cuDeviceGetPCIBusId), false);
  return missing;
}

// The program uses NVRTC of CUDA 12 or newer.
constexpr int kOldestCuda = 12000;

std::string version_text(int version) {  // 13000 is 13.0
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Outcome<CudaDriver> load_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    return runner_error(ErrorKind::no_driver,
                        "there is no NVIDIA driver on this computer ({}): install it to use a GPU",
                        reason == nullptr ? "libcuda.so.1 cannot be loaded" : reason);
  }
  CudaDriver driver;
  if (const char* const missing = find_all(library, driver); missing != nullptr)
    return runner_error(ErrorKind::no_driver,
                        "the NVIDIA driver is too old (libcuda.so.1 has no {}): install a newer one",
                        missing);
  int version = 0;
  if (driver.driver_version(&version) == CUDA_SUCCESS && version < kOldestCuda)
    return runner_error(
        ErrorKind::no_driver,
        "the NVIDIA driver is too old: it runs CUDA {} at most, but GEMMscope needs a driver for "
        "CUDA {} or newer",
        version_text(version), version_text(kOldestCuda));
  const CUresult result = driver.init(0);
  if (result == CUDA_ERROR_NO_DEVICE)
    return runner_error(
        ErrorKind::no_device,
        "the NVIDIA driver finds no GPU: check nvidia-smi, and CUDA_VISIBLE_DEVICES if it is set");
  if (result != CUDA_SUCCESS)
    return runner_error(ErrorKind::no_driver, "the NVIDIA driver does not start: {}; check nvidia-smi",
                        driver.describe(result));
  return driver;
}

// Reads the names for messages; what the driver does not report stays empty.
void name_device(CudaDevice& device) {
  const CudaDriver& cuda = *device.driver;
  char name[256] = "", bus[32] = "";
  int major = 0, minor = 0, version = 0;
  cuda.device_name(name, sizeof name - 1, device.device);
  cuda.device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device.device);
  cuda.device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device.device);
  cuda.driver_version(&version);
  if (cuda.pci_bus_id != nullptr) cuda.pci_bus_id(bus, sizeof bus - 1, device.device);
  device.title = fmt::format("{} (sm_{}{})", name, major, minor);
  device.driver_cuda = version_text(version);
  device.pci_bus_id = bus;
}

// CUDA 12's header does not name kContained.
bool is_lost(CUresult result) {
  constexpr auto kContained = static_cast<CUresult>(226);
  return result == CUDA_ERROR_DEVICE_UNAVAILABLE || result == CUDA_ERROR_NO_DEVICE ||
         result == CUDA_ERROR_INVALID_DEVICE || result == CUDA_ERROR_ECC_UNCORRECTABLE ||
         result == CUDA_ERROR_NVLINK_UNCORRECTABLE || result == CUDA_ERROR_EXTERNAL_DEVICE ||
         result == CUDA_ERROR_SYSTEM_NOT_READY || result == kContained;
}

Outcome<CudaDevice> open_device() {
  const Outcome<CudaDriver>& driver = cuda_driver();
  if (!driver) return tl::unexpected(driver.error());
  int count = 0;
  CUresult result = driver->device_count(&count);
  if (result == CUDA_SUCCESS && count == 0)
    return runner_error(ErrorKind::no_device, "the NVIDIA driver shows no GPU: check CUDA_VISIBLE_DEVICES");
  CudaDevice device{&*driver, 0, {}, {}, {}};
  CUcontext context = nullptr;
  if (result == CUDA_SUCCESS) result = driver->device_get(&device.device, 0);
  if (result == CUDA_SUCCESS) result = driver->retain_context(&context, device.device);
  if (result == CUDA_SUCCESS) result = driver->set_context(context);
  if (result == CUDA_SUCCESS) result = driver->get_limit(&device.stack_bytes, CU_LIMIT_STACK_SIZE);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return runner_error(ErrorKind::out_of_memory, "the GPU has no memory left for another program: {}",
                        driver->describe(result));
  if (result != CUDA_SUCCESS)
    return driver->failure(result, ErrorKind::driver_error, "the GPU cannot be opened");
  name_device(device);
  return device;
}

}  // namespace

std::string CudaDriver::describe(CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (error_name(result, &name) != CUDA_SUCCESS || name == nullptr)
    return fmt::format("error {}", static_cast<int>(result));
  if (error_string(result, &text) != CUDA_SUCCESS || text == nullptr) return name;
  return fmt::format("{} ({})", text, name);
}

tl::unexpected<RunnerError> CudaDriver::failure(CUresult result, ErrorKind otherwise,
                                                std::string_view what) const {
  if (is_lost(result))
    return runner_error(ErrorKind::device_lost,
                        "{}: the GPU was lost ({}); the next request looks for it again; if it stays lost, "
                        "see nvidia-smi and the system's log",
                        what, describe(result));
  const bool memory = result == CUDA_ERROR_OUT_OF_MEMORY;
  return runner_error(memory ? ErrorKind::out_of_memory : otherwise, "{}: {}", what, describe(result));
}

const Outcome<CudaDriver>& cuda_driver() {
  static const Outcome<CudaDriver> driver = load_driver();
  return driver;
}

const Outcome<CudaDevice>& cuda_device() {
  static const Outcome<CudaDevice> device = open_device();
  return device;
}

}  // namespace gemmscope::gpu
