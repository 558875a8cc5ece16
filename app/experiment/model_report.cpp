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

// What the figures need of the kernel's resources: why no more blocks are resident.
void add_occupancy(const CompiledKernel& compiled, const LaunchPart& part, const sm::SmConfig& device,
                   sm::LaunchFigures& figures) {
  const cubin::KernelCode& code = compiled.cubin.kernels[part.code_index];
  figures.registers = code.registers;
  const metrics::SmLimits* limits = metrics::sm_limits(device.compute_capability);
  if (limits == nullptr) return;
  figures.most_warps = limits->warps;
  const metrics::Occupancy occupancy = metrics::occupancy(
      *limits, {static_cast<int>(part.launch.block[0] * part.launch.block[1] * part.launch.block[2]),
                static_cast<int>(code.registers),
                static_cast<int>(code.static_shared_bytes + part.launch.dynamic_shared_bytes),
                std::max(1, static_cast<int>(code.barriers))});
  for (const auto limit : {metrics::OccupancyLimit::registers, metrics::OccupancyLimit::shared,
                           metrics::OccupancyLimit::blocks, metrics::OccupancyLimit::barriers})
    if (figures.occupancy_limit.empty() && occupancy.limited_by(limit))
      figures.occupancy_limit = metrics::limit_name(limit);
}

}  // namespace

const ModelledLaunch& ModelReport::longest() const {
  return *std::ranges::max_element(launches, {},
                                   [](const ModelledLaunch& launch) { return launch.figures.milliseconds; });
}

Outcome<ModelReport> report_model(const CompiledKernel& compiled, const Experiment& experiment,
                                  const sm::SmConfig& device, const std::atomic<bool>* cancelled) {
  if (device.compute_capability < kFirstWithTensorCores && uses_tensor_cores(compiled))
    return tl::unexpected(Failure{fmt::format("{} has no tensor cores, so {} has no modelled time there.",
                                              device.name, compiled.kernel.id),
                                  {}});
  auto sample = sample_timing(compiled, experiment, device, cancelled);
  if (!sample) return tl::unexpected(std::move(sample.error()));
  auto time = model_time(**sample, device, cancelled);
  if (!time) return tl::unexpected(std::move(time.error()));
  auto report = std::make_shared<ModelReport>();
  report->device = device;
  report->sample = *std::move(sample);
  report->time = *std::move(time);
  report->shown_launch = report->sample->shown_launch;
  for (size_t i = 0; i < report->sample->launches.size(); ++i) {
    ModelledLaunch launch;
    launch.title = report->sample->launches[i].title;
    launch.figures = sm::figures_of(report->sample->launches[i], report->time->launches[i], device);
    add_occupancy(compiled, compiled.parts[i], device, launch.figures);
    launch.bound = sm::bound_of(launch.figures);
    report->launches.push_back(std::move(launch));
  }
  if (catalog::is_product(compiled.kernel))
    report->tflops = metrics::tflops(flops(experiment.problem), report->time->milliseconds);
  return report;
}

}  // namespace gemmscope::experiment
