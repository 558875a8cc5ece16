// A timing device that uses the GPU behind the runner.
#pragma once

#include <map>

#include "experiment/timing_device.h"
#include "gpu/client.h"

namespace gemmscope::experiment {

// Makes the request for the runner. Errors (bad_request): a matrix that the runner cannot fill, such as a
// column-major or float16 one; other buffers that cannot be made.
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
  // Each runner counts its handles from 1. This device has its own handles, which stay unique across runners.
  std::map<uint64_t, uint64_t> runner_handles_;
  uint64_t last_handle_ = 0, last_runner_handle_ = 0;
};

// Uses the runner of this command line or, if it is empty, the one beside the program (gpu::runner_command).
// Errors: a command line that cannot be parsed, no runner.
Result<std::unique_ptr<TimingDevice>> make_gpu_timing_device(std::string_view runner_setting);
// The error of a runner's command line that cannot be read (gpu::split_command).
Result<void> check_runner_command(std::string_view command_line);

}  // namespace gemmscope::experiment
