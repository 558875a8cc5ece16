#include "cli/counters_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "metrics/ncu_metrics.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"

namespace gemmscope::cli {

using nlohmann::json;
using scenes::place_text;

namespace {

json traffic_json(const metrics::Traffic& t, bool shared) {
  if (shared)
    return {{"requests", t.requests},
            {"wavefronts", t.wavefronts},
            {"minimum_wavefronts", t.minimum_wavefronts},
            {"conflicts", t.excess_wavefronts()}};
  return {{"requests", t.requests}, {"sectors", t.sectors}, {"minimum_sectors", t.minimum_sectors}};
}

// The rows of the table of traffic, in order.
struct TrafficRow {
  const char *key, *title;
  metrics::Traffic metrics::InstructionTraffic::*kind;
  bool shared;
};
using T = metrics::InstructionTraffic;
constexpr TrafficRow kTrafficRows[] = {
    {"global_load", "global load", &T::global_load, false},
    {"global_store", "global store", &T::global_store, false},
    {"async_global", "async copy", &T::async_global, false},
    {"global_atomic", "global atomic", &T::global_atomic, false},
    {"global_reduce", "global reduction", &T::global_reduce, false},
    {"local_load", "local load", &T::local_load, false},
    {"local_store", "local store", &T::local_store, false},
    {"shared_load", "shared load", &T::shared_load, true},
    {"shared_store", "shared store", &T::shared_store, true},
    {"async_shared", "async copy", &T::async_shared, true},
    {"matrix_load", "matrix load", &T::matrix_load, true},
    {"matrix_store", "matrix store", &T::matrix_store, true},
    {"shared_atomic", "shared atomic", &T::shared_atomic, true},
};
// Plain loads and stores are always shown, the other rows only when they are not empty.
bool is_shown(const TrafficRow& row, const metrics::CounterSummary& s) {
  const bool plain = row.kind == &T::global_load || row.kind == &T::global_store ||
                     row.kind == &T::shared_load || row.kind == &T::shared_store;
  return plain || (s.traffic.*row.kind).requests > 0;
}

const char* direction_text(machine::Direction direction) {
  switch (direction) {
    case machine::Direction::load:
      return "load";
    case machine::Direction::store:
      return "store";
    case machine::Direction::atomic:
      return "atomic";
    case machine::Direction::reduce:
      return "reduction";
  }
  return "";
}

}  // namespace

json summary_json(const metrics::CounterSummary& s) {
  json ncu = json::object();
  for (const metrics::NcuMetric& metric : metrics::ncu_metrics()) {
    const std::optional<uint64_t> figure = metric.figure(s);
    ncu[metric.name] = figure ? json(*figure) : json(nullptr);
  }
  json result = {{"warp_instructions", s.warp_instructions},
                 {"thread_instructions", s.thread_instructions},
                 {"by_opcode", s.by_opcode},
                 {"ffma", s.ffma},
                 {"fadd", s.fadd},
                 {"fmul", s.fmul},
                 {"tensor_flops", s.tensor_flops},
                 {"flops", s.flops()},
                 {"global_loaded_bytes", s.traffic.global_loaded_bytes},
                 {"flop_per_float", s.flop_per_float()},
                 {"flop_per_byte", s.flop_per_float() / 4},
                 {"ncu", std::move(ncu)}};
  for (size_t i = 0; i < s.mix.size(); ++i) result["mix"][metrics::kInstructionKindNames[i].key] = s.mix[i];
  for (const TrafficRow& row : kTrafficRows) result[row.key] = traffic_json(s.traffic.*row.kind, row.shared);
  if (metrics::has_copies(s)) result["async_shared"]["at_least"] = true;  // a GPU may count more wavefronts
  return result;
}

json distance_json(const metrics::DistanceSummary& d) {
  return {{"count", d.count}, {"least", d.least}, {"median", d.median}, {"mean", d.mean}};
}

json bank_row_json(const metrics::BankRow& row, const experiment::CompiledKernel& compiled) {
  json result = {{"address", compiled.instructions[row.instruction].address},
                 {"text", compiled.text[row.instruction]},
                 {"place", place_text(compiled, row.instruction)},
                 {"calls", scenes::call_texts(compiled, row.instruction)},
                 {"direction", direction_text(row.direction)},
                 {"width_bytes", row.width_bytes},
                 {"executions", row.executions},
                 {"wavefronts", row.wavefronts},
                 {"minimum", row.minimum},
                 {"conflicts", row.excess()},
                 {"worst_degree", row.worst_degree}};
  if (compiled.instructions[row.instruction].opcode == isa::Opcode::ldgsts) result["at_least"] = true;
  return result;
}

void print_summary(const metrics::CounterSummary& s) {
  fmt::print(
      "\nwarp instructions   {:>14}\nthread instructions {:>14}\nFLOPs               {:>14}  (FFMA {}, FADD "
      "{}, FMUL {}{})\n\n",
      s.warp_instructions, s.thread_instructions, s.flops(), s.ffma, s.fadd, s.fmul,
      s.tensor_flops == 0 ? "" : fmt::format(", {} of tensor cores", s.tensor_flops));
  for (const bool shared : {false, true}) {
    fmt::print("{:<16}{:>14}{:>14}{:>14}{:>14}\n", "", "requests", shared ? "wavefronts" : "sectors",
               "minimum", shared ? "conflicts" : "excess");
    for (const TrafficRow& row : kTrafficRows) {
      if (row.shared != shared || !is_shown(row, s)) continue;
      const metrics::Traffic& t = s.traffic.*row.kind;
      fmt::print("{:<16}{:>14}{:>14}{:>14}{:>14}\n", row.title, t.requests, shared ? t.wavefronts : t.sectors,
                 shared ? t.minimum_wavefronts : t.minimum_sectors,
                 shared ? t.excess_wavefronts() : t.excess_sectors());
    }
  }
  if (metrics::has_copies(s))
    fmt::print(
        "wavefronts of async copies: at least so many, depending on when the bytes arrive; lanes that copy "
        "zeros, or what another lane copies, are left out\n");
  if (s.traffic.global_loaded_bytes != 0)
    fmt::print("\n{:.2f} FLOP per float loaded from global memory, {:.2f} per byte\n", s.flop_per_float(),
               s.flop_per_float() / 4);
  fmt::print("\nwarp instructions by kind\n");
  for (size_t i = 0; i < s.mix.size(); ++i)
    if (s.mix[i] != 0)
      fmt::print("  {:<18}{:>14}  {:5.1f} %\n", metrics::kInstructionKindNames[i].name, s.mix[i],
                 100 * metrics::share(s.mix, static_cast<metrics::InstructionKind>(i)));
  fmt::print("\nwarp instructions by opcode\n");
  std::vector<std::pair<std::string, uint64_t>> opcodes(s.by_opcode.begin(), s.by_opcode.end());
  std::stable_sort(opcodes.begin(), opcodes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [opcode, count] : opcodes)
    fmt::print("  {:<12}{:>14}  {:5.1f} %\n", opcode, count,
               100.0 * static_cast<double>(count) / static_cast<double>(s.warp_instructions));
}

void print_distances(const experiment::BlockResult* block) {
  if (block == nullptr) return;
  const auto line = [](const char* what, const metrics::DistanceSummary& d) {
    if (d.count != 0) fmt::print("  {:<44}{:>8g}{:>8}{:>8.1f}\n", what, d.median, d.least, d.mean);
  };
  const std::array<uint32_t, 3>& index = block->trace.block;
  fmt::print("\n{:<46}{:>8}{:>8}{:>8}\n",
             fmt::format("instructions of a warp, block ({}, {}, {})", index[0], index[1], index[2]),
             "median", "least", "mean");
  line("from an FFMA to the FFMA that needs it", block->ffma_distances);
  line("from a global load to what waits for it", block->load_distances);
}

void print_launches(const experiment::CompiledKernel& compiled,
                    const std::vector<metrics::CounterSummary>& summaries) {
  if (summaries.size() < 2) return;
  fmt::print("\n{:<28}{:>18}{:>14}{:>14}\n", "of these, by launch", "warp instructions", "load sectors",
             "store sectors");
  for (size_t i = 0; i < summaries.size(); ++i)
    fmt::print("  {:<26}{:>18}{:>14}{:>14}\n", compiled.parts[i].title, summaries[i].warp_instructions,
               summaries[i].traffic.global_load.sectors, summaries[i].traffic.global_store.sectors);
}

json launches_json(const experiment::CompiledKernel& compiled,
                   const std::vector<metrics::CounterSummary>& summaries) {
  json list = json::array();
  for (size_t i = 0; i < summaries.size(); ++i)
    list.push_back({{"title", compiled.parts[i].title}, {"counters", summary_json(summaries[i])}});
  return list;
}

// Writes "n/a", as ncu does, for a metric that has no value.
std::string figure_text(const metrics::NcuMetric& metric, const metrics::CounterSummary& s) {
  const std::optional<uint64_t> figure = metric.figure(s);
  return figure ? std::to_string(*figure) : "n/a";
}

void print_summary_csv(const metrics::CounterSummary& s) {
  fmt::print("figure,metric,value\n");
  for (const metrics::NcuMetric& metric : metrics::ncu_metrics())
    fmt::print("\"{}\",{},{}\n", metric.meaning, metric.name, figure_text(metric, s));
}

void print_ncu_line(const metrics::CounterSummary& s) {
  std::string names, values;
  for (const metrics::NcuMetric& metric : metrics::ncu_metrics()) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", metric.name);
    values += fmt::format("{}\"{}\"", values.empty() ? "" : ",", figure_text(metric, s));
  }
  fmt::print("{}\n{}\n", names, values);
}

void print_bank_rows(const std::vector<metrics::BankRow>& rows, const experiment::CompiledKernel& compiled) {
  if (rows.empty()) fmt::print("this kernel does not access shared memory\n");
  if (!rows.empty())
    fmt::print("{:<8}{:>12}{:>12}{:>10}{:>11}{:>7}  instruction\n", "address", "executions", "wavefronts",
               "minimum", "conflicts", "worst");
  for (const metrics::BankRow& row : rows)
    fmt::print("{:<8}{:>12}{:>12}{:>10}{:>11}{:>5}x   {}  {}\n",
               fmt::format("{:#06x}", compiled.instructions[row.instruction].address), row.executions,
               row.wavefronts, row.minimum, row.excess(), row.worst_degree, compiled.text[row.instruction],
               scenes::place_and_call_text(compiled, row.instruction));
}

}  // namespace gemmscope::cli
