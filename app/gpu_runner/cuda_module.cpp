#include "gpu_runner/cuda_module.h"

#include <cstdint>
#include <cstring>

namespace gemmscope::gpu {
namespace {

constexpr size_t kElfHeaderBytes = 64;

// cuModuleLoadData gets no size and takes anything but an ELF file for PTX. A truncated file and foreign
// bytes would both make it read beyond the end.
Outcome<void> check_cubin(std::span<const std::byte> bytes, const std::string& kernel) {
  const auto refuse = [&](const char* why) {
    return runner_error(ErrorKind::bad_machine_code, "the machine code for {} ({} bytes) {}", kernel,
                        bytes.size(), why);
  };
  if (bytes.size() < kElfHeaderBytes || std::memcmp(bytes.data(), "\177ELF", 4) != 0)
    return refuse("is not a cubin");
  uint64_t sections_at = 0;
  uint16_t section_bytes = 0, section_count = 0;
  std::memcpy(&sections_at, bytes.data() + 0x28, sizeof sections_at);
  std::memcpy(&section_bytes, bytes.data() + 0x3a, sizeof section_bytes);
  std::memcpy(&section_count, bytes.data() + 0x3c, sizeof section_count);
  const uint64_t table_bytes = uint64_t{section_bytes} * section_count;
  if (sections_at > bytes.size() || table_bytes > bytes.size() - sections_at) return refuse("is truncated");
  return {};
}

}  // namespace

Module::~Module() {
  if (module_ != nullptr) device_->driver->unload_module(module_);
}

Outcome<void> Module::load(std::span<const std::byte> cubin, const std::string& kernel) {
  if (Outcome<void> checked = check_cubin(cubin, kernel); !checked) return checked;
  const CUresult result = device_->driver->load_module(&module_, cubin.data());
  if (result == CUDA_SUCCESS) return {};
  module_ = nullptr;
  return refused(result, kernel);
}

// Some drivers load a kernel's code only here, so this may fail in the same ways as load().
Outcome<CUfunction> Module::function(const std::string& kernel) const {
  CUfunction function = nullptr;
  const CUresult result = device_->driver->module_function(&function, module_, kernel.c_str());
  if (result == CUDA_SUCCESS) return function;
  if (result == CUDA_ERROR_NOT_FOUND)
    return runner_error(ErrorKind::no_such_kernel, "there is no kernel \"{}\" in the machine code", kernel);
  return refused(result, kernel);
}

tl::unexpected<RunnerError> Module::refused(CUresult result, const std::string& kernel) const {
  const CudaDriver& cuda = *device_->driver;
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU)
    return runner_error(ErrorKind::bad_machine_code,
                        "the machine code for {} is for a different GPU than this one, {}: choose its "
                        "architecture, or a CUDA Toolkit that knows it ({})",
                        kernel, device_->title, cuda.describe(result));
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    return runner_error(ErrorKind::bad_machine_code,
                        "the NVIDIA driver (for CUDA {}) is too old for the CUDA Toolkit that made the "
                        "machine code for {}: install a newer driver, or an older toolkit ({})",
                        device_->driver_cuda, kernel, cuda.describe(result));
  return cuda.failure(
      result, ErrorKind::bad_machine_code,
      fmt::format(
          "the driver does not accept the machine code for {}; is it for a different GPU than {}, or of a "
          "newer CUDA than the driver's {}?",
          kernel, device_->title, device_->driver_cuda));
}

}  // namespace gemmscope::gpu
