#include "cli/findings_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/output.h"
#include "experiment/pipeline.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"

namespace gemmscope::cli {

using nlohmann::json;
using scenes::place_text;

namespace {

const char* finding_name(machine::FindingKind kind) {
  switch (kind) {
    case machine::FindingKind::uninitialised_shared:
      return "uninitialised_shared";
    case machine::FindingKind::uninitialised_global:
      return "uninitialised_global";
    case machine::FindingKind::shared_race:
      return "shared_race";
    case machine::FindingKind::global_race:
      return "global_race";
    case machine::FindingKind::barrier_divergence:
      return "barrier_divergence";
  }
  return "";
}

}  // namespace

Mistakes mistakes_of(const experiment::GridResult& grid) { return {grid.findings, grid.other_findings}; }

json findings_json(const Mistakes& mistakes, const experiment::CompiledKernel& compiled) {
  json list = json::array();
  const auto add = [&](const machine::Finding& f, const std::string& launch, const std::string& place,
                       const std::vector<std::string>& calls, const std::string& text) {
    list.push_back({{"kind", finding_name(f.kind)},
                    {"launch", launch},
                    {"instruction", f.instruction},
                    {"place", place},
                    {"calls", calls},
                    {"block", f.block},
                    {"warp", f.warp},
                    {"lane", f.lane},
                    {"address", f.address},
                    {"times", f.times},
                    {"text", text}});
  };
  for (const machine::Finding& f : mistakes.shown)
    add(f, compiled.parts[compiled.shown_part].title, place_text(compiled, f.instruction),
        scenes::call_texts(compiled, f.instruction), experiment::finding_text(f, compiled));
  for (const experiment::OtherFinding& other : mistakes.others)
    add(other.finding, other.launch,
        other.line > 0 ? fmt::format("{}:{}", compiled.files[0].name, other.line) : "", {}, other.sentence);
  return list;
}

void print_findings(const Mistakes& mistakes, const experiment::CompiledKernel& compiled, std::FILE* stream) {
  const size_t count = mistakes.shown.size() + mistakes.others.size();
  if (count == 0) return;
  // Each launch reports at most this many findings.
  const bool more = std::max(mistakes.shown.size(), mistakes.others.size()) >= experiment::kMostFindings;
  fmt::print(stream, "\nMISTAKES of the kernel whose effect on a GPU depends on luck ({}{}):\n", count,
             more ? " or more" : "");
  for (const machine::Finding& finding : mistakes.shown)
    fmt::print(stream, "  {}\n", experiment::finding_text(finding, compiled));
  for (const experiment::OtherFinding& other : mistakes.others) fmt::print(stream, "  {}\n", other.sentence);
}

namespace {

json fault_json(const machine::Fault& fault, const experiment::CompiledKernel& compiled) {
  const bool placed = fault.instruction < compiled.places.size();
  return {{"instruction", fault.instruction},
          {"place", placed ? place_text(compiled, fault.instruction) : ""},
          {"calls", placed ? scenes::call_texts(compiled, fault.instruction) : std::vector<std::string>{}},
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
  if (!failure.fault && failure.findings.empty() && failure.other_findings.empty()) return kFailed;
  if (as_json)
    print_json({{"experiment", experiment_json(experiment)},
                {"fault", failure.fault ? fault_json(*failure.fault, compiled) : json(nullptr)},
                {"findings", findings_json({failure.findings, failure.other_findings}, compiled)}});
  else
    print_findings({failure.findings, failure.other_findings}, compiled, stderr);
  return kFailed;
}

}  // namespace gemmscope::cli
