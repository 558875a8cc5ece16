#include "gpu_runner/request_launches.h"

namespace gemmscope::gpu {

Outcome<RequestBuffers> RequestBuffers::create(const CudaDriver& cuda,
                                               const std::vector<TimedParameter>& parameters) {
  RequestBuffers made;
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const auto* const given = std::get_if<BufferParameter>(&parameters[i]);
    if (given == nullptr) continue;
    Outcome<DeviceBuffer> buffer = DeviceBuffer::create(cuda, given->initial.size());
    if (!buffer) return tl::unexpected(buffer.error());
    if (!given->unwritten)
      if (Outcome<void> written = buffer->write(0, given->initial); !written)
        return tl::unexpected(written.error());
    made.buffers_.emplace(i, std::move(*buffer));
  }
  return made;
}

std::vector<CUdeviceptr> RequestBuffers::addresses(size_t parameter_count) const {
  std::vector<CUdeviceptr> addresses(parameter_count, 0);
  for (const auto& [parameter, buffer] : buffers_) addresses[parameter] = buffer.address();
  return addresses;
}

Outcome<std::vector<std::byte>> RequestBuffers::read(uint32_t parameter) const {
  const DeviceBuffer& buffer = buffers_.at(parameter);
  std::vector<std::byte> bytes(buffer.bytes());
  if (Outcome<void> read = buffer.read(0, bytes); !read) return tl::unexpected(read.error());
  return bytes;
}

Outcome<KernelLaunch> make_launch(const CudaDriver& cuda, const Module& module, const TimedLaunch& what,
                                  const std::vector<TimedParameter>& parameters,
                                  const std::vector<CUdeviceptr>& addresses) {
  const Outcome<CUfunction> function = module.function(what.kernel);
  if (!function) return tl::unexpected(function.error());
  KernelLaunch launch(cuda, *function, what.kernel, what.grid, what.block, what.dynamic_shared_bytes);
  for (const uint32_t index : what.parameters) {
    if (const auto* value = std::get_if<ValueParameter>(&parameters[index])) {
      launch.add_argument(value->bytes);
    } else {
      launch.add_address(addresses[index]);
    }
  }
  Outcome<void> step = launch.check_arguments();
  if (step) step = launch.allow_shared_memory();
  if (!step) return tl::unexpected(step.error());
  return launch;
}

}  // namespace gemmscope::gpu
