#include "experiment/model_report.h"

#include <algorithm>

#include "catalog/product.h"
#include "experiment/timings.h"
#include "isa/opcode_table.h"
#include "metrics/occupancy.h"
#include "metrics/roofline.h"

namespace gemmscope::experiment {
namespace {

constexpr int kFirstWithTensorCores = 70;

bool uses_tensor_cores(const CompiledKernel& compiled) {
  return std::ranges::any_of(compiled.parts, [](const LaunchPart& part) {
    return std::ranges::any_of(part.instructions, [](const isa::Instruction& instruction) {
      return instruction.row != nullptr && instruction.row->pipe == isa::Pipe::tensor;
    });
  });
}

metrics::Occupancy occupancy_of(const CompiledKernel& compiled, const LaunchPart& part,
                                const metrics::SmLimits& limits) {
  const cubin::KernelCode& code = compiled.cubin.kernels[part.code_index];
  return metrics::occupancy(
      limits, {static_cast<int>(part.launch.block[0] * part.launch.block[1] * part.launch.block[2]),
               static_cast<int>(code.registers),
               static_cast<int>(code.static_shared_bytes + part.launch.dynamic_shared_bytes),
               std::max(1, static_cast<int>(code.barriers))});
}

// What the figures need of the kernel's resources: why no more blocks are resident.
void add_occupancy(const CompiledKernel& compiled, const LaunchPart& part, const metrics::SmLimits& limits,
                   sm::LaunchFigures& figures) {
  figures.registers = compiled.cubin.kernels[part.code_index].registers;
  figures.most_warps = limits.warps;
  const metrics::Occupancy occupancy = occupancy_of(compiled, part, limits);
  for (const auto limit : {metrics::OccupancyLimit::registers, metrics::OccupancyLimit::shared,
                           metrics::OccupancyLimit::blocks, metrics::OccupancyLimit::barriers})
    if (figures.occupancy_limit.empty() && occupancy.limited_by(limit))
      figures.occupancy_limit = metrics::limit_name(limit);
}

// The sample with as many resident blocks as the limits allow; the same one where that changes nothing.
Outcome<TimingSample> with_limits(const CompiledKernel& compiled, std::shared_ptr<const TimingSample> sample,
                                  const metrics::SmLimits& limits) {
  std::shared_ptr<TimingSample> changed;
  for (size_t i = 0; i < sample->launches.size(); ++i) {
    const int blocks = occupancy_of(compiled, compiled.parts[i], limits).blocks;
    if (blocks == 0)
      return tl::unexpected(
          Failure{fmt::format("A block of {} does not fit on such an SM.", compiled.kernel.id), {}});
    if (blocks == sample->launches[i].deep.blocks_per_sm) continue;
    if (changed == nullptr) changed = std::make_shared<TimingSample>(*sample);
    changed->launches[i].deep.blocks_per_sm = changed->launches[i].shallow.blocks_per_sm = blocks;
  }
  if (changed != nullptr) return changed;
  return sample;
}

}  // namespace

const ModelledLaunch& ModelReport::longest() const {
  return *std::ranges::max_element(launches, {},
                                   [](const ModelledLaunch& launch) { return launch.figures.milliseconds; });
}

Outcome<TimingSample> sample_model(const CompiledKernel& compiled, const Experiment& experiment,
                                   const sm::SmConfig& device, const std::atomic<bool>* cancelled) {
  if (device.compute_capability < kFirstWithTensorCores && uses_tensor_cores(compiled))
    return tl::unexpected(Failure{fmt::format("{} has no tensor cores, so {} has no modelled time there.",
                                              device.name, compiled.kernel.id),
                                  {}});
  return sample_timing(compiled, experiment, device, cancelled);
}

Outcome<ModelReport> report_sample(const CompiledKernel& compiled, const Experiment& experiment,
                                   const sm::SmConfig& device, std::shared_ptr<const TimingSample> sample,
                                   const metrics::SmLimits& limits, const std::atomic<bool>* cancelled) {
  auto fitting = with_limits(compiled, std::move(sample), limits);
  if (!fitting) return tl::unexpected(std::move(fitting.error()));
  auto time = model_time(**fitting, device, cancelled);
  if (!time) return tl::unexpected(std::move(time.error()));
  auto report = std::make_shared<ModelReport>();
  report->device = device;
  report->sample = *std::move(fitting);
  report->time = *std::move(time);
  report->shown_launch = report->sample->shown_launch;
  for (size_t i = 0; i < report->sample->launches.size(); ++i) {
    ModelledLaunch launch;
    launch.title = report->sample->launches[i].title;
    launch.figures = sm::figures_of(report->sample->launches[i], report->time->launches[i], device);
    add_occupancy(compiled, compiled.parts[i], limits, launch.figures);
    launch.bound = sm::bound_of(launch.figures);
    report->launches.push_back(std::move(launch));
  }
  if (catalog::is_product(compiled.kernel))
    report->tflops = metrics::tflops(flops(experiment.problem), report->time->milliseconds);
  return report;
}

Outcome<ModelReport> report_model(const CompiledKernel& compiled, const Experiment& experiment,
                                  const sm::SmConfig& device, const std::atomic<bool>* cancelled) {
  auto sample = sample_model(compiled, experiment, device, cancelled);
  if (!sample) return tl::unexpected(std::move(sample.error()));
  return report_sample(compiled, experiment, device, *std::move(sample),
                       *metrics::sm_limits(device.compute_capability), cancelled);
}

}  // namespace gemmscope::experiment
