#include "experiment/timing_device.h"

#include <algorithm>

#include "catalog/product.h"
#include "metrics/peak.h"

namespace gemmscope::experiment {

Fate fate_after(gpu::ErrorKind kind) {
  using gpu::ErrorKind;
  switch (kind) {
    case ErrorKind::no_toolkit:
    case ErrorKind::no_driver:
    case ErrorKind::no_device:
    case ErrorKind::wrong_version:
    case ErrorKind::cannot_start:
      return Fate::no_device;
    case ErrorKind::bad_request:
    case ErrorKind::out_of_memory:
    case ErrorKind::no_library:
    case ErrorKind::bad_machine_code:
    case ErrorKind::no_such_kernel:
    case ErrorKind::launch_refused:
      return Fate::variant_refused;
    case ErrorKind::kernel_fault:
    case ErrorKind::kernel_timeout:
      return Fate::variant_faulted;
    case ErrorKind::not_prepared:
      return Fate::handles_lost;
    case ErrorKind::device_lost:
    case ErrorKind::driver_error:
    case ErrorKind::died:
    case ErrorKind::no_answer:
    case ErrorKind::garbage:
    case ErrorKind::flood:
      return Fate::runner_lost;
    case ErrorKind::cancelled:
      return Fate::cancelled;
  }
  return Fate::runner_lost;
}

std::optional<isa::Arch> arch_for(int compute_capability) {
  std::optional<isa::Arch> best;
  for (const isa::Arch arch : isa::kAllArchs) {
    const int number = isa::sm_number(arch);
    if (number / 10 == compute_capability / 10 && number <= compute_capability) best = arch;
  }
  return best;
}

Grade executed_grade(const CompiledKernel& compiled) {
  for (const catalog::Parameter& parameter : compiled.kernel.parameters)
    if (parameter.role == 'A' && parameter.type == catalog::ElementType::bfloat16) return Grade::bf16;
  const auto has = [&](isa::Modifier format) {
    return std::any_of(compiled.instructions.begin(), compiled.instructions.end(),
                       [&](const isa::Instruction& instruction) {
                         return instruction.opcode == isa::Opcode::hmma && instruction.has(format);
                       });
  };
  if (has(isa::Modifier::tf32)) return Grade::tf32;
  return has(isa::Modifier::bf16) ? Grade::bf16 : Grade::fp32;
}

bool is_checked_by_reference(const catalog::Kernel& kernel) {
  return kernel.check.given() && !catalog::is_product(kernel);
}

TimedDevice timed_device(const gpu::DeviceFacts& facts) {
  TimedDevice device;
  device.name = facts.name;
  device.compute_capability = facts.compute_capability;
  device.sm_count = facts.sm_count;
  device.max_clock_mhz = facts.max_clock_mhz;
  device.memory_gb_per_second = facts.memory_gb_per_second;
  device.driver_version = facts.driver_version;
  device.cuda_version = facts.cuda_version;
  const metrics::GpuShape shape = {facts.name, facts.compute_capability, facts.sm_count, facts.max_clock_mhz};
  device.peak_fp32 = metrics::peak_fp32_flops(shape);
  if (device.peak_fp32 == 0)  // an architecture newer than this program
    device.peak_fp32 = 2e6 * facts.max_clock_mhz * facts.sm_count * facts.fp32_lanes_per_sm;
  device.peak_tf32 = metrics::peak_tf32_flops(shape);
  device.peak_bf16 = metrics::peak_bf16_flops(shape);
  return device;
}

}  // namespace gemmscope::experiment
