#include "cli/output.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "experiment/grid_sampling.h"
#include "experiment/pipeline.h"
#include "machine/findings.h"
#include "metrics/ncu_metrics.h"
#include "scenes/text.h"

namespace gemmscope::cli {

using nlohmann::json;
using scenes::place_text;

int print_error(const std::string& message) {
  fmt::print(stderr, "gemmscope: {}\n", message);
  return kFailed;
}

int print_failure(const experiment::Failure& failure) {
  print_error(failure.message);
  for (const compile::Diagnostic& d : failure.diagnostics)
    fmt::print(stderr, "  {}:{}:{}: {}\n", d.file, d.line, d.column, d.message);
  return kFailed;
}

void print_json(const json& value) { fmt::print("{}\n", value.dump(2)); }

json experiment_json(const experiment::Experiment& e) {
  return {{"kernel", e.kernel},     {"arch", isa::arch_name(e.arch)},
          {"m", e.problem.m},       {"n", e.problem.n},
          {"k", e.problem.k},       {"alpha", e.problem.alpha},
          {"beta", e.problem.beta}, {"block", e.block},
          {"toggles", e.toggles},   {"inputs", e.inputs}};
}

json resources_json(const experiment::Resources& r) {
  return {{"registers", r.registers},
          {"barriers", r.barriers},
          {"static_shared_bytes", r.static_shared_bytes},
          {"dynamic_shared_bytes", r.dynamic_shared_bytes},
          {"reserved_shared_bytes", r.reserved_shared_bytes},
          {"spill_store_bytes", r.spill_store_bytes},
          {"spill_load_bytes", r.spill_load_bytes},
          {"stack_bytes", r.stack_bytes}};
}

namespace {

json traffic_json(const metrics::Traffic& t, bool shared) {
  if (shared)
    return {{"requests", t.requests},
            {"wavefronts", t.wavefronts},
            {"minimum_wavefronts", t.minimum_wavefronts},
            {"conflicts", t.excess_wavefronts()}};
  return {{"requests", t.requests}, {"sectors", t.sectors}, {"minimum_sectors", t.minimum_sectors}};
}

// The rows of a table, in its order.
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
// Plain loads and stores are always shown, the others where there are some.
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
                 {"ncu", std::move(ncu)}};
  for (const TrafficRow& row : kTrafficRows) result[row.key] = traffic_json(s.traffic.*row.kind, row.shared);
  return result;
}

json coverage_json(const experiment::GridCoverage& c) {
  json result = {{"text", coverage_text(c)},
                 {"blocks", c.blocks},
                 {"executed_blocks", c.executed},
                 {"classes", c.classes}};
  if (!c.why_whole.empty()) result["why_all_blocks"] = c.why_whole;
  return result;
}

json verification_json(const experiment::Verification& v) {
  return {{"checked", v.checked()},
          {"right", v.right()},
          {"wrong_elements", v.wrong_elements},
          {"largest_error", v.largest_error},
          {"largest_error_over_bound", v.largest_ratio},
          {"reference", v.reference.empty() ? "float64" : v.reference}};
}

json bank_row_json(const metrics::BankRow& row, const experiment::CompiledKernel& compiled) {
  return {{"address", compiled.instructions[row.instruction].address},
          {"text", compiled.text[row.instruction]},
          {"place", place_text(compiled, row.instruction)},
          {"direction", direction_text(row.direction)},
          {"width_bytes", row.width_bytes},
          {"executions", row.executions},
          {"wavefronts", row.wavefronts},
          {"minimum", row.minimum},
          {"conflicts", row.excess()},
          {"worst_degree", row.worst_degree}};
}

namespace {

const char* origin_text(compile::CubinSource origin) {
  switch (origin) {
    case compile::CubinSource::compiled:
      return "compiled now";
    case compile::CubinSource::disk_cache:
      return "from the compile cache";
    case compile::CubinSource::prebuilt_pack:
      return "prebuilt";
  }
  return "";
}

}  // namespace

void print_heading(const experiment::CompiledKernel& compiled, const experiment::Experiment& e) {
  const catalog::Launch& l = compiled.launch;
  fmt::print("{} ({}), {}: M {} N {} K {}, alpha {} beta {}\n", compiled.kernel.id, compiled.kernel.title,
             isa::arch_name(e.arch), e.problem.m, e.problem.n, e.problem.k, e.problem.alpha, e.problem.beta);
  fmt::print("grid {} x {} x {} blocks of {} x {} x {} threads; machine code {} ({})\n", l.grid[0], l.grid[1],
             l.grid[2], l.block[0], l.block[1], l.block[2], origin_text(compiled.origin), compiled.compiler);
  if (compiled.parts.size() > 1)
    fmt::print("{} of its {} launches is shown: {}\n", compiled.shown_part + 1, compiled.parts.size(),
               compiled.parts[compiled.shown_part].title);
  for (const std::string& guess : compiled.kernel.guesses) fmt::print("guessed: {}\n", guess);
}

void print_resources(const experiment::CompiledKernel& compiled) {
  const experiment::Resources& r = compiled.resources;
  fmt::print(
      "{} registers a thread, {} bytes of shared memory a block, {} barrier{}, spills {} bytes stored and {} "
      "loaded\n",
      r.registers, r.static_shared_bytes + r.dynamic_shared_bytes, r.barriers, r.barriers == 1 ? "" : "s",
      r.spill_store_bytes, r.spill_load_bytes);
}

