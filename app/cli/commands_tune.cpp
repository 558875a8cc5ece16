// tune: searches the fastest variants of kernels. The model prunes, the GPU decides.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "catalog/by_size.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "cli/measuring.h"
#include "cli/model_parameters.h"
#include "cli/output.h"
#include "cli/tune_output.h"
#include "cuda_text/source_text.h"
#include "experiment/devices.h"
#include "experiment/gpu_timing_device.h"
#include "experiment/recorded_time.h"
#include "own_kernel/open_kernel.h"

namespace gemmscope::cli {
namespace {

using experiment::TimedKernel;
using experiment::TuneSpace;
using nlohmann::json;

constexpr int kInterrupted = 130;  // as a shell has it for Ctrl+C

std::atomic<bool> interrupted{false};

// While it lives, the first Ctrl+C asks the search to stop; the second ends the program as ever.
class InterruptHandler {
 public:
  InterruptHandler() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_[0]);
    sigaction(SIGTERM, &action, &before_[1]);
  }
  ~InterruptHandler() {
    sigaction(SIGINT, &before_[0], nullptr);
    sigaction(SIGTERM, &before_[1], nullptr);
  }
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

 private:
  struct sigaction before_[2]{};
};

// "STAGES" or "STAGES=2,3".
Result<experiment::AllowedValues> parse_space(const std::string& text) {
  const size_t equals = text.find('=');
  experiment::AllowedValues allowed{text.substr(0, equals), {}};
  if (allowed.toggle.empty()) return fail("--space {}: expected NAME or NAME=V1,V2", text);
  if (equals == std::string::npos) return allowed;
  for (const std::string& word : cuda_text::split_arguments(text.substr(equals + 1))) {
    int64_t value = 0;
    const char* const end = word.data() + word.size();
    if (const auto [stop, error] = std::from_chars(word.data(), end, value);
        error != std::errc{} || stop != end)
      return fail("--space {}: \"{}\" is not a whole number", text, word);
    allowed.values.push_back(value);
  }
  if (allowed.values.empty()) return fail("--space {}: expected values after the =", text);
  return allowed;
}

Result<TimedKernel> parse_kernel(const catalog::Catalog& catalog, const std::string& text) {
  if (!own_kernel::is_kernel_file(text)) return parse_kernel_choice(catalog, "tune", text);
  Result<catalog::Kernel> kernel = own_kernel::open_kernel(text, {});
  if (!kernel) return tl::unexpected(kernel.error());
  return TimedKernel{*std::move(kernel), {}};
}

// What is asked for, read and checked.
struct Plan {
  std::vector<catalog::Problem> sizes;
  std::vector<TimedKernel> kernels;
  std::vector<experiment::AllowedValues> space;
  sm::SmConfig device;
  Result<experiment::TimedDevice> gpu = fail("");  // or why there is none

  isa::Arch arch() const { return experiment::arch_of(device); }
};

Result<void> check_space(const Plan& plan) {
  for (const experiment::AllowedValues& allowed : plan.space)
    if (std::ranges::none_of(plan.kernels, [&](const TimedKernel& kernel) {
          return std::ranges::find(kernel.kernel.toggles, allowed.toggle, &catalog::Toggle::name) !=
                 kernel.kernel.toggles.end();
        }))
      return fail("--space {}: no kernel that is tuned has this toggle", allowed.toggle);
  return {};
}

Result<Plan> read_plan(const TuneOptions& options) {
  Plan plan;
  for (const std::string& text : options.sizes) {
    const auto size = parse_size(text);
    if (!size) return tl::unexpected(size.error());
    plan.sizes.push_back(*size);
  }
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const std::string& text :
       options.kernels.empty() ? std::vector<std::string>{"workbench"} : options.kernels) {
    Result<TimedKernel> kernel = parse_kernel(catalog, text);
    if (!kernel) return tl::unexpected(kernel.error());
    if (std::ranges::any_of(plan.kernels,
                            [&](const TimedKernel& k) { return k.kernel.id == kernel->kernel.id; }))
      return fail("tune {}: {} is given twice", text, kernel->kernel.id);
    plan.kernels.push_back(*std::move(kernel));
  }
  for (const std::string& text : options.space) {
    auto allowed = parse_space(text);
    if (!allowed) return tl::unexpected(allowed.error());
    plan.space.push_back(*std::move(allowed));
  }
  if (auto checked = check_space(plan); !checked) return tl::unexpected(checked.error());
  return plan;
}

