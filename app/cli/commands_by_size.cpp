// by-size: which FP32 variant is taken for given sizes, and what the others would cost.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "catalog/by_size.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace gemmscope::cli {
namespace {

double tflops(const catalog::Problem& problem, double microseconds) {
  return 2e-6 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k) / microseconds;
}

std::string toggles_text(const catalog::SizedVariant& variant) {
  std::string text;
  for (const auto& [name, value] : variant.toggles)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

}  // namespace

int print_by_size(const ExperimentOptions& options, int count) {
  const catalog::Problem problem{options.m, options.n, options.k};
  if (problem.m < 1 || problem.n < 1 || problem.k < 1)
    return print_error("--m, --n and --k: each must be at least 1"), kBadUse;
  const auto table = catalog::read_size_table(catalog::size_table_path());
  if (!table) return print_error(table.error().message);
  const auto variants = catalog::variants_by_size(*table, problem);
  if (!variants) return print_error(variants.error().message), kBadUse;
  const auto shown = std::min(variants->size(), static_cast<size_t>(std::max(count, 1)));
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (size_t i = 0; i < shown; ++i) {
      const catalog::SizedVariant& variant = (*variants)[i];
      list.push_back({{"kernel", variant.kernel},
                      {"toggles", variant.toggles},
                      {"modelled_us", variant.cost_us},
                      {"modelled_tflops", tflops(problem, variant.cost_us)}});
    }
    const nlohmann::json result = {{"device", table->device}, {"variants", list}};
    return fmt::print("{}\n", result.dump(2)), 0;
  }
  fmt::print("{} x {} x {}, by the table for {}; the first is taken\n", problem.m, problem.n, problem.k,
             table->device);
  fmt::print("{:>12} {:>9}  variant\n", "modelled us", "TFLOP/s");
  for (size_t i = 0; i < shown; ++i) {
    const catalog::SizedVariant& variant = (*variants)[i];
    fmt::print("{:>12.1f} {:>9.2f}  {} {}\n", variant.cost_us, tflops(problem, variant.cost_us),
               variant.kernel, toggles_text(variant));
  }
  return 0;
}

}  // namespace gemmscope::cli
