// deltas: what a textbook's profiler saw from kernel to kernel, beside the model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/model_parameters.h"
#include "cli/output.h"
#include "experiment/devices.h"
#include "experiment/published_deltas.h"

namespace gemmscope::cli {
namespace {

using experiment::DeltaSide;
using experiment::ModelledDelta;
using nlohmann::json;

std::string side_name(const DeltaSide& side) {
  std::string name = side.kernel;
  for (const auto& [toggle, value] : side.toggles) name += fmt::format(" {}={}", toggle, value);
  return name;
}

std::string percent(double change) {
  return fmt::format("{:+.{}f} %", 100 * change, std::abs(change) < 0.1 ? 1 : 0);
}

json side_json(const DeltaSide& side) { return {{"kernel", side.kernel}, {"toggles", side.toggles}}; }

json row_json(const ModelledDelta& row) {
  const auto change = row.change();
  json result = {{"figure", row.published->id},
                 {"name", row.published->name},
                 {"unit", row.published->unit},
                 {"from", side_json(row.published->from)},
                 {"to", side_json(row.published->to)},
                 {"published", row.published->change},
                 {"modelled", change ? json(*change) : json(nullptr)},
                 {"modelled_before", row.before},
                 {"modelled_after", row.after}};
  if (!row.trouble.empty()) result["trouble"] = row.trouble;
  return result;
}

void print_row(const ModelledDelta& row) {
  const auto change = row.change();
  fmt::print("{:<22} {:<25} {:<26} {:>9} {:>9}  ", row.published->name, side_name(row.published->from),
             side_name(row.published->to), percent(row.published->change), change ? percent(*change) : "–");
  if (row.trouble.empty())
    fmt::print("{:.3g} → {:.3g} {}\n", row.before, row.after, row.published->unit);
  else
    fmt::print("{}\n", row.trouble);
}

}  // namespace

int model_published_deltas(const ModelOptions& model, bool as_json) {
  const auto device = choose_device(model, experiment::kPublishedDevice);
  if (!device) return print_error(device.error().message), device.error().exit_code;
  const auto rows = experiment::model_deltas(catalog::read_catalog(catalog::kernels_folder()), *device);
  const catalog::Problem& problem = experiment::kPublishedProblem;
  if (as_json) {
    json list = json::array();
    for (const ModelledDelta& row : rows) list.push_back(row_json(row));
    print_json({{"device", device_json(*device, model)},
                {"m", problem.m},
                {"n", problem.n},
                {"k", problem.k},
                {"deltas", list}});
  } else {
    fmt::print(
        "What the profiler of OpenMLSys, section 7.4, saw from kernel to kernel on a GPU of the RTX 3080's "
        "class,\nand what the model says of the same steps of the ladder on {} at {} x {} x {}\n\n",
        device->name, problem.m, problem.n, problem.k);
    fmt::print("{:<22} {:<25} {:<26} {:>9} {:>9}\n", "figure", "from", "to", "published", "modelled");
    for (const ModelledDelta& row : rows) print_row(row);
  }
  return std::ranges::all_of(rows, [](const ModelledDelta& row) { return row.trouble.empty(); }) ? 0
                                                                                                 : kFailed;
}

}  // namespace gemmscope::cli
