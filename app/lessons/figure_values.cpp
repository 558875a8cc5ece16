#include "lessons/figure_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/byte_cache.h"
#include "experiment/devices.h"
#include "experiment/grid_sampling.h"
#include "experiment/kept_bytes.h"
#include "experiment/model_report.h"
#include "experiment/model_result.h"
#include "experiment/pipeline.h"
#include "experiment/recorded_time.h"
#include "experiment/worker.h"
#include "lessons/figure_counters.h"
#include "lessons/formula.h"
#include "lessons/kept_figures.h"
#include "scenes/occupancy_scene.h"

namespace gemmscope::lessons {
namespace {

using experiment::Experiment;
using experiment::Outcome;

// Equal keys mean the same machine code at the same size.
std::string run_key(const Experiment& e) {
  return fmt::format("{}|{}|{}|{}x{}x{}|{}|{}|{}", e.kernel, fmt::join(e.toggles, ","),
                     fmt::join(e.inputs, ","), e.problem.m, e.problem.n, e.problem.k, isa::arch_name(e.arch),
                     e.launch, experiment::changes_key(e.changes));
}

tl::unexpected<Error> unknown(const FigureSpec& spec, const char* kind,
                              const std::vector<std::string>& names) {
  return fail("\"{}\" is no {}; there are {}", spec.what, kind, fmt::join(names, ", "));
}

Result<FigureValue> exact(const FigureSpec& spec, const char* kind, std::optional<double> value,
                          std::vector<std::string> (*names)()) {
  if (!value) return unknown(spec, kind, names());
  return FigureValue{*value, Origin::exact, ""};
}

const metrics::SmLimits* limits_of(double capability) {
  return metrics::sm_limits(static_cast<int>(capability * 10 + 0.5));
}

double need(const FigureSpec& spec, const char* name, double otherwise) {
  const auto found = spec.needs.find(name);
  return found == spec.needs.end() ? otherwise : found->second;
}

Result<FigureValue> occupancy_at(const FigureSpec& spec, const metrics::OccupancyPoint& point) {
  const metrics::SmLimits* limits = metrics::sm_limits(point.compute_capability);
  if (limits == nullptr) return fail("The limits of an SM of this capability are not known");
  const metrics::Occupancy occupancy =
      spec.textbook ? simple_occupancy(*limits, point.needs) : metrics::occupancy(*limits, point.needs);
  return exact(spec, "figure of an occupancy", occupancy_figure(*limits, occupancy, spec.what),
               occupancy_names);
}

// What an SM can hold, by the names of the data sheets.
std::optional<double> limit_figure(const metrics::SmLimits& limits, std::string_view name) {
  if (name == "sm_threads") return limits.threads;
  if (name == "sm_warps") return limits.warps;
  if (name == "sm_blocks") return limits.blocks;
  if (name == "sm_registers") return limits.registers;
  if (name == "sm_shared_bytes") return limits.shared_bytes;
  if (name == "register_unit") return limits.register_unit;
  return std::nullopt;
}

}  // namespace

// What has been executed, compiled and read so far.
class FigureEvaluator::Results {
 public:
  Results(catalog::Catalog catalog, size_t most_bytes)
      : catalog_(std::move(catalog)),
        compiled_(most_bytes / 2),
        grids_(most_bytes / 8),
        models_(most_bytes / 4),
        blocks_(most_bytes / 8) {}

  size_t bytes() const { return compiled_.bytes() + grids_.bytes() + models_.bytes() + blocks_.bytes(); }

  // Where its machine code cannot be had, what was kept of it.
  Result<FigureValue> value(const FigureSpec& spec, const std::atomic<bool>* cancelled) {
    Result<FigureValue> computed = compute_value(spec, cancelled);
    if (computed || !is_kept(spec)) return computed;
    if (!kept_) kept_ = read_kept_figures(kept_figures_path());
    const auto found = kept_->find(figure_key(spec));
    if (found == kept_->end()) return computed;
    return FigureValue{found->second, Origin::recorded, "machine code of NVRTC, when the lesson was made"};
  }

 private:
  Result<FigureValue> compute_value(const FigureSpec& spec, const std::atomic<bool>* cancelled) {
    if (cancelled != nullptr && cancelled->load()) return fail("Cancelled");
    switch (spec.kind) {
      case FigureKind::counter:
        return counted(spec, cancelled);
      case FigureKind::block:
        return of_block(spec, cancelled);
      case FigureKind::share:
        return of_share(spec, cancelled);
      case FigureKind::problem:
        return exact(spec, "figure of the problem", problem_figure(spec.experiment.problem, spec.what),
                     problem_names);
      case FigureKind::code:
      case FigureKind::launch:
        return of_code(spec);
      case FigureKind::occupancy:
        return of_occupancy(spec);
      case FigureKind::recorded:
        return of_recording(spec);
      case FigureKind::modelled:
        return of_model(spec, cancelled);
      case FigureKind::device:
        return of_device(spec);
      case FigureKind::stated:
        return FigureValue{spec.stated, Origin::stated, spec.source};
      case FigureKind::formula:
        break;
    }
    return fail("A formula has no value of its own");
  }

