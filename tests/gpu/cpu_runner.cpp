// A runner whose GPU is the CPU: it executes the machine code as the program itself does. It lets device_test
// itself be tested without a GPU; the argument "wrong" flips one bit of each result, which the test must
// notice. It also stands in for a GPU in timings, with made-up times (cpu_timing.h) and a name that says so.
#include <cstring>
#include <iostream>
#include <string_view>

#include "cpu_timing.h"
#include "gpu/protocol.h"
#include "machine/execute/grid.h"
#include "machine/state/program.h"
#include "machine/translate/translate.h"

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
    launch.arguments.push_back(
        memory_argument(memory.allocate(name, buffer.initial.size()), buffer.tensor_map));
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

template <typename T>
Reply reply_of(uint64_t id, Outcome<T> outcome) {
  if (!outcome) return {id, std::move(outcome.error())};
  return {id, std::move(*outcome)};
}

struct Answer {
  uint64_t id;
  bool wrong;
  CpuTiming& timing;

  Reply operator()(const HelloRequest&) const {
    return {id, DeviceFacts{"Stand-in without a GPU (times are made up)", 90, 1, 1000, 1, "none", "none", 100,
                            128, 1 << 20}};
  }
  Reply operator()(const QuitRequest&) const { return {id, Goodbye{}}; }
  Reply operator()(const RunRequest& request) const { return reply_of(id, execute(request, wrong)); }
  Reply operator()(const PrepareRequest& request) const {
    return reply_of(id, timing.prepare(request, wrong));
  }
  Reply operator()(const PrepareLibraryRequest& request) const {
    return reply_of(id, timing.prepare(request));
  }
  Reply operator()(const TimeRequest& request) const { return reply_of(id, timing.time(request)); }
  Reply operator()(const ReleaseRequest& request) const { return reply_of(id, timing.release(request)); }
};

}  // namespace
}  // namespace gemmscope::gpu

int main(int argc, char** argv) {
  const bool wrong = argc > 1 && std::string_view(argv[1]) == "wrong";
  gemmscope::gpu::CpuTiming timing;
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = gemmscope::gpu::decode_request(line);
    if (!request) return 1;
    const gemmscope::gpu::Answer answer{request->id, wrong, timing};
    std::cout << gemmscope::gpu::encode_reply(std::visit(answer, request->what)) << std::endl;
  }
  return 0;
}
