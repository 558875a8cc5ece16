// kernels, run, disasm, counters, banks: commands on a kernel.
#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/counters_output.h"
#include "cli/findings_output.h"
#include "cli/output.h"
#include "cli/with_compiled.h"
#include "experiment/grid_sampling.h"
#include "experiment/pipeline.h"
#include "experiment/worker.h"
#include "isa/disassemble.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;
using scenes::call_texts;
using scenes::place_and_call_text;
using scenes::place_text;

}  // namespace

int list_kernels(bool as_json) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  json list = json::array();
  std::string folder;
  for (const catalog::Kernel& kernel : catalog.kernels) {
    if (as_json) {
      json toggles = json::array();
      for (const catalog::Toggle& t : kernel.toggles)
        toggles.push_back(
            {{"name", t.name}, {"title", t.title}, {"values", t.values}, {"default", t.default_value}});
      json inputs = json::array();
      for (const catalog::Input& input : kernel.inputs)
        inputs.push_back({{"name", input.name},
                          {"title", input.title},
                          {"default", input.default_value},
                          {"names", input.names}});
      list.push_back({{"id", kernel.id},
                      {"folder", kernel.folder},
                      {"title", kernel.title},
                      {"entry", kernel.entry},
                      {"changed", kernel.changed},
                      {"why", kernel.why},
                      {"look_at", kernel.look_at},
                      {"toggles", toggles},
                      {"inputs", inputs},
                      {"picture", catalog::picture_name(kernel.picture)}});
    } else {
      if (std::exchange(folder, kernel.folder) != kernel.folder) fmt::print("{}/\n", kernel.folder);
      fmt::print("  {:<20} {}\n", kernel.id, kernel.title);
    }
  }
  if (as_json) print_json(list);
  for (const Error& error : catalog.errors) print_error(error.message);
  return catalog.errors.empty() ? 0 : kFailed;
}

int run_kernel(const ExperimentOptions& options) {
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    const experiment::Experiment& e = chosen.experiment;
    experiment::Outcome<experiment::GridResult> grid = experiment::run_whole_grid(compiled, e, {});
    if (!grid) return print_failed_run(grid.error(), *compiled, e, options.json);
    const experiment::GridResult& result = **grid;
    const double rate = static_cast<double>(result.summary.warp_instructions) / result.execute_seconds;
    if (options.json) {
      print_json({{"experiment", experiment_json(e)},
                  {"resources", resources_json(compiled->resources)},
                  {"verification", verification_json(result.verification)},
                  {"warp_instructions", result.summary.warp_instructions},
                  {"execute_seconds", result.execute_seconds},
                  {"findings", findings_json(mistakes_of(result), *compiled)}});
    } else {
      print_heading(*compiled, e);
      print_resources(*compiled);
      fmt::print("executed {} warp instructions on the CPU in {:.3f} s ({:.1f} million a second)\n",
                 result.summary.warp_instructions, result.execute_seconds, rate / 1e6);
      print_verification(result.verification);
      print_findings(mistakes_of(result), *compiled);
    }
    if (!result.verification.right()) return kFailed;
    return result.has_findings() ? kFoundMistakes : 0;
  });
}

int disassemble_kernel(const ExperimentOptions& options) {
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    const experiment::Experiment& e = chosen.experiment;
    if (options.json) {
      json list = json::array();
      for (size_t i = 0; i < compiled->instructions.size(); ++i) {
        const isa::Instruction& ins = compiled->instructions[i];
        list.push_back({{"address", ins.address},
                        {"text", compiled->text[i]},
                        {"control", isa::control_text(ins)},
                        {"place", place_text(*compiled, i)},
                        {"calls", call_texts(*compiled, i)}});
      }
      print_json({{"experiment", experiment_json(e)},
                  {"resources", resources_json(compiled->resources)},
                  {"code", list}});
      return 0;
    }
    for (size_t i = 0; i < compiled->instructions.size(); ++i)
      fmt::print("/*{:04x}*/  {:<60} {:<28} // {}\n", compiled->instructions[i].address, compiled->text[i],
                 isa::control_text(compiled->instructions[i]), place_and_call_text(*compiled, i));
    return 0;
  });
}

