#include "lessons/figure_counters.h"

#include <algorithm>
#include <array>

#include "lessons/guess.h"
#include "metrics/ncu_metrics.h"
#include "scenes/key_numbers.h"
#include "sm/stall.h"

namespace gemmscope::lessons {
namespace {

using metrics::CounterSummary;
using metrics::InstructionTraffic;
using metrics::Traffic;

// A figure of a `Subject` under its name.
template <typename Subject>
struct Named {
  const char* name;
  double (*value)(const Subject&);
};
template <typename Subject, size_t N>
std::optional<double> find(const std::array<Named<Subject>, N>& table, const Subject& subject,
                           std::string_view name) {
  for (const Named<Subject>& row : table)
    if (name == row.name) return row.value(subject);
  return std::nullopt;
}
template <typename Subject, size_t N>
std::vector<std::string> names_of(const std::array<Named<Subject>, N>& table) {
  std::vector<std::string> names;
  for (const Named<Subject>& row : table) names.emplace_back(row.name);
  return names;
}

double number(uint64_t value) { return static_cast<double>(value); }

constexpr std::array<Named<CounterSummary>, 14> kCounters = {{
    {"warp_instructions", [](const CounterSummary& s) { return number(s.warp_instructions); }},
    {"thread_instructions", [](const CounterSummary& s) { return number(s.thread_instructions); }},
    {"flops", [](const CounterSummary& s) { return number(s.flops()); }},
    {"flop_per_float", [](const CounterSummary& s) { return s.flop_per_float(); }},
    {"flop_per_byte", [](const CounterSummary& s) { return s.flop_per_float() / 4; }},
    {"global_loaded_bytes", [](const CounterSummary& s) { return number(s.traffic.global_loaded_bytes); }},
    {"tensor_flops", [](const CounterSummary& s) { return number(s.tensor_flops); }},
    {"ffma", [](const CounterSummary& s) { return number(s.ffma); }},
    {"fadd", [](const CounterSummary& s) { return number(s.fadd); }},
    {"fmul", [](const CounterSummary& s) { return number(s.fmul); }},
    {"global_sectors", [](const CounterSummary& s) { return number(scenes::key_counts(s).global_sectors); }},
    {"excess_sectors", [](const CounterSummary& s) { return number(scenes::key_counts(s).excess_sectors); }},
    {"wavefronts", [](const CounterSummary& s) { return number(scenes::key_counts(s).wavefronts); }},
    {"excess_wavefronts",
     [](const CounterSummary& s) { return number(scenes::key_counts(s).excess_wavefronts); }},
}};

struct NamedTraffic {
  const char* name;
  Traffic InstructionTraffic::*kind;
};
constexpr std::array<NamedTraffic, 13> kTraffic = {{
    {"global_load", &InstructionTraffic::global_load},
    {"global_store", &InstructionTraffic::global_store},
    {"shared_load", &InstructionTraffic::shared_load},
    {"shared_store", &InstructionTraffic::shared_store},
    {"async_global", &InstructionTraffic::async_global},
    {"async_shared", &InstructionTraffic::async_shared},
    {"matrix_load", &InstructionTraffic::matrix_load},
    {"matrix_store", &InstructionTraffic::matrix_store},
    {"global_atomic", &InstructionTraffic::global_atomic},
    {"global_reduce", &InstructionTraffic::global_reduce},
    {"shared_atomic", &InstructionTraffic::shared_atomic},
    {"local_load", &InstructionTraffic::local_load},
    {"local_store", &InstructionTraffic::local_store},
}};
constexpr std::array<Named<Traffic>, 5> kOfTraffic = {{
    {"requests", [](const Traffic& t) { return number(t.requests); }},
    {"sectors", [](const Traffic& t) { return number(t.sectors); }},
    {"excess_sectors", [](const Traffic& t) { return number(t.excess_sectors()); }},
    {"wavefronts", [](const Traffic& t) { return number(t.wavefronts); }},
    {"excess_wavefronts", [](const Traffic& t) { return number(t.excess_wavefronts()); }},
}};

// The mean is what the picture of loads shows beside its arcs.
constexpr std::array<Named<BlockFigures>, 8> kBlock = {{
    {"ffma_distance", [](const BlockFigures& b) { return b.ffma_distances.median; }},
    {"ffma_distance_least", [](const BlockFigures& b) { return number(b.ffma_distances.least); }},
    {"ffma_distance_mean", [](const BlockFigures& b) { return b.ffma_distances.mean; }},
    {"load_to_use", [](const BlockFigures& b) { return b.load_distances.mean; }},
    {"load_to_use_median", [](const BlockFigures& b) { return b.load_distances.median; }},
    {"load_to_use_least", [](const BlockFigures& b) { return number(b.load_distances.least); }},
    {"flop_per_float", [](const BlockFigures& b) { return b.summary.flop_per_float(); }},
    {"flop_per_byte", [](const BlockFigures& b) { return b.summary.flop_per_float() / 4; }},
}};

using experiment::CompiledKernel;
// Of the main loop; 0 where the kernel has none.
template <typename Value>
double of_main_loop(const CompiledKernel& compiled, Value value) {
  const metrics::LoopPorts* loop = compiled.ports.main_loop();
  return loop == nullptr ? 0 : static_cast<double>(value(*loop));
}

constexpr std::array<Named<CompiledKernel>, 11> kCode = {{
    {"registers", [](const CompiledKernel& c) { return static_cast<double>(c.resources.registers); }},
    {"barriers", [](const CompiledKernel& c) { return static_cast<double>(c.resources.barriers); }},
    {"instructions", [](const CompiledKernel& c) { return static_cast<double>(c.instructions.size()); }},
    {"spill_bytes", [](const CompiledKernel& c) { return number(scenes::numbers_of_code(c).spill_bytes); }},
    {"spill_store_bytes", [](const CompiledKernel& c) { return number(c.resources.spill_store_bytes); }},
    {"spill_load_bytes", [](const CompiledKernel& c) { return number(c.resources.spill_load_bytes); }},
    {"shared_bytes",
     [](const CompiledKernel& c) {
       return number(uint64_t{c.resources.static_shared_bytes} + c.resources.dynamic_shared_bytes);
     }},
    {"port_cycles_per_ffma",
     [](const CompiledKernel& c) {
       return of_main_loop(c, [](const metrics::LoopPorts& l) { return l.port_cycles_per_ffma(); });
     }},
    {"loop_ffma",
     [](const CompiledKernel& c) {
       return of_main_loop(c, [](const metrics::LoopPorts& l) { return l.ffma; });
     }},
    {"loop_operands",
     [](const CompiledKernel& c) {
       return of_main_loop(c, [](const metrics::LoopPorts& l) { return l.operands; });
     }},
    {"loop_reuse_hits",
     [](const CompiledKernel& c) {
       return of_main_loop(c, [](const metrics::LoopPorts& l) { return l.hits; });
     }},
}};

double product(const std::array<uint32_t, 3>& axes) {
  return static_cast<double>(axes[0]) * static_cast<double>(axes[1]) * static_cast<double>(axes[2]);
}
constexpr std::array<Named<CompiledKernel>, 4> kLaunch = {{
    {"blocks", [](const CompiledKernel& c) { return product(c.launch.grid); }},
    {"threads", [](const CompiledKernel& c) { return product(c.launch.block); }},
    {"grid_x", [](const CompiledKernel& c) { return static_cast<double>(c.launch.grid[0]); }},
    {"grid_y", [](const CompiledKernel& c) { return static_cast<double>(c.launch.grid[1]); }},
}};

using experiment::ModelReport;
constexpr std::array<Named<ModelReport>, 11> kModelled = {{
    {"bound_share", [](const ModelReport& r) { return r.shown().bound.share; }},
    {"ms", [](const ModelReport& r) { return r.milliseconds(); }},
    {"tflops", [](const ModelReport& r) { return r.tflops; }},
    {"cycles", [](const ModelReport& r) { return r.shown().figures.cycles; }},
    {"issue", [](const ModelReport& r) { return r.shown().figures.issue; }},
    {"waves", [](const ModelReport& r) { return r.shown().figures.waves; }},
    {"idle", [](const ModelReport& r) { return r.shown().figures.idle_share(); }},
    {"achieved_warps", [](const ModelReport& r) { return r.shown().figures.achieved_warps; }},
    {"achieved_occupancy",
     [](const ModelReport& r) {
       return r.shown().figures.achieved_warps / std::max(1, r.shown().figures.most_warps);
     }},
    {"l1_hit_rate", [](const ModelReport& r) { return r.shown().figures.l1_hit_rate(); }},
    {"l2_hit_rate", [](const ModelReport& r) { return r.shown().figures.l2_hit_rate(); }},
}};

struct LatencyName {
  std::string_view name;
  double sm::ExposedLatency::*cycles;
};
constexpr std::array<LatencyName, 3> kLatencies = {{{"load_latency", &sm::ExposedLatency::latency},
                                                    {"load_exposed_to_warp", &sm::ExposedLatency::warp},
                                                    {"load_exposed", &sm::ExposedLatency::sub_core}}};

// The rest of "prefix.rest".
std::optional<std::string_view> after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

}  // namespace

std::optional<double> counter(const CounterSummary& summary, std::string_view name) {
  if (const auto value = find(kCounters, summary, name)) return value;
  if (const auto opcode = after(name, "opcode.")) {
    const auto found = summary.by_opcode.find(std::string(*opcode));
    return found == summary.by_opcode.end() ? 0 : number(found->second);
  }
  if (const auto kind = after(name, "mix.")) {
    for (size_t i = 0; i < summary.mix.size(); ++i)
      if (*kind == metrics::kInstructionKindNames[i].key) return number(summary.mix[i]);
    return std::nullopt;
  }
  if (const metrics::NcuMetric* metric = metrics::find_ncu_metric(name)) {
    const auto figure = metric->figure(summary);
    return figure ? std::optional(number(*figure)) : std::nullopt;
  }
  for (const NamedTraffic& row : kTraffic)
    if (const auto of = after(name, std::string(row.name) + "."))
      return find(kOfTraffic, summary.traffic.*row.kind, *of);
  return std::nullopt;
}

std::vector<std::string> counter_names() {
  std::vector<std::string> names = names_of(kCounters);
  names.emplace_back("opcode.NAME");
  for (const metrics::InstructionKindName& kind : metrics::kInstructionKindNames)
    names.push_back(std::string("mix.") + kind.key);
  for (const NamedTraffic& row : kTraffic)
    for (const Named<Traffic>& of : kOfTraffic) names.push_back(std::string(row.name) + "." + of.name);
  return names;
}

std::optional<double> block_figure(const BlockFigures& block, std::string_view name) {
  return find(kBlock, block, name);
}
std::vector<std::string> block_names() { return names_of(kBlock); }

std::optional<double> code_figure(const CompiledKernel& compiled, std::string_view name) {
  if (const auto opcode = after(name, "opcode."))
    return static_cast<double>(std::ranges::count_if(
        compiled.text, [&](const std::string& text) { return instruction_name(text) == *opcode; }));
  return find(kCode, compiled, name);
}
std::vector<std::string> code_names() {
  std::vector<std::string> names = names_of(kCode);
  names.emplace_back("opcode.NAME");
  return names;
}

std::optional<double> launch_figure(const CompiledKernel& compiled, std::string_view name) {
  return find(kLaunch, compiled, name);
}
std::vector<std::string> launch_names() { return names_of(kLaunch); }

std::optional<double> occupancy_figure(const metrics::SmLimits& limits, const metrics::Occupancy& occupancy,
                                       std::string_view name) {
  if (name == "blocks") return occupancy.blocks;
  if (name == "warps") return occupancy.warps;
  if (name == "percent") return 100.0 * occupancy.warps / limits.warps;
  if (const auto limit = after(name, "limited_by."))
    for (int i = 0; i < metrics::kOccupancyLimits; ++i)
      if (const auto which = static_cast<metrics::OccupancyLimit>(i); *limit == metrics::limit_name(which))
        return occupancy.limited_by(which) ? 1 : 0;
  return std::nullopt;
}
std::vector<std::string> occupancy_names() {
  std::vector<std::string> names = {"blocks", "warps", "percent"};
  for (int i = 0; i < metrics::kOccupancyLimits; ++i)
    names.push_back(std::string("limited_by.") +
                    metrics::limit_name(static_cast<metrics::OccupancyLimit>(i)));
  return names;
}

std::optional<double> modelled_figure(const ModelReport& report, std::string_view name) {
  if (const auto reason = after(name, "stall.")) {
    for (int i = 0; i < sm::kStalls; ++i)
      if (*reason == sm::kStallNames[static_cast<size_t>(i)])
        return report.shown().figures.stalls[static_cast<size_t>(i)];
    return std::nullopt;
  }
  if (const auto by = after(name, "bound.")) {
    for (int i = 0; i < sm::kBounds; ++i)
      if (const auto bound = static_cast<sm::Bound>(i); *by == sm::bound_name(bound))
        return report.shown().bound.bound == bound ? 1 : 0;
    return std::nullopt;
  }
  return find(kModelled, report, name);
}
std::vector<std::string> modelled_names() {
  std::vector<std::string> names = names_of(kModelled);
  for (const char* reason : sm::kStallNames) names.push_back(std::string("stall.") + reason);
  for (int i = 0; i < sm::kBounds; ++i)
    names.push_back(std::string("bound.") + sm::bound_name(static_cast<sm::Bound>(i)));
  for (const LatencyName& latency : kLatencies) names.emplace_back(latency.name);
  return names;
}

std::optional<double> latency_figure(const experiment::ModelResult& model, std::string_view name) {
  const auto found = std::ranges::find(kLatencies, name, &LatencyName::name);
  if (found == kLatencies.end()) return std::nullopt;
  double cycles = 0, executions = 0;
  for (size_t i = 0; i < model.index.exposed().size(); ++i) {
    if (model.compiled->text[i].find("LDG") == std::string::npos) continue;
    const sm::ExposedLatency& exposed = model.index.exposed()[i];
    cycles += exposed.*(found->cycles);
    executions += number(exposed.executions);
  }
  return executions == 0 ? 0 : cycles / executions;
}
bool is_latency_name(std::string_view name) {
  return std::ranges::find(kLatencies, name, &LatencyName::name) != kLatencies.end();
}

std::optional<double> largest_share(const experiment::BlockResult& block, std::string_view name) {
  const auto line_of = after(name, "line.");
  const auto watched = key_number(line_of ? *line_of : name);
  if (!watched) return std::nullopt;
  const CompiledKernel& code = *block.compiled;
  const auto top = scenes::top_contributor(*watched, code, block.counters, {});
  if (!top) return std::nullopt;
  uint64_t all = 0, of_it = 0;
  for (uint32_t i = 0; i < code.instructions.size(); ++i) {
    const uint64_t part = scenes::contribution(*watched, code, block.counters, i);
    const bool same_line =
        code.places[i].file == code.places[*top].file && code.places[i].line == code.places[*top].line;
    all += part;
    if (i == *top || (line_of && same_line)) of_it += part;
  }
  if (all == 0) return std::nullopt;
  return number(of_it) / number(all);
}
std::vector<std::string> share_names() {
  std::vector<std::string> names;
  for (const std::string& one : key_number_names()) {
    if (one == "registers") continue;  // they are no sum
    names.push_back(one);
    names.push_back("line." + one);
  }
  return names;
}

std::optional<double> problem_figure(const catalog::Problem& problem, std::string_view name) {
  const auto m = static_cast<double>(problem.m), n = static_cast<double>(problem.n),
             k = static_cast<double>(problem.k);
  if (name == "m") return m;
  if (name == "n") return n;
  if (name == "k") return k;
  if (name == "flops") return 2 * m * n * k;
  return std::nullopt;
}
std::vector<std::string> problem_names() { return {"m", "n", "k", "flops"}; }

}  // namespace gemmscope::lessons