  const Outcome<experiment::CompiledKernel>& compiled(const Experiment& e) {
    const std::string key = run_key(e);
    if (const auto* found = compiled_.find(key)) return *found;
    const catalog::Kernel* kernel = catalog_.find(e.kernel);
    Outcome<experiment::CompiledKernel> outcome =
        kernel == nullptr ? tl::unexpected(experiment::Failure{
                                fmt::format("The catalogue has no kernel \"{}\"", e.kernel), {}})
                          : experiment::take_or_compile_kernel(*kernel, e);
    if (outcome && (*outcome)->changed != nullptr && !(*outcome)->changed->refused.empty())
      outcome = tl::unexpected(experiment::Failure{(*outcome)->changed->refused, {}});
    const size_t bytes = outcome ? experiment::kept_bytes(**outcome) : outcome.error().message.size();
    return compiled_.add(key, std::move(outcome), bytes);
  }

  Result<FigureValue> counted(const FigureSpec& spec, const std::atomic<bool>* cancelled) {
    const std::string key = run_key(spec.experiment);
    const Result<metrics::CounterSummary>* summary = grids_.find(key);
    if (summary == nullptr) {
      const auto& code = compiled(spec.experiment);
      if (!code) return fail("{}", code.error().message);
      experiment::GridRunOptions options;
      options.cancelled = cancelled;
      auto grid =
          experiment::count_grid(*code, spec.experiment, options, experiment::kAutomaticGridInstructions);
      if (cancelled != nullptr && cancelled->load()) return fail("Cancelled");
      auto counts =
          grid ? Result<metrics::CounterSummary>((*grid)->summary) : fail("{}", grid.error().message);
      const size_t bytes = counts ? counts->by_opcode.size() * kOpcodeBytes : counts.error().message.size();
      summary = &grids_.add(key, std::move(counts), bytes);
    }
    if (!*summary) return tl::unexpected(summary->error());
    return exact(spec, "counter", counter(**summary, spec.what), counter_names);
  }

  Result<FigureValue> of_block(const FigureSpec& spec, const std::atomic<bool>* cancelled) {
    const std::string key = run_key(spec.experiment);
    const BlockFigures* figures = blocks_.find(key);
    if (figures == nullptr) {
      const auto& code = compiled(spec.experiment);
      if (!code) return fail("{}", code.error().message);
      auto block = experiment::run_block(*code, spec.experiment, cancelled);
      if (cancelled != nullptr && cancelled->load()) return fail("Cancelled");
      if (!block) return fail("{}", block.error().message);
      BlockFigures found{(*block)->ffma_distances, (*block)->load_distances,
                         metrics::summarize((*block)->counters, (*code)->instructions)};
      const size_t bytes = sizeof(found) + found.summary.by_opcode.size() * kOpcodeBytes;
      figures = &blocks_.add(key, std::move(found), bytes);
    }
    return exact(spec, "figure of a block", block_figure(*figures, spec.what), block_names);
  }

  Result<FigureValue> of_share(const FigureSpec& spec, const std::atomic<bool>* cancelled) {
    const std::string key = spec.what + "|" + run_key(spec.experiment);
    if (!shares_.contains(key)) {
      const auto& code = compiled(spec.experiment);
      if (!code) return fail("{}", code.error().message);
      auto block = experiment::run_block(*code, spec.experiment, cancelled);
      if (cancelled != nullptr && cancelled->load()) return fail("Cancelled");
      if (!block) return fail("{}", block.error().message);
      shares_.emplace(key, largest_share(**block, spec.what));
    }
    return exact(spec, "number of which there is a share", shares_.at(key), share_names);
  }

  // Of the cycles of one wave, where the sums over the whole launch do not say it.
  Result<FigureValue> of_latency(const FigureSpec& spec, const Experiment& e, const sm::SmConfig& device,
                                 const std::atomic<bool>* cancelled) {
    const std::string key = spec.device + "|" + spec.what + "|" + run_key(e);
    if (!latencies_.contains(key)) {
      const auto& code = compiled(e);
      if (!code) return fail("{}", code.error().message);
      auto value = latency(*code, e, device, spec.what, cancelled);
      if (cancelled != nullptr && cancelled->load()) return fail("Cancelled");
      latencies_.emplace(key, std::move(value));
    }
    const auto& value = latencies_.at(key);
    if (!value) return tl::unexpected(value.error());
    return FigureValue{*value, Origin::modelled, fmt::format("model of {}", device.name)};
  }
  static Result<double> latency(const std::shared_ptr<const experiment::CompiledKernel>& code,
                                const Experiment& e, const sm::SmConfig& device, const std::string& what,
                                const std::atomic<bool>* cancelled) {
    auto block = experiment::run_block(code, e, cancelled);
    if (!block) return fail("{}", block.error().message);
    auto sample = experiment::sample_model(*code, e, device, cancelled);
    if (!sample) return fail("{}", sample.error().message);
    auto model = experiment::make_model_result(**block, *sample, device, cancelled);
    if (!model) return fail("{}", model.error().message);
    return latency_figure(**model, what).value_or(0);
  }

