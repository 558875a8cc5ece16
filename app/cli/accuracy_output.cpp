#include "cli/accuracy_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gemmscope::cli {

using experiment::AccuracyEntry;
using nlohmann::json;

namespace {

std::string label_of(const AccuracyEntry& entry) {
  std::string label = entry.id;
  for (const auto& [name, value] : entry.toggles) label += fmt::format(" {}={}", name, value);
  return label;
}

std::string size_text(const catalog::Problem& p) {
  return p.m > 0 ? fmt::format("{} x {} x {}", p.m, p.n, p.k) : "unknown size";
}

void print_summary(const char* title, const std::vector<AccuracyEntry>& entries) {
  const experiment::AccuracySummary summary = experiment::summarize(entries);
  if (summary.compared == 0) return fmt::print("{}no entry could be compared\n", title);
  fmt::print("{}{} of {} entries: mean absolute error {:.2f} %, worst {:+.1f} % ({}, {})", title,
             summary.compared, entries.size(), 100 * summary.mean_error, 100 * summary.worst_error,
             label_of(entries[summary.worst]), size_text(entries[summary.worst].problem));
  if (summary.pairs > 0)
    fmt::print("; Kendall's tau {:.3f} among {} pairs of a size that differ by over 2 %", summary.tau,
               summary.pairs);
  fmt::print("\n");
}

}  // namespace

void print_accuracy(const std::vector<AccuracyEntry>& entries, const sm::SmConfig& device) {
  size_t width = 10;
  for (const AccuracyEntry& entry : entries) width = std::max(width, label_of(entry).size());
  fmt::print("modelled on {}, compared with the recording's medians\n", device.name);
  size_t run = entries.empty() ? 0 : entries.front().run + 1;
  for (const AccuracyEntry& entry : entries) {
    if (entry.run != run)
      fmt::print("{}{:<{}}  {:>12}  {:>12}  {:>9}\n", run > entry.run ? "" : "\n", size_text(entry.problem),
                 width, "recorded ms", "modelled ms", "error");
    run = entry.run;
    if (entry.compared())
      fmt::print("{:<{}}  {:>12.4f}  {:>12.4f}  {:>+7.1f} %\n", label_of(entry), width, entry.recorded_ms,
                 entry.modelled_ms, 100 * entry.error());
    else
      fmt::print("{:<{}}  {:>12.4f}  {}\n", label_of(entry), width, entry.recorded_ms, entry.trouble);
  }
  fmt::print("\n");
  print_summary("", entries);
  std::vector<AccuracyEntry> products, others;
  for (const AccuracyEntry& entry : entries) (entry.is_product ? products : others).push_back(entry);
  if (products.empty() || others.empty()) return;
  print_summary("products: ", products);
  print_summary("the others: ", others);
}

json accuracy_json(const std::vector<AccuracyEntry>& entries) {
  json list = json::array();
  for (const AccuracyEntry& entry : entries) {
    json row = {{"id", entry.id},
                {"toggles", entry.toggles},
                {"product", entry.is_product},
                {"m", entry.problem.m},
                {"n", entry.problem.n},
                {"k", entry.problem.k},
                {"recorded_ms", entry.recorded_ms},
                {"modelled_ms", nullptr},
                {"error", nullptr}};
    if (entry.compared()) {
      row["modelled_ms"] = entry.modelled_ms;
      row["error"] = entry.error();
    } else {
      row["trouble"] = entry.trouble;
    }
    list.push_back(std::move(row));
  }
  const experiment::AccuracySummary summary = experiment::summarize(entries);
  return {{"entries", list},
          {"summary",
           {{"compared", summary.compared},
            {"mean_absolute_error", summary.mean_error},
            {"worst_error", summary.worst_error},
            {"kendall_tau", summary.tau},
            {"pairs", summary.pairs}}}};
}

}  // namespace gemmscope::cli
