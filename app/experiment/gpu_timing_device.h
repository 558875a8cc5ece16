// The GPU behind the runner, as a device that times kernels.
#pragma once

#include <map>

#include "experiment/timing_device.h"
#include "gpu/client.h"

namespace gemmscope::experiment {

// What the runner is asked. Errors (bad_request): a matrix that the runner cannot fill, as column-major ones
// or float16; a kernel whose other buffers cannot be made.
gpu::Outcome<gpu::PrepareRequest> prepare_request(const CompiledKernel& compiled,
                                                  const Experiment& experiment, Grade grade);

class GpuTimingDevice final : public TimingDevice {
 public:
  explicit GpuTimingDevice(gpu::ClientSettings settings) : client_(std::move(settings)) {}

  gpu::Outcome<TimedDevice> describe(const std::atomic<bool>& cancelled) override;
  gpu::Outcome<gpu::Prepared> prepare(const CompiledKernel& compiled, const Experiment& experiment,
                                      Grade grade, const std::atomic<bool>& cancelled) override;
  gpu::Outcome<gpu::Prepared> prepare_library(const catalog::Problem& problem, Grade grade,
                                              const std::atomic<bool>& cancelled) override;
  gpu::Outcome<gpu::TimeReply> time(const gpu::TimeRequest& request,
                                    const std::atomic<bool>& cancelled) override;
  void release(uint64_t handle) override;

 private:
  gpu::Outcome<gpu::Prepared> renamed(gpu::Outcome<gpu::Prepared> prepared);

  gpu::Client client_;
  // A runner's handles count from 1, and so do the next runner's: ours are of this device, for ever.
  std::map<uint64_t, uint64_t> runner_handles_;
  uint64_t last_handle_ = 0, last_runner_handle_ = 0;
};

// With the runner of this command line, else the one beside the program (gpu::runner_command). Errors: a
// command line that cannot be read, no runner.
Result<std::unique_ptr<TimingDevice>> make_gpu_timing_device(std::string_view runner_setting);
// The error of a runner's command line that cannot be read (gpu::split_command).
Result<void> check_runner_command(std::string_view command_line);

}  // namespace gemmscope::experiment