  Result<FigureValue> of_code(const FigureSpec& spec) {
    const auto& code = compiled(spec.experiment);
    if (!code) return fail("{}", code.error().message);
    if (spec.kind == FigureKind::launch)
      return exact(spec, "figure of a launch", launch_figure(**code, spec.what), launch_names);
    return exact(spec, "figure of machine code", code_figure(**code, spec.what), code_names);
  }

  Result<FigureValue> of_occupancy(const FigureSpec& spec) {
    if (!spec.needs.contains("threads")) {
      const auto& code = compiled(spec.experiment);
      if (!code) return fail("{}", code.error().message);
      return occupancy_at(spec, scenes::occupancy_point_of(**code));
    }
    const metrics::SmLimits* limits = limits_of(need(spec, "capability", 0));
    if (limits == nullptr)
      return fail("The limits of an SM of capability {} are not known", need(spec, "capability", 0));
    metrics::OccupancyPoint point{limits->compute_capability, {}};
    point.needs.threads = static_cast<int>(need(spec, "threads", 0));
    point.needs.registers = static_cast<int>(need(spec, "registers", 0));
    point.needs.shared_bytes = static_cast<int>(need(spec, "shared", 0));
    return occupancy_at(spec, point);
  }

  const experiment::Recordings& recordings() {
    if (!recordings_) recordings_ = experiment::read_recordings(experiment::recordings_folder());
    return *recordings_;
  }

  Result<FigureValue> of_recording(const FigureSpec& spec) {
    if (spec.what != "ms" && spec.what != "tflops")
      return unknown(spec, "figure of a recording", {"ms", "tflops"});
    const catalog::Problem& problem = spec.experiment.problem;
    const std::string id = spec.variant.empty() ? spec.experiment.kernel : spec.variant;
    for (const experiment::RecordingFile& file : recordings().files)
      for (const experiment::Timings& run : file.recording) {
        const bool by_file = file.path.stem() == spec.device;
        if (!by_file && run.device.name != spec.device) continue;
        const catalog::Problem& p = run.problem;
        const bool sized = p.m == problem.m && p.n == problem.n && p.k == problem.k;
        if ((!sized && !(by_file && p.m == 0)) || run.l2_flushed) continue;
        for (const experiment::TimedVariant& variant : run.variants)
          if (variant.id == id && !variant.samples.empty() &&
              (!spec.variant.empty() || variant.toggles == spec.experiment.toggles))
            return recorded_value(spec, run, variant);
      }
    return fail("No recording of {} has {} at {} x {} x {}", spec.device, id, problem.m, problem.n,
                problem.k);
  }
  static Result<FigureValue> recorded_value(const FigureSpec& spec, const experiment::Timings& run,
                                            const experiment::TimedVariant& variant) {
    const double ms = experiment::median_ms(variant);
    const std::string source =
        run.date.empty() ? run.device.name : fmt::format("{}, {}", run.device.name, run.date);
    if (spec.what == "ms") return FigureValue{ms, Origin::recorded, source};
    const double flops = experiment::flops(run, variant);
    if (flops == 0) return fail("The recording does not state the sizes, so there is no TFLOP/s");
    return FigureValue{flops / ms / 1e9, Origin::recorded, source};
  }

  Result<FigureValue> of_model(const FigureSpec& spec, const std::atomic<bool>* cancelled) {
    const auto device = experiment::find_device(spec.device);
    if (!device) return fail("{}", device.error().message);
    Experiment e = spec.experiment;
    e.arch = experiment::arch_of(*device);
    if (is_latency_name(spec.what)) return of_latency(spec, e, *device, cancelled);
    const std::string key = spec.device + "|" + run_key(e);
    const Result<experiment::ModelReport>* report = models_.find(key);
    if (report == nullptr) {
      const auto& code = compiled(e);
      if (!code) return fail("{}", code.error().message);
      auto outcome = experiment::report_model(**code, e, *device, cancelled);
      if (cancelled != nullptr && cancelled->load()) return fail("Cancelled");
      auto kept = outcome ? without_trace(**outcome) : fail("{}", outcome.error().message);
      const size_t bytes = kept ? sizeof(*kept) + kept->launches.size() * sizeof(kept->launches[0])
                                : kept.error().message.size();
      report = &models_.add(key, std::move(kept), bytes);
    }
    if (!*report) return tl::unexpected(report->error());
    const auto value = modelled_figure(**report, spec.what);
    if (!value) return unknown(spec, "figure of the model", modelled_names());
    return FigureValue{*value, Origin::modelled, fmt::format("model of {}", device->name)};
  }

