#include "gpu_runner/cuda_driver.h"

#include <dlfcn.h>

namespace gemmscope::gpu {
namespace {

// Expands cuda.h's macro before it becomes a text: cuMemAlloc -> "cuMemAlloc_v2".
#define GEMMSCOPE_TEXT(name) #name
#define GEMMSCOPE_SYMBOL(name) GEMMSCOPE_TEXT(name)

// The name of a function that the library lacks, or null.
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
  find(driver.memory_info, GEMMSCOPE_SYMBOL(cuMemGetInfo));
  find(driver.allocate, GEMMSCOPE_SYMBOL(cuMemAlloc));
  find(driver.free, GEMMSCOPE_SYMBOL(cuMemFree));
  find(driver.fill, GEMMSCOPE_SYMBOL(cuMemsetD8));
  find(driver.copy_to_device, GEMMSCOPE_SYMBOL(cuMemcpyHtoD));
  find(driver.copy_to_host, GEMMSCOPE_SYMBOL(cuMemcpyDtoH));
  find(driver.load_module, GEMMSCOPE_SYMBOL(cuModuleLoadData));
  find(driver.unload_module, GEMMSCOPE_SYMBOL(cuModuleUnload));
  find(driver.module_function, GEMMSCOPE_SYMBOL(cuModuleGetFunction));
  find(driver.set_function_attribute, GEMMSCOPE_SYMBOL(cuFuncSetAttribute));
  find(driver.parameter_info, GEMMSCOPE_SYMBOL(cuFuncGetParamInfo), false);
  find(driver.launch, GEMMSCOPE_SYMBOL(cuLaunchKernel));
  find(driver.query_stream, GEMMSCOPE_SYMBOL(cuStreamQuery));
  return missing;
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

Outcome<CudaDevice> open_device() {
  const Outcome<CudaDriver>& driver = cuda_driver();
  if (!driver) return tl::unexpected(driver.error());
  int count = 0;
  CUresult result = driver->device_count(&count);
  if (result == CUDA_SUCCESS && count == 0)
    return runner_error(ErrorKind::no_device, "the NVIDIA driver shows no GPU: check CUDA_VISIBLE_DEVICES");
  CudaDevice device{&*driver, 0};
  CUcontext context = nullptr;
  if (result == CUDA_SUCCESS) result = driver->device_get(&device.device, 0);
  if (result == CUDA_SUCCESS) result = driver->retain_context(&context, device.device);
  if (result == CUDA_SUCCESS) result = driver->set_context(context);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return runner_error(ErrorKind::out_of_memory, "the GPU has no memory left for another program: {}",
                        driver->describe(result));
  if (result != CUDA_SUCCESS)
    return runner_error(ErrorKind::driver_error, "the GPU cannot be opened: {}", driver->describe(result));
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

const Outcome<CudaDriver>& cuda_driver() {
  static const Outcome<CudaDriver> driver = load_driver();
  return driver;
}

const Outcome<CudaDevice>& cuda_device() {
  static const Outcome<CudaDevice> device = open_device();
  return device;
}

}  // namespace gemmscope::gpu
