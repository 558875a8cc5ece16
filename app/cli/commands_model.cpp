// time and stalls: the model's answer for a kernel, and its errors against a recording.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/accuracy_output.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/kernel_choice.h"
#include "cli/model_output.h"
#include "cli/model_parameters.h"
#include "cli/with_compiled.h"
#include "experiment/devices.h"
#include "scenes/text.h"
#include "sm/trace_event.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;
constexpr const char* kDefaultDevice = "h200";

int print_choice_error(const ChoiceError& error) { return print_error(error.message), error.exit_code; }

// Compiles the kernel for the device and passes its report to `use`.
template <typename F>
int with_report(ExperimentOptions options, const ModelOptions& model, F use) {
  const auto device = choose_device(model, kDefaultDevice);
  if (!device) return print_choice_error(device.error());
  use_arch_of(*device, options);
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    const auto report = experiment::report_model(*compiled, chosen.experiment, *device);
    if (!report) return print_failure(report.error());
    return use(**report, *compiled, chosen);
  });
}

int write_trace(const ModelReport& report, const experiment::CompiledKernel& compiled,
                const std::string& path) {
  const sm::SampledLaunch& launch = report.sample->launches[report.shown_launch];
  const auto timeline =
      sm::make_timeline(launch.deep, report.device, static_cast<uint32_t>(launch.deep.blocks.size()));
  if (!timeline) return print_error(timeline.error().message);
  std::vector<std::string> places;
  for (size_t i = 0; i < compiled.instructions.size(); ++i) places.push_back(scenes::place_text(compiled, i));
  std::ofstream file(path, std::ios::binary);
  sm::write_trace_events(file, *timeline, report.device, {compiled.kernel.id, compiled.text, places});
  file.close();
  if (!file) return print_error(fmt::format("--trace-event: {} cannot be written", path));
  print_note(
      fmt::format("written to {}: {} blocks; open it at ui.perfetto.dev, where a microsecond is a cycle",
                  path, timeline->blocks.size()));
  return 0;
}

// What the variant has that the other one has not: its toggles where both are one kernel, else its name.
std::string variant_name(const catalog::Kernel& kernel, const std::map<std::string, int64_t>& toggles,
                         const experiment::TimedKernel& other) {
  std::string name;
  for (const catalog::Toggle& toggle : kernel.toggles) {
    const auto value_in = [&](const std::map<std::string, int64_t>& values) {
      const auto found = values.find(toggle.name);
      return found == values.end() ? toggle.default_value : found->second;
    };
    const int64_t value = value_in(toggles);
    if (other.kernel.id != kernel.id || value == value_in(other.toggles)) continue;
    name += fmt::format("{}{}={}", name.empty() ? "" : ", ", toggle.name, value);
  }
  return name.empty() ? kernel.id : name;
}

std::optional<RecordedTime> recorded_time(const ModelReport& report, const ChosenExperiment& chosen) {
  if (!chosen.experiment.inputs.empty()) return std::nullopt;
  const experiment::Recordings recordings = experiment::read_recordings(experiment::recordings_folder());
  return experiment::find_recorded(
      recordings, report.device.name,
      {chosen.kernel.id, experiment::changed_toggles(chosen.kernel, chosen.experiment.toggles)},
      chosen.experiment.problem);
}

// The sentence on the way from the variant of --versus to this one, at the same size on the same device.
// Errors are printed.
tl::expected<std::string, int> difference_text(const ModelOptions& model, const ModelReport& report,
                                               const ChosenExperiment& chosen) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const auto choice = parse_kernel_choice(catalog, "--versus", model.versus);
  if (!choice) return tl::unexpected((print_error(choice.error().message), kBadUse));
  experiment::Experiment other = experiment::with_kernel(chosen.experiment, choice->kernel.id);
  other.toggles = choice->toggles;
  const auto compiled = experiment::compile_kernel(choice->kernel, other);
  if (!compiled) return tl::unexpected(print_failure(compiled.error()));
  const auto before = experiment::report_model(**compiled, other, report.device);
  if (!before) return tl::unexpected(print_failure(before.error()));
  return sm::explain_difference(variant_name(chosen.kernel, chosen.experiment.toggles, *choice),
                                (*before)->longest().figures, report.longest().figures);
}

