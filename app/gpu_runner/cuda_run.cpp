#include <memory>
#include <optional>

#include "gpu_runner/cuda_launch.h"
#include "gpu_runner/cuda_module.h"
#include "gpu_runner/device.h"
#include "gpu_runner/guarded_buffer.h"
#include "gpu_runner/tensor_map.h"

namespace gemmscope::gpu {
namespace {

// What one request holds on the GPU.
class Run {
 public:
  explicit Run(const CudaDevice& device) : cuda_(*device.driver), module_(device) {}

  Outcome<void> prepare(const RunRequest& request) {
    if (Outcome<void> loaded = module_.load(request.cubin, request.kernel); !loaded) return loaded;
    const Outcome<CUfunction> function = module_.function(request.kernel);
    if (!function) return tl::unexpected(function.error());
    launch_.emplace(cuda_, *function, request.kernel, request.grid, request.block,
                    request.dynamic_shared_bytes);
    for (uint32_t i = 0; i < request.parameters.size(); ++i) {
      if (const auto* value = std::get_if<ValueParameter>(&request.parameters[i])) {
        launch_->add_argument(value->bytes);
        continue;
      }
      const auto& given = std::get<BufferParameter>(request.parameters[i]);
      Outcome<GuardedBuffer> buffer = GuardedBuffer::create(cuda_, given);
      if (!buffer) return tl::unexpected(buffer.error());
      if (given.tensor_map)
        if (Outcome<void> checked = check_tensor_map(*given.tensor_map, given.initial.size()); !checked)
          return checked;
      Outcome<std::vector<std::byte>> argument = memory_argument(cuda_, buffer->address(), given.tensor_map);
      if (!argument) return tl::unexpected(argument.error());
      launch_->add_argument(*std::move(argument));
      buffers_.push_back({i, given.returned, std::move(*buffer)});
    }
    if (Outcome<void> checked = launch_->check_arguments(); !checked) return checked;
    return launch_->allow_shared_memory();
  }

  Outcome<void> launch() { return launch_->launch(); }

  Outcome<RunReply> read() const {
    RunReply reply;
    for (const Buffer& buffer : buffers_) {
      std::optional<int64_t> outside;
      CUresult result = buffer.memory.find_outside_write(outside);
      if (outside) reply.outside_writes.push_back({buffer.parameter, *outside});
      if (buffer.returned && result == CUDA_SUCCESS)
        result = buffer.memory.read(reply.buffers.emplace_back());
      if (result != CUDA_SUCCESS)
        return cuda_.failure(result, ErrorKind::driver_error, "the results cannot be copied from the GPU");
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
  Module module_;
  std::optional<KernelLaunch> launch_;
  std::vector<Buffer> buffers_;
};

}  // namespace

Outcome<RunReply> run_on_device(const RunRequest& request, const std::function<void()>& wait_a_moment) {
  const Outcome<CudaDevice>& device = cuda_device();
  if (!device) return tl::unexpected(device.error());
  const CudaDriver& cuda = *device->driver;
  auto run = std::make_unique<Run>(*device);
  if (Outcome<void> prepared = run->prepare(request); !prepared) return tl::unexpected(prepared.error());
  if (Outcome<void> launched = run->launch(); !launched) return tl::unexpected(launched.error());
  const Outcome<void> ended = wait_until(cuda, [&] { return cuda.query_stream(nullptr); },
                                         {request.kernel, request.time_limit_ms, wait_a_moment});
  if (!ended) {
    // Freeing a kernel's memory waits for the kernel, and a hung kernel would block it. The runner ends after
    // this error anyway.
    std::ignore = run.release();
    return tl::unexpected(ended.error());
  }
  return run->read();
}

}  // namespace gemmscope::gpu
