#include "experiment/live_model.h"

#include <algorithm>
#include <list>

#include "catalog/product.h"
#include "experiment/devices.h"
#include "experiment/pipeline.h"
#include "metrics/peak.h"
#include "metrics/sectors.h"

namespace gemmscope::experiment {
namespace {

// Executions are kept up to this number of recorded warp instructions, 16 bytes each.
constexpr uint64_t kMostInstructions = 6'000'000;
constexpr size_t kMostResults = 2000;

// What an execution depends on, in one text.
std::string execution_key(const TimedKernel& choice, const ModelRequest& request) {
  std::string key = fmt::format("{} {} {} {} {} {} {}\n", choice.kernel.id, request.problem.m,
                                request.problem.n, request.problem.k, request.problem.beta,
                                isa::sm_number(request.arch), request.device.compute_capability);
  for (const auto& [name, value] : choice.toggles) key += fmt::format("{}={} ", name, value);
  for (const auto& [name, value] : choice.inputs) key += fmt::format("{}={} ", name, value);
  return key + choice.kernel.source;
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

uint64_t instructions_of(const TimingSample& sample) {
  uint64_t count = 0;
  for (const sm::SampledLaunch& launch : sample.launches)
    count += launch.deep.instructions() + launch.shallow.instructions();
  return count;
}

struct Execution {
  std::string key;
  Experiment experiment;
  std::shared_ptr<const CompiledKernel> compiled;
  std::shared_ptr<const TimingSample> sample;  // null: `trouble` says why
  std::string trouble;
};

Execution execute(const TimedKernel& choice, const ModelRequest& request,
                  const std::atomic<bool>& cancelled) {
  Execution execution;
  Experiment& e = execution.experiment;
  e.kernel = choice.kernel.id;
  e.problem = request.problem;
  e.toggles = choice.toggles;
  e.inputs = choice.inputs;
  e.arch = request.arch;
  auto compiled = compile_kernel(choice.kernel, e);
  if (!compiled) {
    execution.trouble = compiled.error().message;
    return execution;
  }
  execution.compiled = *compiled;
  auto sample = sample_model(**compiled, e, request.device, &cancelled);
  if (sample)
    execution.sample = *std::move(sample);
  else
    execution.trouble = sample.error().message;
  return execution;
}

// Of all SMs, from what the busiest one sends and gets.
double l2_bytes(const sm::LaunchFigures& figures) {
  if (figures.blocks_of_busiest_sm == 0) return 0;
  const double share =
      static_cast<double>(figures.blocks) / static_cast<double>(figures.blocks_of_busiest_sm);
  return (figures.l2_load_sectors + figures.store_sectors) * metrics::kSectorBytes * share;
}

// What the thread keeps from request to request.
class Memory {
 public:
  ModelledVariant model(const TimedKernel& choice, const ModelRequest& request,
                        const std::atomic<bool>& cancelled) {
    const std::string key = execution_key(choice, request), whole = key + device_key(request);
    if (const auto known = results_.find(whole); known != results_.end()) return known->second;
    ModelledVariant result;
    result.key = {choice.kernel.id, choice.toggles};
    result.title = choice.kernel.title;
    result.grade = catalog::declared_grade(choice.kernel);
    result.is_product = catalog::is_product(choice.kernel);
    const Execution& execution = find_or_execute(key, choice, request, cancelled);
    result.trouble = execution.trouble;
    if (execution.sample != nullptr) {
      const auto report = report_sample(*execution.compiled, execution.experiment, request.device,
                                        execution.sample, request.limits, &cancelled);
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
    if (results_.size() >= kMostResults) results_.clear();
    results_.emplace(whole, result);
    return result;
  }

 private:
  const Execution& find_or_execute(const std::string& key, const TimedKernel& choice,
                                   const ModelRequest& request, const std::atomic<bool>& cancelled) {
    const auto found = std::ranges::find(executions_, key, &Execution::key);
    if (found != executions_.end()) {
      executions_.splice(executions_.begin(), executions_, found);
      return executions_.front();
    }
    executions_.push_front(execute(choice, request, cancelled));
    if (!cancelled) executions_.front().key = key;  // else it is incomplete, and never found
    uint64_t kept = 0;
    for (auto at = executions_.begin(); at != executions_.end();) {
      kept += at->sample == nullptr ? 0 : instructions_of(*at->sample);
      const bool drop = at != executions_.begin() && (kept > kMostInstructions || at->key.empty());
      at = drop ? executions_.erase(at) : std::next(at);
    }
    return executions_.front();
  }

  std::list<Execution> executions_;  // the most recent first
  std::map<std::string, ModelledVariant> results_;
};

}  // namespace

ModelRequest model_request(std::vector<TimedKernel> variants, const catalog::Problem& problem,
                           const sm::SmConfig& device) {
  const metrics::SmLimits* limits = metrics::sm_limits(device.compute_capability);
  return {std::move(variants), problem, device, arch_of(device),
          limits == nullptr ? metrics::SmLimits{} : *limits};
}

LiveModel::LiveModel(std::function<void()> wake)
    : requests_(std::move(wake),
                [memory = std::make_shared<Memory>()](const ModelRequest& request, auto& work) {
                  for (const TimedKernel& choice : request.variants) {
                    ModelledVariant modelled = memory->model(choice, request, work.cancelled());
                    if (!work.post([&](auto& all) { all.push_back(std::move(modelled)); })) return;
                  }
                }) {}

Timings modelled_timings(const sm::SmConfig& device, const catalog::Problem& problem,
                         const std::vector<ModelledVariant>& variants) {
  Timings timings;
  timings.provenance = Provenance::modelled;
  timings.problem = problem;
  TimedDevice& d = timings.device;
  const metrics::GpuShape shape{device.name, device.compute_capability, static_cast<int>(device.sms),
                                device.clock_mhz};
  d.name = device.name;
  d.compute_capability = device.compute_capability;
  d.sm_count = shape.sm_count;
  d.max_clock_mhz = device.clock_mhz;
  d.memory_gb_per_second = device.dram_gb_s;
  d.peak_fp32 = metrics::peak_fp32_flops(shape);
  d.peak_tf32 = metrics::peak_tf32_flops(shape);
  d.peak_bf16 = metrics::peak_bf16_flops(shape);
  for (const ModelledVariant& modelled : variants) {
    TimedVariant v;
    v.id = modelled.key.kernel;
    v.toggles = modelled.key.toggles;
    v.title = modelled.title;
    v.grade = modelled.grade;
    v.is_product = modelled.is_product;
    v.trouble = modelled.trouble;
    v.note = modelled.bound;
    if (modelled.milliseconds > 0) v.samples.push_back({0, modelled.milliseconds, device.clock_mhz});
    v.modelled_l2_bytes = modelled.l2_bytes;
    timings.variants.push_back(std::move(v));
  }
  return timings;
}

bool is_same_contest(const Timings& timings, const Timings& modelled) {
  const catalog::Problem &a = timings.problem, &b = modelled.problem;
  return timings.device.name == modelled.device.name && a.m == b.m && a.n == b.n && a.k == b.k &&
         a.beta == b.beta;
}

Timings with_modelled(Timings timings, const Timings& modelled, const std::vector<VariantKey>& racers) {
  if (!is_same_contest(timings, modelled) || timings.provenance == Provenance::modelled) return timings;
  for (const TimedVariant& m : modelled.variants) {
    const double ms = m.samples.empty() ? 0 : m.samples.front().ms;
    const VariantKey key = key_of(m);
    const auto found = std::ranges::find_if(
        timings.variants, [&](const TimedVariant& v) { return !v.is_library && key_of(v) == key; });
    if (found != timings.variants.end()) {
      found->modelled_ms = ms;
      found->modelled_l2_bytes = m.modelled_l2_bytes;
    } else if (ms > 0 && std::ranges::find(racers, key) != racers.end()) {
      timings.variants.push_back(m);
      timings.variants.back().samples.clear();
      timings.variants.back().modelled_ms = ms;
      timings.variants.back().note.clear();
    }
  }
  return timings;
}

}  // namespace gemmscope::experiment
