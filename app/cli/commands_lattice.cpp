// lattice: the ablation lattice of a kernel, modelled point by point.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/model_output.h"
#include "cli/model_parameters.h"
#include "cli/output.h"
#include "experiment/devices.h"
#include "experiment/lattice_run.h"
#include "scenes/text.h"
#include "sm/bound.h"

namespace gemmscope::cli {
namespace {

using experiment::Lattice;
using experiment::LatticeEntry;
using experiment::LatticeOrder;
using experiment::LatticeRequest;
using nlohmann::json;

tl::unexpected<ChoiceError> bad_use(std::string message) {
  return tl::unexpected(ChoiceError{std::move(message), kBadUse});
}

tl::expected<LatticeOrder, ChoiceError> order_of(const LatticeOptions& options) {
  const auto column = experiment::column_of(options.sort);
  if (column) return LatticeOrder{*column, options.descending, false};
  std::string known;
  for (int i = 0; i < experiment::kLatticeColumns; ++i)
    known += (i == 0 ? "" : ", ") +
             std::string(experiment::column_name(static_cast<experiment::LatticeColumn>(i)));
  return bad_use(fmt::format("--sort {}: expected one of {}", options.sort, known));
}

tl::expected<LatticeRequest, ChoiceError> request_of(ExperimentOptions options, const ModelOptions& model,
                                                     const LatticeOptions& lattice) {
  const auto device = choose_device(model, "h200");
  if (!device) return tl::unexpected(device.error());
  use_arch_of(*device, options);
  if (options.kernel.empty()) options.kernel = "workbench";
  auto chosen = choose_experiment(options);
  if (!chosen) return tl::unexpected(chosen.error());
  const std::vector<catalog::Toggle>& toggles = chosen->kernel.toggles;
  if (toggles.empty())
    return bad_use(fmt::format("{} has no toggles, so there is no lattice around it", chosen->kernel.id));
  for (const std::string& name : lattice.vary)
    if (std::ranges::find(toggles, name, &catalog::Toggle::name) == toggles.end())
      return bad_use(fmt::format("--vary {}: {} has no such toggle", name, chosen->kernel.id));
  return LatticeRequest{std::move(chosen->kernel), std::move(chosen->experiment), *device, lattice.vary,
                        lattice.pairs};
}

std::string timed_text(const LatticeEntry& entry) {
  return entry.timed_ms > 0 ? fmt::format("{:.4f}", entry.timed_ms) : "–";
}

void print_entry(const LatticeEntry& entry, double chosen_ms) {
  if (!entry.has_time()) return fmt::print("{:>11}  {}: {}\n", "–", entry.point.name, entry.trouble);
  fmt::print("{:>11.4f}  {:>6}  {:>9}  {:>9}  {:>9.1f}  {:>10}  {:>11}  {}\n", entry.milliseconds,
             chosen_ms > 0 ? fmt::format("{:.3f}", entry.milliseconds / chosen_ms) : "–", entry.registers,
             entry.blocks_per_sm, 100 * entry.occupancy,
             scenes::grouped(static_cast<uint64_t>(entry.excess_wavefronts)), timed_text(entry),
             entry.point.name);
}

void print_lattice(const Lattice& lattice, const LatticeOrder& order, size_t most_rows) {
  fmt::print("{} at {} on {}: modelled ms, ratio to the variant as chosen\n\n", lattice.kernel,
             experiment::size_text(lattice.problem), lattice.device);
  fmt::print("{:>11}  {:>6}  {:>9}  {:>9}  {:>9}  {:>10}  {:>11}  {}\n", "modelled ms", "ratio", "registers",
             "blocks/SM", "occup. %", "excess wf.", "recorded ms", "change");
  const std::vector<size_t> rows = experiment::sorted_entries(lattice, order);
  const size_t shown = std::min(rows.size(), most_rows);
  for (size_t i = 0; i < shown; ++i)
    print_entry(lattice.entries[rows[i]], lattice.entries.front().milliseconds);
  if (shown < rows.size()) fmt::print("{:>11}  {} more\n", "…", rows.size() - shown);
  fmt::print("\n{}\n{}\n", experiment::best_sentence(lattice), experiment::coverage_sentence(lattice));
  for (const experiment::LeftOut& left : lattice.left_out) fmt::print("  {}: {}\n", left.points, left.why);
}

json entry_json(const LatticeEntry& entry, double chosen_ms) {
  json result = {{"change", entry.point.name}, {"toggles", entry.point.toggles}};
  if (entry.has_time()) {
    result["modelled_ms"] = entry.milliseconds;
    result["ratio"] = chosen_ms > 0 ? json(entry.milliseconds / chosen_ms) : json(nullptr);
    result["registers"] = entry.registers;
    result["blocks_per_sm"] = entry.blocks_per_sm;
    result["achieved_occupancy"] = entry.occupancy;
    result["excess_wavefronts"] = entry.excess_wavefronts;
    result["bound"] = sm::bound_name(sm::bound_of(*entry.figures).bound);
  } else {
    result["trouble"] = entry.trouble;
  }
  if (entry.timed_ms > 0) result["recorded_ms"] = entry.timed_ms;
  return result;
}

json lattice_json(const Lattice& lattice, const LatticeOrder& order, size_t most_rows) {
  const double chosen_ms = lattice.entries.front().milliseconds;
  json points = json::array(), left_out = json::array();
  for (const size_t i : experiment::sorted_entries(lattice, order))
    if (points.size() < most_rows) points.push_back(entry_json(lattice.entries[i], chosen_ms));
  for (const experiment::LeftOut& left : lattice.left_out)
    left_out.push_back({{"why", left.why}, {"points", left.points}});
  const LatticeEntry* best = experiment::best_entry(lattice);
  return {{"points", points},
          {"best", best == nullptr ? json(nullptr) : entry_json(*best, chosen_ms)},
          {"best_sentence", experiment::best_sentence(lattice)},
          {"chosen", entry_json(lattice.entries.front(), chosen_ms)},
          {"computed", lattice.computed()},
          {"total", lattice.entries.size()},
          {"single_changes", lattice.singles},
          {"pairs", lattice.pairs},
          {"left_out", left_out},
          {"out_of_time", lattice.out_of_time},
          {"seconds", lattice.seconds}};
}

void add_recorded(Lattice& lattice, const experiment::Experiment& around) {
  if (!around.inputs.empty()) return;
  for (const auto& file : experiment::read_recordings(experiment::recordings_folder()).files)
    for (const experiment::Timings& timings : file.recording) experiment::add_times(lattice, timings);
}

}  // namespace

int model_lattice(const ExperimentOptions& options, const ModelOptions& model,
                  const LatticeOptions& lattice_options) {
  const auto order = order_of(lattice_options);
  if (!order) return print_error(order.error().message), order.error().exit_code;
  const auto request = request_of(options, model, lattice_options);
  if (!request) return print_error(request.error().message), request.error().exit_code;
  experiment::LatticeMemory memory;
  experiment::LatticeOptions run{.threads = lattice_options.threads, .most_seconds = lattice_options.seconds};
  if (isatty(STDERR_FILENO) != 0)
    run.progress = [](const Lattice& lattice) {
      fmt::print(stderr, "\r{} of {} points modelled{}", lattice.computed(), lattice.entries.size(),
                 lattice.finished ? "\n" : "");
    };
  Lattice lattice = experiment::run_lattice(*request, memory, run);
  add_recorded(lattice, request->around);
  const size_t rows = lattice_options.rows == 0 ? lattice.entries.size() : lattice_options.rows;
  if (options.json) {
    json result = lattice_json(lattice, *order, rows);
    result["experiment"] = experiment_json(request->around);
    result["device"] = device_json(request->device, model);
    print_json(result);
  } else {
    print_lattice(lattice, *order, rows);
  }
  return experiment::best_entry(lattice) == nullptr ? kFailed : 0;
}

}  // namespace gemmscope::cli
