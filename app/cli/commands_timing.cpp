// record and recordings: measures times on a GPU, and prints those of files.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/by_size.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/timing_table.h"
#include "experiment/gpu_timing_device.h"
#include "experiment/measure_rates.h"
#include "experiment/timing_run.h"

namespace gemmscope::cli {
namespace {

using experiment::TimingRun;

// Adds the kernel with its default toggles and, on request, with each other value of each toggle.
void add_choices(const catalog::Kernel& kernel, bool all_toggles,
                 std::vector<experiment::TimedKernel>& choices) {
  choices.push_back({kernel, {}});
  if (!all_toggles) return;
  for (const catalog::Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values)
      if (value != toggle.default_value) choices.push_back({kernel, {{toggle.name, value}}});
}

Result<std::vector<experiment::TimedKernel>> choose(const catalog::Catalog& catalog,
                                                    const RecordOptions& options) {
  std::vector<experiment::TimedKernel> choices;
  for (const std::string& id : options.only)
    if (id != catalog::kBySize && catalog.find(id) == nullptr)
      return no_such_kernel(catalog, "--only " + id, id);
  for (const catalog::Kernel& kernel : catalog.kernels)
    if (options.only.empty() || std::count(options.only.begin(), options.only.end(), kernel.id) > 0)
      add_choices(kernel, options.all_toggles, choices);
  for (const std::string& text : options.also) {
    if (text == catalog::kBySize) continue;  // it depends on the size: add_by_size
    Result<experiment::TimedKernel> choice = parse_kernel_choice(catalog, "--also", text);
    if (!choice) return tl::unexpected(choice.error());
    choices.push_back(*std::move(choice));
  }
  return choices;
}

bool wants_by_size(const RecordOptions& options) {
  const auto names_it = [](const std::string& text) { return text == catalog::kBySize; };
  return std::ranges::any_of(options.only, names_it) || std::ranges::any_of(options.also, names_it);
}

// Adds what the table by size takes, unless it is there already.
void add_by_size(const catalog::Catalog& catalog, const catalog::Problem& size,
                 std::vector<experiment::TimedKernel>& choices) {
  const Result<catalog::SizedVariant> fastest = catalog::fastest_by_size(size);
  const catalog::Kernel* const kernel = fastest ? catalog.find(fastest->kernel) : nullptr;
  if (kernel == nullptr) {
    fmt::print(stderr, "  {}: {}\n", catalog::kBySize,
               fastest ? "there is no kernel " + fastest->kernel : fastest.error().message);
    return;
  }
  experiment::TimedKernel choice{*kernel, {}};
  for (const catalog::Toggle& toggle : kernel->toggles)
    if (const auto value = fastest->toggles.find(toggle.name);
        value != fastest->toggles.end() && value->second != toggle.default_value)
      choice.toggles.insert(*value);
  const bool known = std::ranges::any_of(choices, [&](const experiment::TimedKernel& other) {
    return other.kernel.id == kernel->id && other.toggles == choice.toggles;
  });
  if (!known) choices.push_back(std::move(choice));
}

// Prints what was measured, and why something was not.
experiment::MeasuredRates measure_bandwidth(experiment::TimingDevice& device) {
  constexpr size_t kSamples = 20;
  const std::atomic<bool> cancelled{false};
  fmt::print(stderr, "bandwidth\n");
  experiment::MeasuredRates rates =
      experiment::measure_rates(device, experiment::compile_kernel, kSamples, cancelled);
  if (rates.l2_gb_per_second > 0) fmt::print(stderr, "  L2: {:.0f} GB/s\n", rates.l2_gb_per_second);
  if (rates.l1_gb_per_second > 0) fmt::print(stderr, "  L1 + shared: {:.0f} GB/s\n", rates.l1_gb_per_second);
  for (const std::string& trouble : rates.troubles) fmt::print(stderr, "  {}\n", trouble);
  return rates;
}

// Measures one size after the other, until the device fails.
experiment::Recording measure(experiment::TimingDevice& device, const std::vector<catalog::Problem>& sizes,
                              const catalog::Catalog& catalog,
                              const std::vector<experiment::TimedKernel>& choices,
                              const RecordOptions& options) {
  const std::atomic<bool> cancelled{false};
  const experiment::MeasuredRates rates = measure_bandwidth(device);
  experiment::Recording recording;
  std::unique_ptr<TimingRun> run;
  for (const catalog::Problem& size : sizes) {
    experiment::TimingJob job;
    job.variants = choices;
    if (wants_by_size(options)) add_by_size(catalog, size, job.variants);
    job.problem = size;
    job.options.samples_wanted = static_cast<size_t>(options.samples);
    job.options.flush_l2 = options.flush_l2;
    recording.push_back(measure_size(device, std::move(job), options.command, cancelled, run));
    experiment::set_rates(recording.back().device, rates);
    if (!recording.back().trouble.empty()) break;
  }
  return recording;
}

// Adds the bandwidths to every run of a recording of this GPU.
int record_bandwidth(const RecordOptions& options) {
  Result<experiment::Recording> recording = experiment::read_recording(options.rates_into);
  if (!recording) return print_error(recording.error().message);
  Result<std::unique_ptr<experiment::TimingDevice>> device =
      experiment::make_gpu_timing_device(options.runner);
  if (!device) return print_error(device.error().message);
  const Result<experiment::TimedDevice> facts = described(**device);
  if (!facts) return print_error(facts.error().message);
  for (const experiment::Timings& run : *recording)
    if (run.device.name != facts->name)
      return print_error(fmt::format("{} was recorded on {}, but this GPU is {}: nothing was changed",
                                     options.rates_into, run.device.name, facts->name));
  const experiment::MeasuredRates rates = measure_bandwidth(**device);
  for (experiment::Timings& run : *recording) experiment::set_rates(run.device, rates);
  if (const auto written = experiment::write_recording(options.rates_into, *recording); !written)
    return print_error(written.error().message);
  fmt::print("written to {}\n", options.rates_into);
  return rates.troubles.empty() ? 0 : kFailed;
}

}  // namespace

int record_timings(const RecordOptions& options) {
  if (!options.rates_into.empty()) return record_bandwidth(options);
  std::vector<catalog::Problem> sizes;
  for (const std::string& text : options.sizes) {
    const Result<catalog::Problem> size = parse_size(text);
    if (!size) return print_error(size.error().message), kBadUse;
    sizes.push_back(*size);
  }
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const Error& error : catalog.errors) print_error(error.message);
  const auto choices = choose(catalog, options);
  if (!choices) return print_error(choices.error().message), kBadUse;
  experiment::Recording recording;
  for (int process = 0; process < options.processes; ++process) {
    Result<std::unique_ptr<experiment::TimingDevice>> device =
        experiment::make_gpu_timing_device(options.runner);
    if (!device) return print_error(device.error().message);
    append_samples(measure(**device, sizes, catalog, *choices, options), recording);
    if (!recording.back().trouble.empty()) break;
  }
  const std::string trouble = recording.back().trouble;
  if (!has_samples(recording.back())) recording.pop_back();
  if (recording.empty())
    return print_error(trouble.empty() ? "nothing could be timed, so no recording was written" : trouble);
  if (const auto written = experiment::write_recording(options.output, recording); !written)
    return print_error(written.error().message);
  for (const experiment::Timings& run : recording) fmt::print("{}\n", timing_table(run));
  fmt::print("written to {}\n", options.output);
  if (!trouble.empty()) return print_error(trouble);
  return catalog.errors.empty() ? 0 : kFailed;
}

