#include "stall_agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "experiment/model_report.h"
#include "experiment/pipeline.h"
#include "sm/stall.h"

namespace gemmscope::experiment {
namespace {

constexpr size_t kLargest = 3;

using Row = std::map<std::string, std::string>;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream row(line);
  for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
  return fields;
}

bool is_step(const std::string& kernel) {
  return !kernel.empty() && kernel.front() >= '0' && kernel.front() <= '9';
}

// The rows of the ladder's steps without toggles.
std::vector<Row> read_steps(const std::string& csv) {
  std::ifstream file(csv);
  std::vector<Row> rows;
  std::vector<std::string> columns;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    Row row;
    for (size_t i = 0; i < std::min(fields.size(), columns.size()); ++i) row[columns[i]] = fields[i];
    if (row["toggles"].empty() && is_step(row["kernel"])) rows.push_back(std::move(row));
  }
  return rows;
}

double number(const Row& row, const std::string& column) {
  const auto found = row.find(column);
  return found == row.end() || found->second.empty() ? 0 : std::stod(found->second);
}

using Reason = std::pair<double, std::string>;  // warp cycles per issued instruction
std::vector<Reason> largest(std::vector<Reason> reasons) {
  std::ranges::sort(reasons, std::greater<>());
  reasons.resize(std::min(reasons.size(), kLargest));
  return reasons;
}

// `selected` is no stall.
std::vector<Reason> measured_reasons(const Row& row) {
  constexpr std::string_view kBegin = "smsp__average_warps_issue_stalled_", kEnd = "_per_issue_active.ratio";
  std::vector<Reason> reasons;
  for (const auto& [column, value] : row) {
    if (!column.starts_with(kBegin) || !column.ends_with(kEnd) || value.empty()) continue;
    const std::string name = column.substr(kBegin.size(), column.size() - kBegin.size() - kEnd.size());
    if (name != "selected") reasons.emplace_back(std::stod(value), name);
  }
  return largest(std::move(reasons));
}

std::vector<Reason> modelled_reasons(const sm::LaunchFigures& figures) {
  std::vector<Reason> reasons;
  for (size_t k = 0; k < sm::kStalls; ++k)
    if (static_cast<sm::Stall>(k) != sm::Stall::selected)
      reasons.emplace_back(figures.stalls[k], sm::kStallNames[k]);
  return largest(std::move(reasons));
}

std::string text_of(const std::vector<Reason>& reasons) {
  std::vector<std::string> parts;
  for (const auto& [cycles, name] : reasons) parts.push_back(fmt::format("{} {:.2f}", name, cycles));
  return fmt::format("{}", fmt::join(parts, ", "));
}

size_t agreeing(const std::vector<Reason>& a, const std::vector<Reason>& b) {
  return static_cast<size_t>(std::ranges::count_if(a, [&](const Reason& reason) {
    return std::ranges::find(b, reason.second, &Reason::second) != b.end();
  }));
}

struct Agreement {
  size_t steps = 0, reasons = 0, agreeing = 0, first = 0;
  double issue_error = 0, largest_issue_error = 0;  // in points
};

Outcome<ModelReport> model_step(const Row& row, const catalog::Catalog& catalog, const sm::SmConfig& device) {
  const catalog::Kernel* kernel = catalog.find(row.at("kernel"));
  if (kernel == nullptr) return tl::unexpected(Failure{"The catalogue has no " + row.at("kernel") + ".", {}});
  Experiment experiment;
  experiment.kernel = row.at("kernel");
  experiment.arch = isa::Arch::sm_90;
  experiment.problem.m = std::stoll(row.at("m"));
  experiment.problem.n = std::stoll(row.at("n"));
  experiment.problem.k = std::stoll(row.at("k"));
  const auto compiled = compile_kernel(*kernel, experiment);
  if (!compiled) return tl::unexpected(compiled.error());
  return report_model(**compiled, experiment, device);
}

std::string size_of(const Row& row) { return fmt::format("{}x{}x{}", row.at("m"), row.at("n"), row.at("k")); }

void print_step(const Row& row, const sm::LaunchFigures& figures, Agreement& sum) {
  const std::vector<Reason> measured = measured_reasons(row), modelled = modelled_reasons(figures);
  const size_t common = agreeing(measured, modelled);
  const double issue = 100 * number(row, "smsp__issue_active.avg") / number(row, "sm__cycles_active.avg");
  const double error = 100 * figures.issue - issue;
  ++sum.steps;
  sum.reasons += kLargest;
  sum.agreeing += common;
  sum.first += !measured.empty() && measured.front().second == modelled.front().second ? 1 : 0;
  sum.issue_error += std::abs(error);
  sum.largest_issue_error = std::max(sum.largest_issue_error, std::abs(error));
  fmt::print("{:<26} {:<15} {} of {}  issue {:4.1f} % ({:+.1f})\n  ncu       {}\n  modelled  {}\n",
             row.at("kernel"), size_of(row), common, kLargest, issue, error, text_of(measured),
             text_of(modelled));
}

void print_sum(const std::string& size, const Agreement& sum) {
  fmt::print(
      "{}: {} of {} reasons agree, the first one in {} of {} steps; issue slots {:.1f} points off on "
      "average, {:.1f} at most\n",
      size, sum.agreeing, sum.reasons, sum.first, sum.steps, sum.issue_error / static_cast<double>(sum.steps),
      sum.largest_issue_error);
}

}  // namespace

int print_stall_agreement(const std::string& csv, const catalog::Catalog& catalog,
                          const sm::SmConfig& device) {
  std::map<std::string, Agreement> by_size;
  for (const Row& row : read_steps(csv)) {
    const auto report = model_step(row, catalog, device);
    if (!report) return fmt::print(stderr, "{}: {}\n", row.at("kernel"), report.error().message), 1;
    print_step(row, (*report)->longest().figures, by_size[size_of(row)]);
  }
  if (by_size.empty()) return fmt::print(stderr, "{} has no step without toggles.\n", csv), 1;
  for (const auto& [size, sum] : by_size) print_sum(size, sum);
  return 0;
}

}  // namespace gemmscope::experiment
