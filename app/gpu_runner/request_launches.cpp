#include "gpu_runner/request_launches.h"

#include "gpu_runner/tensor_map.h"

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

Outcome<std::vector<std::vector<std::byte>>> RequestBuffers::arguments(
    const CudaDriver& cuda, const std::vector<TimedParameter>& parameters) const {
  std::vector<std::vector<std::byte>> arguments(parameters.size());
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    if (const auto* const value = std::get_if<ValueParameter>(&parameters[i])) arguments[i] = value->bytes;
    const auto* const given = std::get_if<BufferParameter>(&parameters[i]);
    if (given == nullptr) continue;
    auto argument = memory_argument(cuda, buffers_.at(i).address(), given->tensor_map);
    if (!argument) return tl::unexpected(argument.error());
    arguments[i] = *std::move(argument);
  }
  return arguments;
}

Outcome<std::vector<std::byte>> RequestBuffers::read(uint32_t parameter) const {
  const DeviceBuffer& buffer = buffers_.at(parameter);
  std::vector<std::byte> bytes(buffer.bytes());
  if (Outcome<void> read = buffer.read(0, bytes); !read) return tl::unexpected(read.error());
  return bytes;
}

Outcome<KernelLaunch> make_launch(const CudaDriver& cuda, const Module& module, const TimedLaunch& what,
                                  const std::vector<std::vector<std::byte>>& arguments) {
  const Outcome<CUfunction> function = module.function(what.kernel);
  if (!function) return tl::unexpected(function.error());
  KernelLaunch launch(cuda, *function, what.kernel, what.grid, what.block, what.dynamic_shared_bytes);
  for (const uint32_t index : what.parameters) launch.add_argument(arguments[index]);
  Outcome<void> step = launch.check_arguments();
  if (step) step = launch.allow_shared_memory();
  if (!step) return tl::unexpected(step.error());
  return launch;
}

}  // namespace gemmscope::gpu
