#include <algorithm>
#include <cstring>

#include "machine/execute/grid.h"
#include "machine/record/trace.h"
#include "machine/translate/translate.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

using machine::LaunchConfig;

// The budget is so small that an endless loop of the longest code ends within milliseconds.
constexpr uint64_t kBranchBudget = 50;
constexpr size_t kBufferBytes = 1024, kRecords = 1000;
constexpr size_t kMostInstructions = 2048;

LaunchConfig launch_of(const cubin::KernelCode& kernel, machine::GlobalMemory& memory) {
  LaunchConfig launch;
  for (const cubin::Parameter& parameter : kernel.parameters) {
    std::vector<std::byte> value(parameter.size, std::byte{1});
    if (parameter.size == sizeof(uint64_t) && memory.buffers().size() < 8) {
      const uint64_t address =
          memory.allocate("parameter " + std::to_string(parameter.ordinal), kBufferBytes);
      std::memcpy(value.data(), &address, sizeof address);
    }
    launch.arguments.push_back(std::move(value));
  }
  return launch;
}

void require_told(const machine::Fault& fault, const machine::Program& program, const cubin::Cubin& cubin,
                  const cubin::KernelCode& kernel) {
  require(fault.kind != machine::FaultKind::none, "a fault has a kind");
  require(!fault.what.empty() && !machine::describe_fault(fault, program.instructions, cubin, kernel).empty(),
          "a fault says what happened");
}

void execute(const cubin::Cubin& cubin, const cubin::KernelCode& kernel, LaunchConfig launch,
             machine::GlobalMemory& memory) {
  const auto program = machine::translate(cubin, kernel, launch, memory);
  if (!program) return require(!program.error().message.empty(), "a refusal says why");
  const machine::BlockLimits limits{kBranchBudget, nullptr};
  machine::GridOptions options;
  options.threads = 1;
  options.limits = limits;
  if (const auto run = machine::run_grid(*program, memory, options); !run)
    require_told(run.error(), *program, cubin, kernel);
  const auto trace = machine::trace_block(*program, memory, {0, 0, 0}, {kRecords, limits});
  if (!trace) require_told(trace.error(), *program, cubin, kernel);
}

// The header of an input of `machine`.
struct Header {
  uint8_t arch = 0, threads = 0, registers = 0, shared_kib = 0;
  uint8_t parameters = 0, static_shared = 0, constants = 0, unused = 0;
};
static_assert(sizeof(Header) == 8);

}  // namespace

void machine(Bytes bytes) {
  Header header;
  if (bytes.size() < sizeof header) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  const Bytes code = bytes.subspan(sizeof header);
  cubin::Cubin cubin;
  cubin.arch = isa::kAllArchs[header.arch % isa::kAllArchs.size()];
  cubin.constant3.assign(header.constants, std::byte{1});
  cubin::KernelCode kernel;
  kernel.name = "kernel";
  kernel.registers = header.registers;
  kernel.static_shared_bytes = header.static_shared;
  kernel.reserved_shared_bytes = cubin.arch == isa::Arch::sm_90 ? 1024 : 0;
  kernel.parameter_base = cubin.arch == isa::Arch::sm_90 ? 0x210 : 0x160;
  for (uint32_t i = 0; i < header.parameters % 8u; ++i) kernel.parameters.push_back({i, 8 * i, 8});
  kernel.parameter_bytes = 8 * static_cast<uint32_t>(kernel.parameters.size());
  kernel.words.resize(std::min(code.size() / isa::kInstructionBytes, kMostInstructions) * 2);
  if (!kernel.words.empty()) std::memcpy(kernel.words.data(), code.data(), kernel.words.size() * 8);
  machine::GlobalMemory memory;
  LaunchConfig launch = launch_of(kernel, memory);
  launch.block = {1u + header.threads % 80u, 1, 1};
  launch.dynamic_shared_bytes = header.shared_kib * 1024u;
  execute(cubin, kernel, std::move(launch), memory);
}

void launch(Bytes bytes) {
  const auto cubin = cubin::read_cubin(bytes, "damaged.cubin");
  if (!cubin) return;
  for (const cubin::KernelCode& kernel : cubin->kernels) {
    if (kernel.instruction_count() > kMostInstructions) continue;
    machine::GlobalMemory memory;
    LaunchConfig launch = launch_of(kernel, memory);
    launch.block = {64, 1, 1};
    launch.dynamic_shared_bytes = 512;
    execute(*cubin, kernel, std::move(launch), memory);
  }
}

}  // namespace gemmscope::fuzz