void print_summary(const metrics::CounterSummary& s) {
  fmt::print(
      "\nwarp instructions   {:>14}\nthread instructions {:>14}\nFLOPs               {:>14}  (FFMA {}, FADD "
      "{}, FMUL {}{})\n\n",
      s.warp_instructions, s.thread_instructions, s.flops(), s.ffma, s.fadd, s.fmul,
      s.tensor_flops == 0 ? "" : fmt::format(", {} of tensor cores", s.tensor_flops));
  for (const bool shared : {false, true}) {
    fmt::print("{:<16}{:>14}{:>14}{:>14}{:>14}\n", "", "requests", shared ? "wavefronts" : "sectors", "least",
               shared ? "conflicts" : "excess");
    for (const TrafficRow& row : kTrafficRows) {
      if (row.shared != shared || !is_shown(row, s)) continue;
      const metrics::Traffic& t = s.traffic.*row.kind;
      fmt::print("{:<16}{:>14}{:>14}{:>14}{:>14}\n", row.title, t.requests, shared ? t.wavefronts : t.sectors,
                 shared ? t.minimum_wavefronts : t.minimum_sectors,
                 shared ? t.excess_wavefronts() : t.excess_sectors());
    }
  }
  if (!metrics::copies_in_order(s))
    fmt::print(
        "wavefronts of async copies are those of their addresses; where they go past L1 or lanes meet in a "
        "bank, a GPU's depend on when the bytes arrive too\n");
  fmt::print("\nwarp instructions by opcode\n");
  std::vector<std::pair<std::string, uint64_t>> opcodes(s.by_opcode.begin(), s.by_opcode.end());
  std::stable_sort(opcodes.begin(), opcodes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [opcode, count] : opcodes)
    fmt::print("  {:<12}{:>14}  {:5.1f} %\n", opcode, count,
               100.0 * static_cast<double>(count) / static_cast<double>(s.warp_instructions));
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

// As ncu writes a metric that it has no value of.
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
               "least", "conflicts", "worst");
  for (const metrics::BankRow& row : rows)
    fmt::print("{:<8}{:>12}{:>12}{:>10}{:>11}{:>5}x   {}  {}\n",
               fmt::format("{:#06x}", compiled.instructions[row.instruction].address), row.executions,
               row.wavefronts, row.minimum, row.excess(), row.worst_degree, compiled.text[row.instruction],
               place_text(compiled, row.instruction));
}

namespace {

const char* finding_name(machine::FindingKind kind) {
  switch (kind) {
    case machine::FindingKind::uninitialised_shared:
      return "uninitialised_shared";
    case machine::FindingKind::uninitialised_global:
      return "uninitialised_global";
    case machine::FindingKind::shared_race:
      return "shared_race";
    case machine::FindingKind::barrier_divergence:
      return "barrier_divergence";
  }
  return "";
}

}  // namespace

json findings_json(const std::vector<machine::Finding>& findings,
                   const experiment::CompiledKernel& compiled) {
  json list = json::array();
  for (const machine::Finding& f : findings)
    list.push_back({{"kind", finding_name(f.kind)},
                    {"instruction", f.instruction},
                    {"place", place_text(compiled, f.instruction)},
                    {"block", f.block},
                    {"warp", f.warp},
                    {"lane", f.lane},
                    {"address", f.address},
                    {"times", f.times},
                    {"text", experiment::finding_text(f, compiled)}});
  return list;
}

void print_findings(const std::vector<machine::Finding>& findings, const experiment::CompiledKernel& compiled,
                    std::FILE* stream) {
  if (findings.empty()) return;
  fmt::print(stream, "\nMISTAKES of the kernel, which depend on luck on a GPU ({}{}):\n", findings.size(),
             findings.size() == machine::Findings::kLimit ? " or more" : "");
  for (const machine::Finding& finding : findings)
    fmt::print(stream, "  {}\n", experiment::finding_text(finding, compiled));
}

namespace {

json fault_json(const machine::Fault& fault, const experiment::CompiledKernel& compiled) {
  return {
      {"instruction", fault.instruction},
      {"place", fault.instruction < compiled.places.size() ? place_text(compiled, fault.instruction) : ""},
      {"block", fault.block},
      {"warp", fault.warp},
      {"lane", fault.lane},
      {"address", fault.address},
      {"text", fault.what}};
}

}  // namespace

int print_failed_run(const experiment::Failure& failure, const experiment::CompiledKernel& compiled,
                     const experiment::Experiment& experiment, bool as_json) {
  print_failure(failure);
  if (!failure.fault) return kFailed;
  if (as_json)
    print_json({{"experiment", experiment_json(experiment)},
                {"fault", fault_json(*failure.fault, compiled)},
                {"findings", findings_json(failure.findings, compiled)}});
  else
    print_findings(failure.findings, compiled, stderr);
  return kFailed;
}

void print_verification(const experiment::Verification& v) {
  if (!v.checked()) return fmt::print("the result is not verified: {}\n", v.unchecked);
  if (!v.reference.empty()) {
    if (v.right())
      return fmt::print("the result is right: as {} makes it, {}\n", v.reference,
                        v.largest_error > 0
                            ? fmt::format("up to {:.3g}, within its tolerance", v.largest_error)
                            : "bit for bit");
    return fmt::print("the result is WRONG: {} elements are not as {} makes them\n", v.wrong_elements,
                      v.reference);
  }
  if (v.right()) {
    fmt::print("C is right: largest error against float64 {:.3g}, {:.2f} of the rounding bound\n",
               v.largest_error, v.largest_ratio);
  } else {
    fmt::print(
        "C is WRONG: {} elements are beyond the rounding bound, largest error against float64 {:.3g}\n",
        v.wrong_elements, v.largest_error);
    if (!v.hint.empty()) fmt::print("but {}\n", v.hint);
  }
}

}  // namespace gemmscope::cli