int show_recording(const std::string& path, bool markdown) {
  Result<experiment::Recording> recording = experiment::read_recording(path);
  if (!recording) return print_error(recording.error().message);
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const std::string& change : experiment::renumber_kernels(*recording, catalog)) print_note(change);
  if (markdown) return fmt::print("{}", timing_markdown(*recording)), 0;
  for (size_t i = 0; i < recording->size(); ++i)
    fmt::print("{}{}", i == 0 ? "" : "\n", timing_table((*recording)[i]));
  return 0;
}

int list_recordings() {
  const experiment::Recordings found = experiment::read_recordings(experiment::recordings_folder());
  for (const experiment::RecordingFile& file : found.files) {
    std::string runs;
    for (const experiment::Timings& run : file.recording) {
      const catalog::Problem& p = run.problem;
      const std::string size = p.m > 0 ? fmt::format("{}x{}x{}", p.m, p.n, p.k) : "";
      runs += fmt::format("{}{}{}", runs.empty() ? "" : ", ", run.title, size);
    }
    const experiment::Timings first = file.recording.empty() ? experiment::Timings{} : file.recording.front();
    fmt::print("{:<34} {:<26} {:<10} {}\n", file.path.filename().string(), first.device.name,
               first.date.empty() ? "published" : first.date, runs);
  }
  for (const Error& error : found.errors) print_error(error.message);
  return found.errors.empty() ? 0 : kFailed;
}

}  // namespace gemmscope::cli