// The values that --space allows this kernel's toggles.
Result<std::vector<experiment::AllowedValues>> space_of(const Plan& plan, const catalog::Kernel& kernel) {
  std::vector<experiment::AllowedValues> mine;
  for (const experiment::AllowedValues& allowed : plan.space)
    if (std::ranges::find(kernel.toggles, allowed.toggle, &catalog::Toggle::name) != kernel.toggles.end())
      mine.push_back(allowed);
  if (mine.empty() && !plan.space.empty()) return fail("--space: {} has none of these toggles", kernel.id);
  return mine;
}

Result<TuneSpace> make_space(const Plan& plan, const TimedKernel& kernel, const catalog::Problem& size) {
  const auto allowed = space_of(plan, kernel.kernel);
  if (!allowed) return tl::unexpected(allowed.error());
  if (const auto values = catalog::expression_values(kernel.kernel, size, kernel.toggles); !values)
    return tl::unexpected(values.error());
  experiment::Experiment around;
  around.kernel = kernel.kernel.id;
  around.problem = size;
  around.toggles = kernel.toggles;
  around.arch = plan.arch();
  return experiment::make_tune_space(kernel.kernel, std::move(around), *allowed);
}

Result<experiment::TimedDevice> find_gpu(const TuneOptions& options) {
  if (options.no_gpu) return fail("--no-gpu");
  auto device = experiment::make_gpu_timing_device(options.runner);
  if (!device) return tl::unexpected(device.error());
  return described(**device);
}

// --device, or the GPU's own where the model knows it.
tl::expected<sm::SmConfig, ChoiceError> device_of(const ModelOptions& model,
                                                  const Result<experiment::TimedDevice>& gpu) {
  std::string name = "h200";
  if (gpu) {
    const sm::DeviceList devices = experiment::shipped_devices();
    if (const sm::SmConfig* same = experiment::device_named(devices, gpu->name)) name = same->id;
  }
  return choose_device(model, name);
}

// One line on a terminal, which is written over; elsewhere a line now and then.
class Progress {
 public:
  void show(const experiment::TuneResult& result, double seconds_left) {
    const double between = terminal_ ? 0 : 10;
    if (result.seconds - last_ < between && result.seconds > 0) return;
    last_ = result.seconds;
    const std::string of = result.legal ? fmt::format(" of {}", *result.legal) : "";
    const std::vector<size_t> order = experiment::ranking(result);
    const std::string best =
        order.empty() ? ""
                      : fmt::format(", best {:.4f} ms", result.entries[order.front()].price.milliseconds);
    fmt::print(stderr, "{}{}: {}{} modelled, at most {:.0f} s left{}{}", terminal_ ? "\r" : "", result.kernel,
               result.entries.size(), of, seconds_left, best, terminal_ ? "\x1b[K" : "\n");
  }
  void end() const {
    if (terminal_) fmt::print(stderr, "\n");
  }

 private:
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  double last_ = 0;
};

struct Searched {
  std::vector<TuneReport> reports;  // one a size
  std::string trouble;
};

// What the table by size takes, if that kernel is tuned.
std::optional<experiment::VariantKey> by_size_of(const Plan& plan, const catalog::Problem& size) {
  const auto fastest = catalog::fastest_by_size(size);
  if (!fastest) return std::nullopt;
  for (const TimedKernel& kernel : plan.kernels)
    if (kernel.kernel.id == fastest->kernel)
      return experiment::VariantKey{fastest->kernel,
                                    experiment::changed_toggles(kernel.kernel, fastest->toggles)};
  return std::nullopt;
}

// What is measured however slow: each kernel as given, where it can be launched, and the table's choice.
std::vector<experiment::VariantKey> always_measured(const Plan& plan, const TuneReport& report) {
  std::vector<experiment::VariantKey> always;
  for (const TimedKernel& kernel : plan.kernels)
    if (catalog::launches_for(kernel.kernel, report.problem, kernel.toggles, isa::sm_number(plan.arch())))
      always.push_back({kernel.kernel.id, experiment::changed_toggles(kernel.kernel, kernel.toggles)});
  if (report.by_size) always.push_back(*report.by_size);
  return always;
}