int count_kernel(const ExperimentOptions& options, const CountOptions& count) {
  if (options.json + count.csv + count.ncu_names > 1)
    return print_error("--json, --csv and --ncu-names exclude one another; give only one of them"), kBadUse;
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    const experiment::Experiment& e = chosen.experiment;
    metrics::CounterSummary summary;
    std::vector<metrics::CounterSummary> launches;
    std::string scope = fmt::format("block ({}, {}, {})", e.block[0], e.block[1], e.block[2]);
    experiment::GridCoverage coverage;
    Mistakes mistakes;
    std::shared_ptr<const experiment::BlockResult> traced;
    if (count.block_only) {
      experiment::Outcome<experiment::BlockResult> block = experiment::run_block(compiled, e, nullptr);
      if (!block) return print_failed_run(block.error(), *compiled, e, options.json);
      summary = metrics::summarize((*block)->counters, compiled->instructions);
      mistakes.shown = (*block)->findings;
      traced = *block;
    } else {
      const double limit =
          count.all_blocks ? std::numeric_limits<double>::infinity() : experiment::kAutomaticGridInstructions;
      experiment::Outcome<experiment::GridResult> grid = experiment::count_grid(compiled, e, {}, limit);
      if (!grid) return print_failed_run(grid.error(), *compiled, e, options.json);
      summary = (*grid)->summary;
      launches = (*grid)->summaries;
      mistakes = mistakes_of(**grid);
      coverage = (*grid)->coverage;
      scope = "whole grid: " + coverage_text(coverage);
      if (!coverage.why_whole.empty())
        scope += fmt::format(" (not by classes of blocks: {})", coverage.why_whole);
    }
    // The distances are those of one block. Where the totals exist but a trace does not, they are left out.
    if (traced == nullptr && !count.csv && !count.ncu_names)
      traced = experiment::run_block(compiled, e, nullptr).value_or(nullptr);
    if (options.json) {
      json result = {{"experiment", experiment_json(e)},
                     {"scope", count.block_only ? "block" : "grid"},
                     {"counters", summary_json(summary)},
                     {"findings", findings_json(mistakes, *compiled)}};
      if (traced != nullptr)
        result["distances"] = {{"ffma", distance_json(traced->ffma_distances)},
                               {"load_to_wait", distance_json(traced->load_distances)}};
      if (launches.size() > 1) result["launches"] = launches_json(*compiled, launches);
      if (!count.block_only) result["coverage"] = coverage_json(coverage);
      print_json(result);
    } else if (count.csv) {
      print_summary_csv(summary);
    } else if (count.ncu_names) {
      print_ncu_line(summary);
    } else {
      print_heading(*compiled, e);
      fmt::print("{}\n", scope);
      print_summary(summary);
      print_distances(traced.get());
      print_launches(*compiled, launches);
      print_findings(mistakes, *compiled);
    }
    return 0;
  });
}

int report_banks(const ExperimentOptions& options) {
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    const experiment::Experiment& e = chosen.experiment;
    experiment::Outcome<experiment::BlockResult> block = experiment::run_block(compiled, e, nullptr);
    if (!block) return print_failed_run(block.error(), *compiled, e, options.json);
    if (options.json) {
      json rows = json::array();
      for (const metrics::BankRow& row : (*block)->banks) rows.push_back(bank_row_json(row, *compiled));
      print_json({{"experiment", experiment_json(e)}, {"scope", "block"}, {"instructions", rows}});
    } else {
      print_heading(*compiled, e);
      fmt::print("shared memory of block ({}, {}, {}):\n", e.block[0], e.block[1], e.block[2]);
      print_bank_rows((*block)->banks, *compiled);
    }
    return 0;
  });
}

}  // namespace gemmscope::cli
