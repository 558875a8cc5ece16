// A runner whose GPU is the CPU: it executes the machine code as the program itself does. With it device_test
// can be tested where there is no GPU; the argument "wrong" flips one bit of each result, which the test must
// see.
#include <cstring>
#include <iostream>
#include <string_view>

#include "gpu/protocol.h"
#include "machine/grid.h"
#include "machine/program.h"

namespace gemmscope::gpu {
namespace {

tl::unexpected<RunnerError> refused(ErrorKind kind, const std::string& message) {
  return runner_error(kind, "{}", message);
}

Outcome<RunReply> execute(const RunRequest& request, bool wrong) {
  const Result<cubin::Cubin> cubin = cubin::read_cubin(request.cubin, request.kernel);
  if (!cubin) return refused(ErrorKind::bad_machine_code, cubin.error().message);
  const cubin::KernelCode* const kernel = cubin->find(request.kernel);
  if (kernel == nullptr) return refused(ErrorKind::no_such_kernel, request.kernel);
  machine::GlobalMemory memory;
  machine::LaunchConfig launch{request.grid, request.block, request.dynamic_shared_bytes, {}};
  std::vector<std::string> returned;
  for (const Parameter& parameter : request.parameters) {
    if (const auto* value = std::get_if<ValueParameter>(&parameter)) {
      launch.arguments.push_back(value->bytes);
      continue;
    }
    const auto& buffer = std::get<BufferParameter>(parameter);
    const std::string name = fmt::format("parameter {}", launch.arguments.size());
    launch.arguments.push_back(machine::argument(memory.allocate(name, buffer.initial.size())));
    std::memcpy(memory.bytes(name).data(), buffer.initial.data(), buffer.initial.size());
    if (buffer.returned) returned.push_back(name);
  }
  const Result<machine::Program> program = machine::translate(*cubin, *kernel, launch, memory);
  if (!program) return refused(ErrorKind::bad_request, program.error().message);
  const auto counts = machine::run_grid(*program, memory, {});
  if (!counts) return refused(ErrorKind::kernel_fault, counts.error().what);
  RunReply reply;
  for (const std::string& name : returned) {
    const std::span<std::byte> bytes = memory.bytes(name);
    if (wrong) bytes[bytes.size() / 2] ^= std::byte{1};
    reply.buffers.emplace_back(bytes.begin(), bytes.end());
  }
  return reply;
}

Reply answer(const Request& request, bool wrong) {
  if (std::holds_alternative<QuitRequest>(request.what)) return {request.id, Goodbye{}};
  if (std::holds_alternative<HelloRequest>(request.what))
    return {request.id, DeviceFacts{"CPU", 90, 1, 1000, 1, "none", "none"}};
  Outcome<RunReply> reply = execute(std::get<RunRequest>(request.what), wrong);
  if (!reply) return {request.id, reply.error()};
  return {request.id, std::move(*reply)};
}

}  // namespace
}  // namespace gemmscope::gpu

int main(int argc, char** argv) {
  const bool wrong = argc > 1 && std::string_view(argv[1]) == "wrong";
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = gemmscope::gpu::decode_request(line);
    if (!request) return 1;
    std::cout << gemmscope::gpu::encode_reply(gemmscope::gpu::answer(*request, wrong)) << std::endl;
  }
  return 0;
}