Searched search_all(const Plan& plan, const TuneOptions& options, experiment::TuneState& state) {
  Searched found;
  const auto start = std::chrono::steady_clock::now();
  size_t left = plan.sizes.size() * plan.kernels.size();
  for (const catalog::Problem& size : plan.sizes) {
    TuneReport& report = found.reports.emplace_back();
    report.problem = size;
    report.by_size = by_size_of(plan, size);
    for (const TimedKernel& kernel : plan.kernels) {
      const Result<TuneSpace> space = make_space(plan, kernel, size);  // was checked before
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      Progress progress;
      experiment::TuneOptions run;
      run.threads = options.threads;
      run.most_seconds = std::max(0.0, options.seconds - spent.count()) / static_cast<double>(left--);
      run.cancelled = &interrupted;
      if (report.by_size && report.by_size->kernel == kernel.kernel.id) run.also = {report.by_size->toggles};
      run.progress = [&](const auto& result, double seconds) { progress.show(result, seconds); };
      report.searches.push_back(
          experiment::run_tune(*space, experiment::modelled_price(*space, plan.device), state, run));
      progress.end();
      if (found.trouble.empty()) found.trouble = report.searches.back().trouble;
      if (interrupted || !found.trouble.empty()) return found;
    }
  }
  return found;
}

experiment::TimingJob job_of(const Plan& plan, const TuneOptions& options, const TuneReport& report) {
  experiment::TimingJob job;
  job.problem = report.problem;
  job.options.samples_wanted = static_cast<size_t>(options.samples);
  for (const experiment::TunedVariant& variant : report.variants)
    for (const TimedKernel& kernel : plan.kernels)
      if (kernel.kernel.id == variant.key.kernel)
        job.variants.push_back({kernel.kernel, variant.key.toggles});
  return job;
}

// Whether an earlier run measured all that is wanted now.
bool has_all(const experiment::Timings& timings, const experiment::TimingJob& job) {
  return std::ranges::all_of(job.variants, [&](const TimedKernel& wanted) {
    return std::ranges::any_of(timings.variants, [&](const experiment::TimedVariant& v) {
      return v.id == wanted.kernel.id && v.toggles == wanted.toggles &&
             (!v.trouble.empty() || v.samples.size() >= job.options.samples_wanted);
    });
  });
}

// One process measures all sizes. Errors: the GPU failed, the state cannot be written. Nothing: interrupted.
Result<std::optional<experiment::Recording>> measure_process(int process, const Plan& plan,
                                                             const TuneOptions& options,
                                                             const std::vector<TuneReport>& reports,
                                                             experiment::TuneState& state) {
  experiment::Recording recording;
  std::unique_ptr<experiment::TimingDevice> device;
  std::unique_ptr<experiment::TimingRun> run;
  for (const TuneReport& report : reports) {
    experiment::TimingJob job = job_of(plan, options, report);
    if (const experiment::Timings* known = state.measured(process, report.problem);
        known != nullptr && has_all(*known, job)) {
      recording.push_back(*known);
      continue;
    }
    if (device == nullptr) {
      auto made = experiment::make_gpu_timing_device(options.runner);
      if (!made) return tl::unexpected(made.error());
      device = *std::move(made);
    }
    recording.push_back(measure_size(*device, std::move(job), options.command, interrupted, run));
    if (interrupted) return std::nullopt;
    if (!recording.back().trouble.empty()) return fail("{}", recording.back().trouble);
    if (const auto kept = state.add_measured(process, recording.back()); !kept)
      return tl::unexpected(kept.error());
  }
  return recording;
}

// Fills in the reports' timings and writes the recording of the processes that came to their end. Errors:
// those of measure_process; nothing could be timed; the recording cannot be written.
Result<void> measure_all(const Plan& plan, const TuneOptions& options, std::vector<TuneReport>& reports,
                         experiment::TuneState& state) {
  experiment::Recording recording;
  std::optional<Error> trouble;
  for (int process = 0; process < options.processes && !interrupted && !trouble; ++process) {
    auto measured = measure_process(process, plan, options, reports, state);
    if (!measured)
      trouble = measured.error();
    else if (*measured)
      append_samples(**std::move(measured), recording);
  }
  for (size_t i = 0; i < recording.size(); ++i) reports[i].timings = recording[i];
  if (trouble) return tl::unexpected(*trouble);
  if (std::ranges::none_of(recording, has_samples))
    return interrupted ? Result<void>() : fail("nothing could be timed, so no recording was written");
  return experiment::write_recording(options.output, recording);
}

