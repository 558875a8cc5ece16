#include "experiment/gpu_timing_device.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "experiment/launch_parts.h"
#include "experiment/problem_data.h"
#include "gpu/find_runner.h"
#include "machine/state/tensor_map.h"

namespace gemmscope::experiment {
namespace {

constexpr std::chrono::minutes kQueueTime{10};

using catalog::ElementType;
using catalog::Parameter;

gpu::Gemm gemm_of(const catalog::Problem& p) { return {p.m, p.n, p.k, p.alpha, p.beta}; }

gpu::Precision precision_of(Grade grade) {
  switch (grade) {
    case Grade::fp32:
      return gpu::Precision::fp32;
    case Grade::tf32:
      return gpu::Precision::tf32;
    case Grade::bf16:
      return gpu::Precision::bf16;
  }
  return gpu::Precision::fp32;
}

gpu::Outcome<gpu::TimedParameter> matrix_parameter(const CompiledKernel& compiled, const Parameter& p,
                                                   const std::optional<machine::TensorMap>& map,
                                                   bool finite_c) {
  const bool fits = p.type == ElementType::float32 || (p.type == ElementType::bfloat16 && p.role != 'C');
  if (!fits || p.column_major || !p.leading_dimension.empty())
    return gpu::runner_error(
        gpu::ErrorKind::bad_request,
        "{} is not timed: its matrix {} is {}{}, but the GPU runner fills row-major matrices "
        "of float32, or of bfloat16 for A and B, without gaps",
        compiled.kernel.id, p.role, catalog::type_name(p.type),
        p.column_major                 ? ", column-major"
        : !p.leading_dimension.empty() ? ", with gaps between its lines"
                                       : "");
  return gpu::MatrixParameter{p.role, p.type == ElementType::bfloat16, map ? map->box[1] : 0,
                              p.role == 'C' && finite_c};
}

gpu::TimedParameter plain_parameter(const Parameter& p, const ProblemData& data, size_t index) {
  if (p.kind == Parameter::Kind::scalar) return gpu::ValueParameter{data.arguments[index]};
  uint64_t address = 0;
  std::memcpy(&address, data.arguments[index].data(), sizeof(address));
  const auto& bytes = data.memory.find(address, 1)->bytes;
  return gpu::BufferParameter{{bytes.begin(), bytes.end()}, false};
}

// Passes all parameters of the request, since every kernel of a file takes the same ones.
gpu::TimedLaunch timed_launch(const CompiledKernel& compiled, const LaunchPart& part, size_t parameters) {
  gpu::TimedLaunch launch;
  launch.kernel = compiled.cubin.kernels[part.code_index].name;
  launch.grid = part.launch.grid;
  launch.block = part.launch.block;
  launch.dynamic_shared_bytes = part.launch.dynamic_shared_bytes;
  launch.parameters.resize(parameters);
  std::iota(launch.parameters.begin(), launch.parameters.end(), 0);
  return launch;
}

gpu::Outcome<gpu::ReferenceCheck> reference_check(const CompiledKernel& compiled,
                                                  const Experiment& experiment,
                                                  const std::vector<Parameter>& parameters) {
  const Result<LaunchPart> part = reference_part(compiled, experiment);
  if (!part) return gpu::runner_error(gpu::ErrorKind::bad_request, "{}", part.error().message);
  gpu::ReferenceCheck check;
  check.launch = timed_launch(compiled, *part, parameters.size());
  check.tolerance = compiled.kernel.check.tolerance;
  for (const std::string& name : compiled.kernel.check.compare) {
    const auto parameter = std::ranges::find(parameters, name, &Parameter::name);
    check.compare.push_back({static_cast<uint32_t>(parameter - parameters.begin()), parameter->type});
  }
  return check;
}

}  // namespace

gpu::Outcome<gpu::PrepareRequest> prepare_request(const CompiledKernel& compiled,
                                                  const Experiment& experiment, Grade grade) {
  gpu::PrepareRequest request;
  request.cubin = compiled.binary;
  request.precision = precision_of(grade);
  const std::vector<Parameter> parameters =
      compiled.kernel.parameters.empty() ? catalog::fixed_signature() : compiled.kernel.parameters;
  if (catalog::is_gemm(parameters)) request.gemm = gemm_of(experiment.problem);
  const Result<ProblemData> data =
      make_problem_data(compiled.kernel, experiment.problem, experiment.toggles, Contents::zeros);
  if (!data) return gpu::runner_error(gpu::ErrorKind::bad_request, "{}", data.error().message);
  const bool finite_c =
      experiment.problem.beta == 0 && !c_starts_as_nan(compiled.kernel, parameters, experiment.problem);
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind != Parameter::Kind::matrix) {
      request.parameters.push_back(plain_parameter(parameters[i], *data, i));
      continue;
    }
    const auto matrix =
        matrix_parameter(compiled, parameters[i], machine::read_tensor_map(data->arguments[i]), finite_c);
    if (!matrix) return tl::unexpected(matrix.error());
    request.parameters.push_back(*matrix);
  }
  for (const LaunchPart& part : compiled.parts)
    request.launches.push_back(timed_launch(compiled, part, parameters.size()));
  if (is_checked_by_reference(compiled.kernel)) {
    gpu::Outcome<gpu::ReferenceCheck> check = reference_check(compiled, experiment, parameters);
    if (!check) return tl::unexpected(check.error());
    request.check = std::move(*check);
  }
  return request;
}