  // The trace that was replayed takes many megabytes, and no figure needs it.
  static Result<experiment::ModelReport> without_trace(experiment::ModelReport report) {
    report.sample = nullptr;
    return report;
  }

  Result<FigureValue> of_device(const FigureSpec& spec) {
    if (spec.needs.contains("capability")) {
      const metrics::SmLimits* limits = limits_of(need(spec, "capability", 0));
      const auto value = limits == nullptr ? std::nullopt : limit_figure(*limits, spec.what);
      if (value) return FigureValue{*value, Origin::stated, "CUDA C++ Programming Guide"};
      return fail("\"{}\" of capability {} is not known", spec.what, need(spec, "capability", 0));
    }
    const auto device = experiment::find_device(spec.device);
    if (!device) return fail("{}", device.error().message);
    if (const sm::Parameter* parameter = sm::find_parameter(spec.what))
      return FigureValue{(*device).*(parameter->value), Origin::stated, device->name};
    const metrics::SmLimits* limits = metrics::sm_limits(device->compute_capability);
    const auto value = limits == nullptr ? std::nullopt : limit_figure(*limits, spec.what);
    if (!value) return fail("\"{}\" is no parameter of {}", spec.what, device->name);
    return FigureValue{*value, Origin::stated, device->name};
  }

  catalog::Catalog catalog_;
  static constexpr size_t kOpcodeBytes = 96;  // an entry of CounterSummary::by_opcode
  ByteCache<Outcome<experiment::CompiledKernel>> compiled_;
  ByteCache<Result<metrics::CounterSummary>> grids_;
  ByteCache<Result<experiment::ModelReport>> models_;  // without their samples
  ByteCache<BlockFigures> blocks_;
  // A few bytes each.
  std::map<std::string, std::optional<double>> shares_;
  std::map<std::string, Result<double>> latencies_;
  std::optional<experiment::Recordings> recordings_;
  std::optional<KeptFigures> kept_;
};

FigureEvaluator::FigureEvaluator(catalog::Catalog catalog, size_t most_bytes)
    : results_(std::make_unique<Results>(std::move(catalog), most_bytes)) {}
FigureEvaluator::~FigureEvaluator() = default;
size_t FigureEvaluator::bytes() const { return results_->bytes(); }

Result<FigureValue> value_of(const std::string& formula, const FigureValues& values) {
  const auto names = names_in(formula);
  if (!names) return tl::unexpected(names.error());
  std::map<std::string, double> numbers;
  FigureValue result;
  for (const std::string& name : *names) {
    const auto found = values.find(name);
    if (found == values.end()) return fail("\"{}\" names no figure of the page: {}", formula, name);
    if (!found->second) return tl::unexpected(found->second.error());
    const FigureValue& figure = *found->second;
    numbers[name] = figure.value;
    if (figure.origin > result.origin || result.source.empty()) result.source = figure.source;
    result.origin = std::max(result.origin, figure.origin);
  }
  const auto value = compute(formula, numbers);
  if (!value) return tl::unexpected(value.error());
  result.value = *value;
  return result;
}

FigureValues FigureEvaluator::evaluate(const Page& page, const std::atomic<bool>* cancelled) {
  FigureValues values;
  for (const FigureSpec& spec : page.figures)
    if (spec.kind != FigureKind::formula) values.emplace(spec.name, results_->value(spec, cancelled));
  // Formulas may use formulas: in each round those that have all their figures are computed.
  std::vector<const FigureSpec*> open;
  for (const FigureSpec& spec : page.figures)
    if (spec.kind == FigureKind::formula) open.push_back(&spec);
  const auto waits = [&](const FigureSpec* spec) {
    const auto names = names_in(spec->what);
    return names && std::ranges::any_of(*names, [&](const std::string& name) {
             return std::ranges::any_of(open, [&](const FigureSpec* other) { return other->name == name; });
           });
  };
  while (!open.empty()) {
    const auto ready = std::ranges::find_if_not(open, waits);
    const FigureSpec* spec = ready == open.end() ? open.front() : *ready;
    values.emplace(spec->name, ready == open.end()
                                   ? Result<FigureValue>(fail("\"{}\" refers to itself", spec->what))
                                   : value_of(spec->what, values));
    std::erase(open, spec);
  }
  return values;
}

}  // namespace gemmscope::lessons
