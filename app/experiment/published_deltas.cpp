#include "experiment/published_deltas.h"

#include <map>

#include "experiment/devices.h"
#include "experiment/model_report.h"
#include "experiment/pipeline.h"

namespace gemmscope::experiment {
namespace {

using sm::LaunchFigures;
using sm::Stall;

template <Stall stall>
double stall_of(const LaunchFigures& figures) {
  return figures.stalls[static_cast<size_t>(stall)];
}
double occupancy_of(const LaunchFigures& figures) {
  return figures.most_warps > 0 ? 100 * figures.achieved_warps / figures.most_warps : 0;
}
double issue_of(const LaunchFigures& figures) { return 100 * figures.issue; }

constexpr const char* kCycles = "cycles an instruction";

using SideKey = std::pair<std::string, std::map<std::string, int64_t>>;
SideKey key_of_side(const DeltaSide& side) { return {side.kernel, side.toggles}; }

struct Modelled {
  std::optional<LaunchFigures> figures;
  std::string trouble;
};

Modelled model_side(const catalog::Catalog& catalog, const SideKey& side, const sm::SmConfig& device) {
  const catalog::Kernel* const kernel = catalog.find(side.first);
  if (kernel == nullptr) return {std::nullopt, fmt::format("There is no kernel {}.", side.first)};
  Experiment experiment;
  experiment.kernel = kernel->id;
  experiment.toggles = side.second;
  experiment.problem = kPublishedProblem;
  experiment.arch = arch_of(device);
  const auto compiled = compile_kernel(*kernel, experiment);
  if (!compiled) return {std::nullopt, compiled.error().message};
  const auto report = report_model(**compiled, experiment, device);
  if (!report) return {std::nullopt, report.error().message};
  return {(*report)->longest().figures, ""};
}

}  // namespace

const std::vector<PublishedDelta>& published_deltas() {
  static const std::vector<PublishedDelta> deltas = {
      {"lg_throttle",
       "Stall LG Throttle",
       {"01_naive_rows", {}},
       {"05_vector_loads", {{"WIDTH_A", 1}}},
       -0.33,
       stall_of<Stall::lg_throttle>,
       kCycles},
      {"sm_use",
       "SM utilisation",
       {"06_thread_tile", {{"WIDTH_A", 1}}},
       {"07_register_tile", {}},
       2.18,
       issue_of,
       "% of the issue slots"},
      {"achieved_occupancy",
       "Achieved occupancy",
       {"07_register_tile", {}},
       {"08_transposed_tile", {}},
       0.013,
       occupancy_of,
       "% of the warps"},
      {"short_scoreboard",
       "Stall Short Scoreboard",
       {"08_transposed_tile", {}},
       {"10_register_double_buffer", {}},
       -0.67,
       stall_of<Stall::short_scoreboard>,
       kCycles},
      {"long_scoreboard",
       "Stall Long Scoreboard",
       {"10_register_double_buffer", {}},
       {"11_prefetch", {}},
       -0.67,
       stall_of<Stall::long_scoreboard>,
       kCycles},
  };
  return deltas;
}

std::optional<double> ModelledDelta::change() const {
  if (!trouble.empty() || before <= 0) return std::nullopt;
  return after / before - 1;
}

std::vector<ModelledDelta> model_deltas(const catalog::Catalog& catalog, const sm::SmConfig& device,
                                        const std::function<void(size_t done, size_t all)>& done) {
  std::map<SideKey, Modelled> sides;
  for (const PublishedDelta& delta : published_deltas())
    for (const DeltaSide* side : {&delta.from, &delta.to}) sides.emplace(key_of_side(*side), Modelled{});
  size_t modelled = 0;
  for (auto& [key, result] : sides) {
    result = model_side(catalog, key, device);
    if (done) done(++modelled, sides.size());
  }
  std::vector<ModelledDelta> rows;
  for (const PublishedDelta& delta : published_deltas()) {
    const Modelled &from = sides.at(key_of_side(delta.from)), &to = sides.at(key_of_side(delta.to));
    ModelledDelta row{&delta, 0, 0, from.trouble.empty() ? to.trouble : from.trouble};
    if (from.figures && to.figures) {
      row.before = delta.figure(*from.figures);
      row.after = delta.figure(*to.figures);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gemmscope::experiment