std::string origin_text(const Plan& plan) {
  if (plan.gpu) return fmt::format("measured on {}, modelled for {}", plan.gpu->name, plan.device.name);
  return fmt::format("modelled for {}, no GPU: {}", plan.device.name, plan.gpu.error().message);
}

void print_reports(const Plan& plan, const TuneOptions& options, const std::vector<TuneReport>& reports,
                   const std::filesystem::path& state) {
  if (options.json) {
    json sizes = json::array();
    for (const TuneReport& report : reports) sizes.push_back(tune_report_json(report));
    return print_json({{"device", plan.device.name},
                       {"gpu", plan.gpu ? json(plan.gpu->name) : json(nullptr)},
                       {"no_gpu_because", plan.gpu ? json(nullptr) : json(plan.gpu.error().message)},
                       {"origin", origin_text(plan)},
                       {"sizes", sizes},
                       {"interrupted", interrupted.load()},
                       {"state", state.string()}});
  }
  for (size_t i = 0; i < reports.size(); ++i) {
    if (i > 0) fmt::print("\n");
    print_tune_report(reports[i], origin_text(plan));
  }
}

bool has_times(const std::vector<TuneReport>& reports) {
  return std::ranges::all_of(reports, [](const TuneReport& report) {
    return std::ranges::any_of(report.searches, [](const experiment::TuneResult& search) {
      return !experiment::ranking(search).empty();
    });
  });
}

int finish(const Plan& plan, const TuneOptions& options, const std::vector<TuneReport>& reports,
           const std::filesystem::path& state, const Result<void>& measured) {
  print_reports(plan, options, reports, state);
  if (interrupted) {
    print_note(fmt::format("interrupted; the same command with --resume goes on from {}", state.string()));
    return kInterrupted;
  }
  if (!measured) return print_error(measured.error().message);
  if (!has_times(reports)) return print_error("no variant has a modelled time at one of the sizes");
  if (plan.gpu) {
    if (!options.json) fmt::print("\nwritten to {}\n", options.output);
    std::error_code error;
    std::filesystem::remove(state, error);
    return 0;
  }
  if (!options.json)
    fmt::print("\nkept in {}: --resume goes on with it, there or on a computer with a GPU\n", state.string());
  if (!options.runner.empty() && !options.no_gpu) return print_error(plan.gpu.error().message);
  return 0;
}

}  // namespace

int tune_kernels(const TuneOptions& options, const ModelOptions& model) {
  Result<Plan> plan = read_plan(options);
  if (!plan) return print_error(plan.error().message), kBadUse;
  if (const auto device = choose_device(model, "h200"); !device)
    return print_error(device.error().message), device.error().exit_code;
  plan->gpu = find_gpu(options);
  plan->device = *device_of(model, plan->gpu);
  for (const catalog::Problem& size : plan->sizes)
    for (const TimedKernel& kernel : plan->kernels)
      if (const auto space = make_space(*plan, kernel, size); !space)
        return print_error(space.error().message), kBadUse;
  Result<experiment::TuneState> state =
      experiment::TuneState::open(options.output + ".state", options.resume, plan->device);
  if (!state) return print_error(state.error().message);
  for (const TimedKernel& kernel : plan->kernels)
    if (const auto known = state->add_kernel(kernel.kernel); !known)
      return print_error(known.error().message);
  const InterruptHandler handler;
  Searched found = search_all(*plan, options, *state);
  for (TuneReport& report : found.reports)
    report.variants = experiment::choose_to_measure(report.searches, always_measured(*plan, report),
                                                    {.keep = options.keep, .within = options.within});
  Result<void> measured;
  if (!found.trouble.empty())
    measured = fail("{}", found.trouble);
  else if (plan->gpu && !interrupted)
    measured = measure_all(*plan, options, found.reports, *state);
  return finish(*plan, options, found.reports, state->path(), measured);
}

}  // namespace gemmscope::cli
