#include <chrono>
#include <cstring>
#include <memory>
#include <tuple>

#include "gpu_runner/cuda_driver.h"
#include "gpu_runner/device.h"
#include "gpu_runner/guarded_buffer.h"

namespace gemmscope::gpu {
namespace {

constexpr size_t kElfHeaderBytes = 64;
constexpr uint32_t kUsualSharedBytes =
    48 * 1024;  // a kernel must ask for more, says the CUDA C++ Programming Guide

// cuModuleLoadData gets no size, and takes what is no ELF file for PTX: both would read beyond the end.
Outcome<void> check_cubin(const RunRequest& request) {
  const std::vector<std::byte>& bytes = request.cubin;
  const auto refuse = [&](const char* why) {
    return runner_error(ErrorKind::bad_machine_code, "the machine code for {} ({} bytes) {}", request.kernel,
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
  if (sections_at > bytes.size() || table_bytes > bytes.size() - sections_at) return refuse("is cut short");
  return {};
}

class Module {
 public:
  explicit Module(const CudaDriver& cuda) : cuda_(cuda) {}
  ~Module() {
    if (module_ != nullptr) cuda_.unload_module(module_);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Outcome<CUfunction> load(const RunRequest& request) {
    if (const CUresult result = cuda_.load_module(&module_, request.cubin.data()); result != CUDA_SUCCESS) {
      module_ = nullptr;
      const ErrorKind kind =
          result == CUDA_ERROR_OUT_OF_MEMORY ? ErrorKind::out_of_memory : ErrorKind::bad_machine_code;
      return runner_error(kind,
                          "the driver does not take the machine code for {}: {}; is it for another GPU?",
                          request.kernel, cuda_.describe(result));
    }
    CUfunction function = nullptr;
    const CUresult result = cuda_.module_function(&function, module_, request.kernel.c_str());
    if (result == CUDA_ERROR_NOT_FOUND)
      return runner_error(ErrorKind::no_such_kernel, "there is no kernel \"{}\" in the machine code",
                          request.kernel);
    if (result != CUDA_SUCCESS)  // drivers load a kernel's code when it is asked for
      return runner_error(ErrorKind::bad_machine_code, "the driver cannot load {}: {}", request.kernel,
                          cuda_.describe(result));
    return function;
  }

 private:
  const CudaDriver& cuda_;
  CUmodule module_ = nullptr;
};

// The launch's parameters in the GPU's memory and in this program's.
class Arguments {
 public:
  explicit Arguments(const CudaDriver& cuda) : cuda_(cuda) {}

  Outcome<void> create(const RunRequest& request) {
    for (uint32_t i = 0; i < request.parameters.size(); ++i) {
      if (const auto* value = std::get_if<ValueParameter>(&request.parameters[i])) {
        values_.push_back(value->bytes);
        continue;
      }
      const auto& given = std::get<BufferParameter>(request.parameters[i]);
      Outcome<GuardedBuffer> buffer = GuardedBuffer::create(cuda_, given.initial);
      if (!buffer) return tl::unexpected(buffer.error());
      const CUdeviceptr address = buffer->address();
      values_.emplace_back(sizeof address);
      std::memcpy(values_.back().data(), &address, sizeof address);
      buffers_.push_back({i, given.returned, std::move(*buffer)});
    }
    for (std::vector<std::byte>& value : values_) pointers_.push_back(value.data());
    return {};
  }

  // The driver copies as many bytes as the kernel declares, whatever is here.
  Outcome<void> check(CUfunction function, const std::string& kernel) const {
    if (cuda_.parameter_info == nullptr) return {};
    size_t offset = 0, bytes = 0;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (cuda_.parameter_info(function, i, &offset, &bytes) != CUDA_SUCCESS)
        return runner_error(ErrorKind::bad_request, "{} has {} parameters, the launch gives {}", kernel, i,
                            values_.size());
      if (bytes != values_[i].size())
        return runner_error(ErrorKind::bad_request, "parameter {} of {} has {} bytes, the launch gives {}", i,
                            kernel, bytes, values_[i].size());
    }
    if (cuda_.parameter_info(function, values_.size(), &offset, &bytes) == CUDA_SUCCESS)
      return runner_error(ErrorKind::bad_request, "{} has more parameters than the {} that the launch gives",
                          kernel, values_.size());
    return {};
  }

  void** pointers() { return pointers_.data(); }

  Outcome<RunReply> read() const {
    RunReply reply;
    for (const Buffer& buffer : buffers_) {
      std::optional<int64_t> outside;
      CUresult result = buffer.memory.find_outside_write(outside);
      if (outside) reply.outside_writes.push_back({buffer.parameter, *outside});
      if (buffer.returned && result == CUDA_SUCCESS)
        result = buffer.memory.read(reply.buffers.emplace_back());
      if (result != CUDA_SUCCESS)
        return runner_error(ErrorKind::driver_error, "the results cannot be copied from the GPU: {}",
                            cuda_.describe(result));
    }
    return reply;
  }

 private:
  struct Buffer {
    uint32_t parameter;
    bool returned;
    GuardedBuffer memory;
  };
  const CudaDriver& cuda_;
  std::vector<Buffer> buffers_;
  std::vector<std::vector<std::byte>> values_;  // one a parameter
  std::vector<void*> pointers_;                 // to values_
};

Outcome<void> launch(const CudaDriver& cuda, CUfunction function, const RunRequest& request,
                     Arguments& arguments) {
  CUresult result = CUDA_SUCCESS;
  if (request.dynamic_shared_bytes > kUsualSharedBytes)
    result = cuda.set_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         static_cast<int>(request.dynamic_shared_bytes));
  const auto &g = request.grid, &b = request.block;
  if (result == CUDA_SUCCESS)
    result = cuda.launch(function, g[0], g[1], g[2], b[0], b[1], b[2], request.dynamic_shared_bytes, nullptr,
                         arguments.pointers(), nullptr);
  if (result == CUDA_SUCCESS) return {};
  return runner_error(ErrorKind::launch_refused,
                      "the GPU refuses to launch {} (grid {} x {} x {}, block {} x {} x {}, {} bytes of "
                      "dynamic shared memory): {}",
                      request.kernel, g[0], g[1], g[2], b[0], b[1], b[2], request.dynamic_shared_bytes,
                      cuda.describe(result));
}

Outcome<void> wait_for_end(const CudaDriver& cuda, const RunRequest& request,
                           const std::function<void()>& wait_a_moment) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(request.time_limit_ms);
  while (true) {
    const CUresult result = cuda.query_stream(nullptr);
    if (result == CUDA_SUCCESS) return {};
    if (result != CUDA_ERROR_NOT_READY)
      return runner_error(ErrorKind::kernel_fault, "{} failed on the GPU: {}", request.kernel,
                          cuda.describe(result));
    if (std::chrono::steady_clock::now() >= end)
      return runner_error(ErrorKind::kernel_timeout, "{} did not end within {} ms on the GPU and was stopped",
                          request.kernel, request.time_limit_ms);
    wait_a_moment();
  }
}

}  // namespace

Outcome<RunReply> run_on_device(const RunRequest& request, const std::function<void()>& wait_a_moment) {
  const Outcome<CudaDevice>& device = cuda_device();
  if (!device) return tl::unexpected(device.error());
  const CudaDriver& cuda = *device->driver;
  if (Outcome<void> checked = check_cubin(request); !checked) return tl::unexpected(checked.error());
  auto module = std::make_unique<Module>(cuda);
  const Outcome<CUfunction> function = module->load(request);
  if (!function) return tl::unexpected(function.error());
  auto arguments = std::make_unique<Arguments>(cuda);
  if (Outcome<void> created = arguments->create(request); !created) return tl::unexpected(created.error());
  if (Outcome<void> checked = arguments->check(*function, request.kernel); !checked)
    return tl::unexpected(checked.error());
  if (Outcome<void> launched = launch(cuda, *function, request, *arguments); !launched)
    return tl::unexpected(launched.error());
  if (Outcome<void> ended = wait_for_end(cuda, request, wait_a_moment); !ended) {
    // To free what a kernel uses waits for the kernel, for ever if it hangs; the runner ends after this error
    // anyway.
    std::ignore = module.release();
    std::ignore = arguments.release();
    return tl::unexpected(ended.error());
  }
  return arguments->read();
}

}  // namespace gemmscope::gpu
