#include "lessons/figure_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "lessons/figure_counters.h"
#include "metrics/ncu_metrics.h"
#include "scenes/occupancy_scene.h"

namespace gemmscope::lessons {
namespace {

using nlohmann::json;

class Table {
 public:
  // A row for each name that has a value; "opcode.NAME" stands for many.
  template <typename ValueOf>
  void add_named(const char* group, const std::vector<std::string>& names, ValueOf value_of,
                 const char* origin = "exact", const std::string& source = "") {
    for (const std::string& name : names)
      if (const std::optional<double> value = value_of(name); value && !name.ends_with(".NAME"))
        add(group, name, *value, origin, source);
  }
  void add(const char* group, std::string figure, double value, const char* origin, std::string source = "") {
    if (std::isfinite(value)) rows_.push_back({group, std::move(figure), value, origin, std::move(source)});
  }
  std::vector<FigureRow> take() { return std::move(rows_); }

 private:
  std::vector<FigureRow> rows_;
};

void add_code(Table& table, const experiment::CompiledKernel& compiled) {
  table.add_named("code", code_names(), [&](const std::string& name) { return code_figure(compiled, name); });
  table.add_named("launch", launch_names(),
                  [&](const std::string& name) { return launch_figure(compiled, name); });
  const metrics::OccupancyPoint point = scenes::occupancy_point_of(compiled);
  const metrics::SmLimits* limits = metrics::sm_limits(point.compute_capability);
  if (limits == nullptr) return;
  const metrics::Occupancy occupancy = metrics::occupancy(*limits, point.needs);
  table.add_named("occupancy", occupancy_names(),
                  [&](const std::string& name) { return occupancy_figure(*limits, occupancy, name); });
}

void add_counts(Table& table, const char* group, const metrics::CounterSummary& summary) {
  table.add_named(group, counter_names(), [&](const std::string& name) { return counter(summary, name); });
  for (const auto& [opcode, count] : summary.by_opcode)
    table.add(group, "opcode." + opcode, static_cast<double>(count), "exact");
}

}  // namespace

std::vector<FigureRow> figure_rows(const FigureInput& input) {
  Table table;
  add_code(table, *input.compiled);
  if (input.block != nullptr) {
    const BlockFigures block{input.block->ffma_distances, input.block->load_distances,
                             metrics::summarize(input.block->counters, input.compiled->instructions)};
    table.add_named("block", block_names(),
                    [&](const std::string& name) { return block_figure(block, name); });
    if (input.grid == nullptr) add_counts(table, "block", block.summary);
  }
  if (input.grid != nullptr) {
    add_counts(table, "grid", input.grid->summary);
    for (const metrics::NcuMetric& metric : metrics::ncu_metrics())
      if (const auto value = metric.figure(input.grid->summary))
        table.add("nsight", metric.name, static_cast<double>(*value), "exact");
  }
  if (input.model != nullptr)
    table.add_named(
        "model", modelled_names(),
        [&](const std::string& name) { return modelled_figure(*input.model, name); }, "modelled",
        input.model->device.name);
  for (const scenes::KeyTime& time : input.timed)
    table.add("time", "ms", time.ms, experiment::provenance_name(time.provenance),
              time.date.empty() ? time.device : fmt::format("{}, {}", time.device, time.date));
  return table.take();
}

std::string figures_csv(const std::vector<FigureRow>& rows) {
  const auto quoted = [](const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
  };
  std::string text = "group,figure,value,origin,source\n";
  for (const FigureRow& row : rows)
    text += fmt::format("{},{},{},{},{}\n", row.group, quoted(row.figure), row.value, row.origin,
                        quoted(row.source));
  return text;
}

std::string figures_json(const std::vector<FigureRow>& rows, const experiment::Experiment& e) {
  json figures = json::array();
  for (const FigureRow& row : rows) {
    json figure = {
        {"group", row.group}, {"figure", row.figure}, {"value", row.value}, {"origin", row.origin}};
    if (!row.source.empty()) figure["source"] = row.source;
    figures.push_back(std::move(figure));
  }
  const json all = {{"experiment",
                     {{"kernel", e.kernel},
                      {"m", e.problem.m},
                      {"n", e.problem.n},
                      {"k", e.problem.k},
                      {"arch", isa::arch_name(e.arch)},
                      {"toggles", e.toggles},
                      {"inputs", e.inputs}}},
                    {"figures", figures}};
  return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gemmscope::lessons
