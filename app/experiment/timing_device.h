// What times kernels: a GPU behind its runner (gpu_timing_device.h), or a stand-in. Errors are those of
// gpu/protocol.h.
#pragma once

#include <atomic>
#include <optional>

#include "experiment/results.h"
#include "experiment/timings.h"
#include "gpu/protocol.h"
#include "gpu/timing_protocol.h"

namespace gemmscope::experiment {

// One thread at a time. Each call ends within a time of its own, and soon once `cancelled` is true. After an
// error that ends the runner (fate_after) the next call starts another, and all handles are gone.
class TimingDevice {
 public:
  virtual ~TimingDevice() = default;
  virtual gpu::Outcome<TimedDevice> describe(const std::atomic<bool>& cancelled) = 0;
  // Loads the kernel, launches it once and checks what it made.
  virtual gpu::Outcome<gpu::Prepared> prepare(const CompiledKernel& compiled, const Experiment& experiment,
                                              Grade grade, const std::atomic<bool>& cancelled) = 0;
  virtual gpu::Outcome<gpu::Prepared> prepare_library(const catalog::Problem& problem, Grade grade,
                                                      const std::atomic<bool>& cancelled) = 0;
  virtual gpu::Outcome<gpu::TimeReply> time(const gpu::TimeRequest& request,
                                            const std::atomic<bool>& cancelled) = 0;
  virtual void release(uint64_t handle) = 0;
};

// What an error leaves behind.
enum class Fate : uint8_t {
  variant_refused,  // this variant cannot be timed; the runner goes on
  variant_faulted,  // it ended the runner
  runner_lost,      // the runner ended, and whose fault it is cannot be told
  handles_lost,     // it is another runner than before
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

// Whether a GPU's result is compared with the kernel's own reference: it has one, and is no product.
bool is_checked_by_reference(const catalog::Kernel& kernel);

// With the peaks of metrics/peak.h.
TimedDevice timed_device(const gpu::DeviceFacts& facts);

}  // namespace gemmscope::experiment
