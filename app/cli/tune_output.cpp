#include "cli/tune_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiment/recorded_time.h"
#include "metrics/roofline.h"

namespace gemmscope::cli {
namespace {

using experiment::TimedVariant;
using experiment::TunedVariant;
using experiment::TuneResult;
using experiment::VariantKey;
using nlohmann::json;

std::string name_of(const VariantKey& key) {
  std::string name = key.kernel;
  for (const auto& [toggle, value] : key.toggles) name += fmt::format(" {}={}", toggle, value);
  return name;
}

// A variant beside what was measured of it.
struct Row {
  const TunedVariant* variant;
  const TimedVariant* timed = nullptr;  // null: not measured
  double measured_ms = 0;               // 0: there is none
  double of_library = 0;                // 0: not known
};

std::vector<Row> rows_of(const TuneReport& report) {
  std::vector<Row> rows;
  for (const TunedVariant& variant : report.variants) {
    Row& row = rows.emplace_back(Row{&variant});
    if (!report.timings) continue;
    const auto& timed = report.timings->variants;
    const auto found = std::ranges::find_if(
        timed, [&](const TimedVariant& v) { return !v.is_library && experiment::key_of(v) == variant.key; });
    if (found == timed.end()) continue;
    row.timed = &*found;
    row.measured_ms = experiment::median_ms(*found);
    const TimedVariant* library = experiment::reference_of(*report.timings, found->grade);
    if (library != nullptr && row.measured_ms > 0)
      row.of_library = experiment::median_ms(*library) / row.measured_ms;
  }
  // By what was measured; what was not comes last, as the model has it.
  const auto time = [](const Row& row) {
    return row.measured_ms > 0 ? row.measured_ms : std::numeric_limits<double>::max();
  };
  std::ranges::stable_sort(rows, {}, time);
  return rows;
}

std::string remarks(const TuneReport& report, const Row& row) {
  std::string text;
  if (row.variant->alike > 0) text += fmt::format(" (and {} alike)", row.variant->alike);
  if (report.by_size && *report.by_size == row.variant->key) text += " [by_size]";
  if (row.timed != nullptr && !row.timed->trouble.empty()) text += ": " + row.timed->trouble;
  if (!row.variant->price.refused.empty()) text += ": " + row.variant->price.refused;
  return text;
}

std::string number(double value, int digits) {
  return value > 0 ? fmt::format("{:.{}f}", value, digits) : "–";
}
std::string tflops_text(const TuneReport& report, double ms) {
  return ms > 0 ? fmt::format("{:.1f}", metrics::tflops(experiment::flops(report.problem), ms)) : "–";
}

void print_row(const TuneReport& report, const Row& row) {
  const experiment::TunePrice& price = row.variant->price;
  const bool both = row.measured_ms > 0 && price.milliseconds > 0;
  if (report.timings)
    fmt::print("{:>11}  {:>7}  {:>9}  ", number(row.measured_ms, 4), tflops_text(report, row.measured_ms),
               number(row.of_library, 3));
  fmt::print("{:>11}  ", number(price.milliseconds, 4));
  if (report.timings)
    fmt::print("{:>7}  ",
               both ? fmt::format("{:+.1f} %", 100 * (price.milliseconds / row.measured_ms - 1)) : "–");
  else
    fmt::print("{:>7}  ", tflops_text(report, price.milliseconds));
  fmt::print("{:>9}  {:>9}  {:<13}  {}{}\n", number(price.registers, 0), number(price.blocks_per_sm, 0),
             price.bound, name_of(row.variant->key), remarks(report, row));
}

void print_library(const TuneReport& report) {
  if (!report.timings) return;
  for (const TimedVariant& variant : report.timings->variants)
    if (variant.is_library && !variant.samples.empty())
      fmt::print("{:>11.4f}  {:>7}  {:>9}  {:>11}  {:>7}  {:>9}  {:>9}  {:<13}  {}\n",
                 experiment::median_ms(variant), tflops_text(report, experiment::median_ms(variant)), "", "",
                 "", "", "", "", variant.title);
}

void print_search(const TuneResult& search) {
  fmt::print("{}: {}\n", search.kernel, experiment::coverage_sentence(search));
  const auto counts = experiment::refusals(search);
  std::vector<std::pair<size_t, std::string>> sorted;
  for (const auto& [why, count] : counts) sorted.emplace_back(count, why);
  std::ranges::sort(sorted, std::greater<>());
  for (const auto& [count, why] : sorted) fmt::print("  {} refused: {}\n", count, why);
}

json row_json(const TuneReport& report, const Row& row) {
  const experiment::TunePrice& price = row.variant->price;
  json result = {{"kernel", row.variant->key.kernel},
                 {"toggles", row.variant->key.toggles},
                 {"as_given", row.variant->chosen},
                 {"alike", row.variant->alike}};
  if (price.milliseconds > 0) {
    result["modelled_ms"] = price.milliseconds;
    result["registers"] = price.registers;
    result["blocks_per_sm"] = price.blocks_per_sm;
    result["bound"] = price.bound;
  } else if (!price.refused.empty()) {
    result["refused"] = price.refused;
  }
  if (report.by_size && *report.by_size == row.variant->key) result["by_size"] = true;
  if (row.measured_ms > 0) result["measured_ms"] = row.measured_ms;
  if (row.of_library > 0) result["of_cublas"] = row.of_library;
  if (row.timed != nullptr && !row.timed->trouble.empty()) result["trouble"] = row.timed->trouble;
  return result;
}

json search_json(const TuneResult& search) {
  json refused = json::array();
  for (const auto& [why, count] : experiment::refusals(search))
    refused.push_back({{"why", why}, {"combinations", count}});
  return {{"kernel", search.kernel},
          {"combinations", search.combinations},
          {"legal", search.legal ? json(*search.legal) : json(nullptr)},
          {"looked_at", search.entries.size()},
          {"method", search.exhaustive ? "exhaustive" : "descent"},
          {"restarts", search.restarts},
          {"priced_now", search.priced},
          {"known_before", search.recalled},
          {"out_of_time", search.out_of_time},
          {"interrupted", search.cancelled},
          {"seconds", search.seconds},
          {"refused", refused},
          {"coverage", experiment::coverage_sentence(search)}};
}

// All that have a modelled time, those that are alike once.
json model_ranking_json(const TuneReport& report) {
  json list = json::array();
  const experiment::TuneLimits all{.keep = std::numeric_limits<size_t>::max(),
                                   .most = std::numeric_limits<size_t>::max()};
  for (const TunedVariant& variant : experiment::choose_to_measure(report.searches, {}, all))
    list.push_back({{"kernel", variant.key.kernel},
                    {"toggles", variant.key.toggles},
                    {"modelled_ms", variant.price.milliseconds},
                    {"alike", variant.alike}});
  return list;
}

std::optional<double> agreement(const TuneReport& report) {
  return report.timings ? experiment::rank_agreement(report.variants, *report.timings) : std::nullopt;
}

}  // namespace

std::string by_size_sentence(const TuneReport& report) {
  const std::vector<Row> rows = rows_of(report);
  const auto table = std::ranges::find_if(
      rows, [&](const Row& row) { return report.by_size && row.variant->key == *report.by_size; });
  if (table == rows.end() || table->measured_ms <= 0) return {};
  const Row& fastest = rows.front();
  if (&*table == &fastest) return "by_size takes the fastest that was measured.";
  return fmt::format("by_size takes {} ({:.4f} ms); {} was {:.1f} % faster ({:.4f} ms).",
                     name_of(table->variant->key), table->measured_ms, name_of(fastest.variant->key),
                     100 * (table->measured_ms / fastest.measured_ms - 1), fastest.measured_ms);
}

void print_tune_report(const TuneReport& report, const std::string& origin) {
  const catalog::Problem& p = report.problem;
  fmt::print("{} x {} x {}: {}\n\n", p.m, p.n, p.k, origin);
  if (report.timings)
    fmt::print("{:>11}  {:>7}  {:>9}  {:>11}  {:>7}  {:>9}  {:>9}  {:<13}  {}\n", "measured ms", "TFLOP/s",
               "of cuBLAS", "modelled ms", "error", "registers", "blocks/SM", "bound", "variant");
  else
    fmt::print("{:>11}  {:>7}  {:>9}  {:>9}  {:<13}  {}\n", "modelled ms", "TFLOP/s", "registers",
               "blocks/SM", "bound", "variant");
  for (const Row& row : rows_of(report)) print_row(report, row);
  print_library(report);
  fmt::print("\n");
  if (const auto tau = agreement(report))
    fmt::print("The model's order agrees with the GPU's by Kendall's tau {:.2f}.\n", *tau);
  if (const std::string sentence = by_size_sentence(report); !sentence.empty()) fmt::print("{}\n", sentence);
  for (const TuneResult& search : report.searches) print_search(search);
}

json tune_report_json(const TuneReport& report) {
  json searches = json::array(), variants = json::array();
  for (const TuneResult& search : report.searches) searches.push_back(search_json(search));
  for (const Row& row : rows_of(report)) variants.push_back(row_json(report, row));
  const auto tau = agreement(report);
  return {{"m", report.problem.m},
          {"n", report.problem.n},
          {"k", report.problem.k},
          {"times", report.timings ? "measured" : "modelled"},
          {"searches", searches},
          {"variants", variants},
          {"modelled_ranking", model_ranking_json(report)},
          {"kendall_tau", tau ? json(*tau) : json(nullptr)},
          {"by_size", by_size_sentence(report)}};
}

}  // namespace gemmscope::cli
