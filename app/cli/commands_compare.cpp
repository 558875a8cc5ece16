// compare: the table of what changed between two experiments, as the window shows it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/model_parameters.h"
#include "cli/with_compiled.h"
#include "experiment/devices.h"
#include "experiment/grid_sampling.h"
#include "experiment/model_report.h"
#include "experiment/recording.h"
#include "experiment/worker.h"
#include "scenes/comparison.h"
#include "scenes/key_times.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;
using scenes::Comparison;

// All results of one side.
struct Side {
  ChosenExperiment chosen;
  std::shared_ptr<const experiment::BlockResult> block;
  std::shared_ptr<const experiment::GridResult> grid;
  std::shared_ptr<const experiment::TimingSample> sample;
  std::shared_ptr<const experiment::ModelledTime> modelled;
  sm::SmConfig device;
  std::string no_model;
};

// B's options: those of A where --with-… does not say otherwise. Another kernel begins with its defaults.
ExperimentOptions options_of_b(const ExperimentOptions& a, const CompareOptions& compare) {
  ExperimentOptions b = a;
  if (!compare.kernel.empty() && compare.kernel != a.kernel) {
    b.kernel = compare.kernel;
    b.toggles.clear();
    b.inputs.clear();
    b.block.clear();
    b.launch = 1;
    b.entry.clear(), b.block_dim.clear(), b.grid_dim.clear(), b.shared.clear();
    b.defines.clear(), b.parameters.clear();
    b.column_major = false;
  }
  b.toggles.insert(b.toggles.end(), compare.toggles.begin(), compare.toggles.end());
  b.inputs.insert(b.inputs.end(), compare.inputs.begin(), compare.inputs.end());
  b.m = compare.m.value_or(a.m);
  b.n = compare.n.value_or(a.n);
  b.k = compare.k.value_or(a.k);
  if (!compare.arch.empty()) b.arch = compare.arch, b.arch_given = true;
  return b;
}

// The device whose SM is modelled, and then its machine code unless --arch is given.
tl::expected<sm::SmConfig, ChoiceError> device_named(const std::string& name, ExperimentOptions& options) {
  ModelOptions model;
  model.device = name;
  auto device = choose_device(model, name);
  if (device) use_arch_of(*device, options);
  return device;
}

void model_side(Side& side) {
  auto sample = experiment::sample_model(*side.block->compiled, side.chosen.experiment, side.device);
  if (!sample) return void(side.no_model = sample.error().message);
  auto time = experiment::model_time(**sample, side.device);
  if (!time) return void(side.no_model = time.error().message);
  side.sample = *std::move(sample);
  side.modelled = *std::move(time);
}

// Executes and models one side; without a device, on that of the architecture, as in the window. Errors are
// printed.
tl::expected<Side, int> run_side(ExperimentOptions options, const std::string& device) {
  Side side;
  if (!device.empty()) {
    auto config = device_named(device, options);
    if (!config) return tl::unexpected((print_error(config.error().message), config.error().exit_code));
    side.device = *std::move(config);
  }
  int code = with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    side.chosen = chosen;
    if (device.empty()) {
      auto config = experiment::choose_device(experiment::shipped_devices(), chosen.experiment.arch);
      if (!config) return print_error(config.error().message), kFailed;
      side.device = *std::move(config);
    }
    auto block = experiment::run_block(compiled, chosen.experiment, nullptr);
    if (!block) return print_failure(block.error());
    side.block = *std::move(block);
    auto grid =
        experiment::count_grid(compiled, chosen.experiment, {}, experiment::kAutomaticGridInstructions);
    if (!grid) return print_failure(grid.error());
    side.grid = *std::move(grid);
    model_side(side);
    return 0;
  });
  if (code != 0) return tl::unexpected(code);
  return side;
}

std::vector<experiment::Timings> all_recordings() {
  std::vector<experiment::Timings> all;
  for (const auto& file : experiment::read_recordings(experiment::recordings_folder()).files)
    all.insert(all.end(), file.recording.begin(), file.recording.end());
  return all;
}

scenes::ComparedSide compared(const Side& side, const std::vector<experiment::Timings>& recordings) {
  return {side.block.get(),
          side.grid.get(),
          side.sample.get(),
          side.modelled.get(),
          &side.device,
          side.no_model,
          scenes::timed_of(*side.block, nullptr, recordings)};
}

json value_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

constexpr const char* kVerdicts[] = {"worse", "", "better"};

json comparison_json(const Comparison& comparison, const Side& a, const Side& b) {
  json rows = json::array();
  for (const scenes::CompareRow& row : comparison.rows)
    rows.push_back({{"group", scenes::compare_group_name(row.group)},
                    {"id", row.id},
                    {"name", row.name},
                    {"a", value_json(row.change.before)},
                    {"b", value_json(row.change.now)},
                    {"a_text", row.a},
                    {"b_text", row.b},
                    {"factor", row.factor},
                    {"verdict", kVerdicts[row.verdict + 1]},
                    {"note", row.note}});
  const auto side = [](const Side& of, const std::string& name) {
    json result = {{"name", name}, {"experiment", experiment_json(of.chosen.experiment)}};
    result["device"] = of.device.name;
    if (!of.no_model.empty()) result["not_modelled"] = of.no_model;
    return result;
  };
  return {{"a", side(a, comparison.a)},
          {"b", side(b, comparison.b)},
          {"headline", comparison.headline},
          {"reason", comparison.reason},
          {"basis", comparison.basis},
          {"caution", comparison.caution},
          {"rows", rows}};
}

void print_comparison(const Comparison& comparison) {
  fmt::print("A  {}\nB  {}\n\n{}.\n", comparison.a, comparison.b, comparison.headline);
  for (const std::string* text : {&comparison.caution, &comparison.reason})
    if (!text->empty()) fmt::print("{}\n", *text);
  fmt::print("\n{:<34} {:>14} {:>14} {:>8}\n", comparison.basis, "A", "B", "");
  std::optional<scenes::CompareGroup> group;
  for (const scenes::CompareRow& row : comparison.rows) {
    if (group != row.group) fmt::print("{}\n", scenes::compare_group_name(row.group));
    group = row.group;
    const std::string line = fmt::format("  {:<32} {:>14} {:>14} {:>8} {:<6}  {}", row.name, row.a, row.b,
                                         row.factor, kVerdicts[row.verdict + 1], row.note);
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace

int compare_kernels(const ExperimentOptions& options, const CompareOptions& compare) {
  const bool device_differs = !compare.with_device.empty();
  const auto a = run_side(options, compare.device);
  if (!a) return a.error();
  const auto b =
      run_side(options_of_b(options, compare), device_differs ? compare.with_device : compare.device);
  if (!b) return b.error();
  const std::vector<experiment::Timings> recordings = all_recordings();
  const Comparison comparison = scenes::compare(compared(*a, recordings), compared(*b, recordings));
  if (options.json)
    print_json(comparison_json(comparison, *a, *b));
  else
    print_comparison(comparison);
  return 0;
}

}  // namespace gemmscope::cli
