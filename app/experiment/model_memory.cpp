#include "experiment/model_memory.h"

#include "catalog/product.h"
#include "experiment/changed_code.h"
#include "experiment/devices.h"
#include "experiment/kept_bytes.h"
#include "experiment/model_report.h"
#include "experiment/pipeline.h"
#include "metrics/sectors.h"

namespace gemmscope::experiment {
namespace {

// What an execution depends on, in one text.
std::string execution_key(const TimedKernel& choice, const ModelRequest& request) {
  std::string key = fmt::format("{} {} {} {} {} {} {}\n", choice.kernel.id, request.problem.m,
                                request.problem.n, request.problem.k, request.problem.beta,
                                isa::sm_number(request.arch), request.device.compute_capability);
  for (const auto& [name, value] : choice.toggles) key += fmt::format("{}={} ", name, value);
  for (const auto& [name, value] : choice.inputs) key += fmt::format("{}={} ", name, value);
  return key + changes_key(choice.changes) + "\n" + choice.kernel.source;
}

// What a modelled time depends on besides.
std::string device_key(const ModelRequest& request) {
  const metrics::SmLimits& l = request.limits;
  std::string key =
      fmt::format("{} {} {} {} {}", request.device.id, l.warps, l.blocks, l.registers, l.shared_bytes);
  for (const sm::Parameter& parameter : sm::parameters())
    key += fmt::format(" {}", request.device.*parameter.value);
  return key;
}

size_t bytes_of(const ModelledVariant& result) {
  size_t bytes = sizeof(ModelledVariant) + result.title.size() + result.trouble.size() + result.bound.size();
  for (const auto& [name, value] : result.key.toggles) bytes += kMapNodeBytes + name.size() + sizeof(value);
  return bytes;
}

// Of all SMs, from what the busiest one sends and gets.
double l2_bytes(const sm::LaunchFigures& figures) {
  if (figures.blocks_of_busiest_sm == 0) return 0;
  const double share =
      static_cast<double>(figures.blocks) / static_cast<double>(figures.blocks_of_busiest_sm);
  return (figures.l2_load_sectors + figures.store_sectors) * metrics::kSectorBytes * share;
}

}  // namespace

ModelMemory::Execution ModelMemory::execute(const TimedKernel& choice, const ModelRequest& request,
                                            const std::atomic<bool>& cancelled) {
  Execution execution;
  Experiment& e = execution.experiment;
  e.kernel = choice.kernel.id;
  e.problem = request.problem;
  e.toggles = choice.toggles;
  e.inputs = choice.inputs;
  e.changes = choice.changes;
  e.arch = request.arch;
  auto compiled = compile_kernel(choice.kernel, e);
  if (!compiled) {
    execution.trouble = compiled.error().message;
    return execution;
  }
  if (const auto& changed = (*compiled)->changed; changed != nullptr) {
    execution.trouble = changed->refused.empty() ? first_mistake(**compiled) : changed->refused;
    if (!execution.trouble.empty()) return execution;
  }
  execution.compiled = *compiled;
  auto sample = sample_model(**compiled, e, request.device, &cancelled);
  if (sample)
    execution.sample = *std::move(sample);
  else
    execution.trouble = sample.error().message;
  return execution;
}

ModelledVariant ModelMemory::model(const TimedKernel& choice, const ModelRequest& request,
                                   const std::atomic<bool>& cancelled) {
  const std::string key = execution_key(choice, request), whole = key + device_key(request);
  if (const ModelledVariant* known = results_.find(whole)) return *known;
  ModelledVariant result;
  result.key = {choice.kernel.id, choice.toggles, choice.changes};
  result.title = choice.kernel.title;
  result.grade = catalog::declared_grade(choice.kernel);
  result.is_product = catalog::is_product(choice.kernel);
  const SharedExecution execution = find_or_execute(key, choice, request, cancelled);
  if (cancelled) return result;
  result.trouble = execution->trouble;
  if (execution->sample != nullptr) {
    const auto report = report_sample(*execution->compiled, execution->experiment, request.device,
                                      execution->sample, request.limits, &cancelled);
    if (report) {
      result.milliseconds = (*report)->milliseconds();
      result.figures = (*report)->longest().figures;
      result.bound = (*report)->longest().bound.sentence;
      for (const ModelledLaunch& launch : (*report)->launches) result.l2_bytes += l2_bytes(launch.figures);
    } else {
      result.trouble = report.error().message;
    }
  }
  if (cancelled) return result;
  const size_t bytes = bytes_of(result);
  return results_.add(whole, std::move(result), bytes);
}

ModelMemory::SharedExecution ModelMemory::find_or_execute(const std::string& key, const TimedKernel& choice,
                                                          const ModelRequest& request,
                                                          const std::atomic<bool>& cancelled) {
  if (const SharedExecution* known = executions_.find(key)) return *known;
  auto execution = std::make_shared<const Execution>(execute(choice, request, cancelled));
  if (cancelled) return execution;
  size_t bytes = sizeof(Execution) + execution->trouble.size();
  if (execution->compiled != nullptr) bytes += kept_bytes(*execution->compiled);
  if (execution->sample != nullptr) bytes += kept_bytes(*execution->sample);
  return executions_.add(key, std::move(execution), bytes);
}

}  // namespace gemmscope::experiment