gpu::Outcome<TimedDevice> GpuTimingDevice::describe(const std::atomic<bool>& cancelled) {
  const gpu::Outcome<gpu::DeviceFacts> facts = client_.hello(&cancelled);
  if (!facts) return tl::unexpected(facts.error());
  return timed_device(*facts);
}

gpu::Outcome<gpu::Prepared> GpuTimingDevice::prepare(const CompiledKernel& compiled,
                                                     const Experiment& experiment, Grade grade,
                                                     const std::atomic<bool>& cancelled) {
  const gpu::Outcome<gpu::PrepareRequest> request = prepare_request(compiled, experiment, grade);
  if (!request) return tl::unexpected(request.error());
  return renamed(client_.prepare(*request, &cancelled));
}

gpu::Outcome<gpu::Prepared> GpuTimingDevice::prepare_library(const catalog::Problem& problem, Grade grade,
                                                             const std::atomic<bool>& cancelled) {
  return renamed(
      client_.prepare(gpu::PrepareLibraryRequest{gemm_of(problem), precision_of(grade)}, &cancelled));
}

// A handle that is not above the last one comes from a new runner; the old runner's handles are gone.
gpu::Outcome<gpu::Prepared> GpuTimingDevice::renamed(gpu::Outcome<gpu::Prepared> prepared) {
  if (!prepared) return prepared;
  if (prepared->handle <= last_runner_handle_) runner_handles_.clear();
  last_runner_handle_ = prepared->handle;
  runner_handles_[++last_handle_] = prepared->handle;
  prepared->handle = last_handle_;
  return prepared;
}

gpu::Outcome<gpu::TimeReply> GpuTimingDevice::time(const gpu::TimeRequest& request,
                                                   const std::atomic<bool>& cancelled) {
  const auto handle = runner_handles_.find(request.handle);
  if (handle == runner_handles_.end())
    return gpu::runner_error(gpu::ErrorKind::not_prepared, "the GPU runner was restarted");
  gpu::TimeRequest translated = request;
  translated.handle = handle->second;
  return client_.time(translated, &cancelled);
}

void GpuTimingDevice::release(uint64_t handle) {
  const auto found = runner_handles_.find(handle);
  if (found == runner_handles_.end()) return;
  static_cast<void>(client_.release({found->second}));  // a runner that ends meanwhile has released it too
  runner_handles_.erase(found);
}

Result<void> check_runner_command(std::string_view command_line) {
  if (const auto words = gpu::split_command(command_line); !words) return tl::unexpected(words.error());
  return {};
}

Result<std::unique_ptr<TimingDevice>> make_gpu_timing_device(std::string_view runner_setting) {
  Result<std::vector<std::string>> command = gpu::runner_command(runner_setting);
  if (!command) return tl::unexpected(command.error());
  gpu::ClientSettings settings;
  settings.command = std::move(*command);
  // The user's command may submit a job that waits in a cluster's queue.
  if (!runner_setting.empty()) settings.start_timeout = kQueueTime;
  return std::make_unique<GpuTimingDevice>(std::move(settings));
}

}  // namespace gemmscope::experiment