int print_model(const ModelOptions& model, const ModelReport& report,
                const experiment::CompiledKernel& compiled, const ChosenExperiment& chosen, bool as_json) {
  const bool changed = !model.set.empty();
  const std::optional<RecordedTime> recorded = changed ? std::nullopt : recorded_time(report, chosen);
  std::string difference;
  if (!model.versus.empty()) {
    auto text = difference_text(model, report, chosen);
    if (!text) return text.error();
    difference = *std::move(text);
  }
  if (as_json) {
    json result = time_json(report, recorded);
    result["experiment"] = experiment_json(chosen.experiment);
    result["resources"] = resources_json(compiled.resources);
    result["device"] = device_json(report.device, model);
    if (!difference.empty()) result["difference"] = difference;
    print_json(result);
    return 0;
  }
  print_heading(compiled, chosen.experiment);
  print_time(report, recorded, changed);
  if (!difference.empty()) fmt::print("Against {}: {}\n", model.versus, difference);
  return 0;
}

// A file, or one that ships: "h200" is assets/recordings/h200.json.
Result<experiment::Recording> find_recording(const std::string& name) {
  if (std::filesystem::exists(name)) return experiment::read_recording(name);
  const std::filesystem::path shipped = experiment::recordings_folder() / name;
  for (const std::filesystem::path& path : {shipped, std::filesystem::path(shipped.string() + ".json")})
    if (std::filesystem::exists(path)) return experiment::read_recording(path);
  return fail("--recording {}: there is no such file, and no recording of this name ships with the program",
              name);
}

// The device of a recording, by its name.
std::string device_of(const experiment::Recording& recording) {
  const sm::DeviceList devices = experiment::shipped_devices();
  const sm::SmConfig* device =
      recording.empty() ? nullptr : experiment::device_named(devices, recording.front().device.name);
  return device == nullptr ? "" : device->id;
}

int compare_with_recording(const ModelOptions& model, bool as_json) {
  auto recording = find_recording(model.recording);
  if (!recording) return print_error(recording.error().message);
  const std::string own = device_of(*recording);
  if (model.device.empty() && own.empty())
    return print_error(fmt::format("no device file is for {}; choose one with --device",
                                   recording->empty() ? "this recording" : recording->front().device.name)),
           kBadUse;
  const auto device = choose_device(model, own);
  if (!device) return print_choice_error(device.error());
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const std::string& change : experiment::renumber_kernels(*recording, catalog)) print_note(change);
  experiment::AccuracyOptions options;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  options.progress = [&](size_t done, size_t total) {
    if (terminal) fmt::print(stderr, "\r{} of {} times modelled{}", done, total, done == total ? "\n" : "");
  };
  const auto entries = experiment::model_accuracy(*recording, catalog, *device, options);
  if (as_json) {
    json result = accuracy_json(entries);
    result["device"] = device_json(*device, model);
    print_json(result);
  } else {
    print_accuracy(entries, *device);
  }
  return experiment::summarize(entries).compared > 0 ? 0 : kFailed;
}

}  // namespace

int model_kernel(const ExperimentOptions& options, const ModelOptions& model) {
  if (model.parameters) {
    const auto device = choose_device(model, kDefaultDevice);
    if (!device) return print_choice_error(device.error());
    if (options.json)
      print_json(parameters_json(*device));
    else
      print_parameters(*device);
    return 0;
  }
  if (!model.recording.empty()) return compare_with_recording(model, options.json);
  return with_report(options, model,
                     [&](const ModelReport& report, const experiment::CompiledKernel& compiled,
                         const ChosenExperiment& chosen) {
                       const int code = print_model(model, report, compiled, chosen, options.json);
                       return code != 0 || model.trace_event.empty()
                                  ? code
                                  : write_trace(report, compiled, model.trace_event);
                     });
}

int model_stalls(const ExperimentOptions& options, const ModelOptions& model) {
  return with_report(options, model,
                     [&](const ModelReport& report, const experiment::CompiledKernel& compiled,
                         const ChosenExperiment& chosen) {
                       if (options.json) {
                         json result = stalls_json(report, compiled);
                         result["experiment"] = experiment_json(chosen.experiment);
                         result["device"] = device_json(report.device, model);
                         print_json(result);
                       } else {
                         print_heading(compiled, chosen.experiment);
                         print_stalls(report, compiled);
                       }
                       return model.trace_event.empty() ? 0
                                                        : write_trace(report, compiled, model.trace_event);
                     });
}

}  // namespace gemmscope::cli
