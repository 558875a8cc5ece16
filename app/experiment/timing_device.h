// The interface of a device that times kernels: a GPU behind its runner (gpu_timing_device.h) or a test's
// fake. Errors are those of gpu/protocol.h.
#pragma once

#include <atomic>
#include <optional>

#include "experiment/results.h"
#include "experiment/timings.h"
#include "gpu/protocol.h"
#include "gpu/timing_protocol.h"

namespace gemmscope::experiment {

// To be used by one thread at a time. Each call has a timeout of its own, and ends soon once `cancelled` is
// true. After an error that ends the runner (fate_after) the next call starts another, and all handles are
// gone.
class TimingDevice {
 public:
  virtual ~TimingDevice() = default;
  virtual gpu::Outcome<TimedDevice> describe(const std::atomic<bool>& cancelled) = 0;
  // Loads the kernel, launches it once and checks its result.
  virtual gpu::Outcome<gpu::Prepared> prepare(const CompiledKernel& compiled, const Experiment& experiment,
                                              Grade grade, const std::atomic<bool>& cancelled) = 0;
  virtual gpu::Outcome<gpu::Prepared> prepare_library(const catalog::Problem& problem, Grade grade,
                                                      const std::atomic<bool>& cancelled) = 0;
  virtual gpu::Outcome<gpu::TimeReply> time(const gpu::TimeRequest& request,
                                            const std::atomic<bool>& cancelled) = 0;
  virtual void release(uint64_t handle) = 0;
};

// The consequence of an error.
enum class Fate : uint8_t {
  variant_refused,  // this variant cannot be timed; the runner continues
  variant_faulted,  // this variant ended the runner
  runner_lost,      // the runner ended, and it is not known which variant caused it
  handles_lost,     // a new runner answered, which does not know the handles
  no_device,        // nothing can be timed
  cancelled,
};
Fate fate_after(gpu::ErrorKind kind);

// The newest architecture whose machine code a GPU runs: cubins run on the same major and the same or a newer
// minor compute capability (CUDA C++ Programming Guide, "Binary Compatibility").
std::optional<isa::Arch> arch_for(int compute_capability);

// What the factors are rounded to: bfloat16 where A is declared so, else what its tensor instructions take;
// FP32 where they take float16, whose matrices are not timed. What a kernel says: catalog::declared_grade.
Grade executed_grade(const CompiledKernel& compiled);

// Whether a GPU's result is compared with the kernel's own reference: true if it has one and is not a
// product.
bool is_checked_by_reference(const catalog::Kernel& kernel);

// Converts the runner's facts and adds the peaks of metrics/peak.h.
TimedDevice timed_device(const gpu::DeviceFacts& facts);

}  // namespace gemmscope::experiment
