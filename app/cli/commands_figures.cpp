// figures: everything that is known of an experiment, as a table for a spreadsheet or a script.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/with_compiled.h"
#include "experiment/devices.h"
#include "experiment/recording.h"
#include "lessons/figure_table.h"
#include "own_kernel/open_kernel.h"
#include "scenes/key_times.h"
#include "session/scene_store.h"

namespace gemmscope::cli {
namespace {

int write_output(const std::string& text, const std::string& path) {
  if (path == "-") return std::fputs(text.c_str(), stdout) < 0 ? kFailed : 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return print_error(fmt::format("--output: {} cannot be written", path));
  fmt::print("{}\n", path);
  return 0;
}

// A file that is called .json holds JSON, also without --json.
int print_table(const CompiledPointer& compiled, const experiment::Experiment& e,
                const FigureOptions& figures, bool asked_for_json) {
  const bool as_json = asked_for_json || figures.output.ends_with(".json");
  const auto device = experiment::choose_device(experiment::shipped_devices(), e.arch, figures.device);
  if (!device && !figures.device.empty()) return print_error(device.error().message), kBadUse;
  lessons::FigureInput input;
  input.compiled = compiled;
  const auto block = experiment::run_block(compiled, e, nullptr);
  if (!block) return print_failure(block.error());
  input.block = *block;
  const auto grid = experiment::run_whole_grid(compiled, e, {});
  if (!grid) return print_failure(grid.error());
  input.grid = *grid;
  if (device) {
    const auto report = experiment::report_model(*compiled, e, *device);
    if (report)
      input.model = *report;
    else
      print_note(report.error().message);
  }
  std::vector<experiment::Timings> recordings;
  for (const auto& file : experiment::read_recordings(experiment::recordings_folder()).files)
    recordings.insert(recordings.end(), file.recording.begin(), file.recording.end());
  input.timed = scenes::timed_of(**block, nullptr, recordings);
  const auto rows = lessons::figure_rows(input);
  return write_output(as_json ? lessons::figures_json(rows, e) : lessons::figures_csv(rows), figures.output);
}

}  // namespace

int print_figures(const ExperimentOptions& options, const FigureOptions& figures) {
  if (figures.scene.empty())
    return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
      return print_table(compiled, chosen.experiment, figures, options.json);
    });
  const auto scene = session::read_scene(figures.scene);
  if (!scene) return print_error(scene.error().message), kBadUse;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  catalog::Kernel kernel;
  if (!scene->source.empty()) {
    auto opened = own_kernel::open_kernel_text("scene.cu", scene->source, scene->overrides);
    if (!opened) return print_error(opened.error().message);
    kernel = *std::move(opened);
  } else if (const catalog::Kernel* known = catalog.find(scene->experiment.kernel)) {
    kernel = *known;
  } else {
    return print_error(
        fmt::format("The scene shows \"{}\", which is no kernel of this version.", scene->experiment.kernel));
  }
  const auto compiled = experiment::compile_kernel(kernel, scene->experiment);
  if (!compiled) return print_failure(compiled.error());
  FigureOptions on_its_device = figures;
  if (figures.device.empty()) on_its_device.device = scene->device;
  return print_table(*compiled, scene->experiment, on_its_device, options.json);
}

}  // namespace gemmscope::cli
