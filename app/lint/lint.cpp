#include "lint/lint.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "lint/dependences.h"
#include "lint/latency.h"
#include "lint/pending.h"

namespace gemmscope::lint {

namespace {

using isa::Instruction;

// The scoreboard that would say that the dependence is met.
uint8_t scoreboard_for(const Dependence& dependence, const Instruction& producer) {
  const isa::Control& control = producer.control;
  const bool by_read = dependence.kind == DependenceKind::write_after_read ||
                       is_told_by_read_scoreboard(producer, dependence.place);
  return by_read && control.read_scoreboard < kScoreboards ? control.read_scoreboard
                                                           : control.write_scoreboard;
}

std::optional<Finding> check(const Dependence& dependence, const std::vector<Instruction>& instructions) {
  const Instruction& producer = instructions[dependence.producer];
  const int needed = needed_cycles(dependence, producer, instructions[dependence.consumer]);
  if (dependence.waited || (needed != kNeedsWait && dependence.cycles >= needed)) return std::nullopt;
  if (needed != kNeedsWait) return Finding{FindingKind::too_few_cycles, dependence, needed, kNoScoreboard};
  const uint8_t scoreboard = scoreboard_for(dependence, producer);
  const FindingKind kind = scoreboard < kScoreboards ? FindingKind::no_wait : FindingKind::no_scoreboard;
  return Finding{kind, dependence, 0, scoreboard};
}

std::optional<Finding> check_alone(uint32_t i, const Instruction& instruction) {
  const Dependence itself{.producer = i, .consumer = i, .cycles = issue_cycles(instruction.control)};
  if (instruction.opcode == isa::Opcode::depbar && itself.cycles < kDepbarCycles)
    return Finding{FindingKind::depbar_stall, itself, kDepbarCycles, kNoScoreboard};
  if (instruction.opcode == isa::Opcode::ldgdepbar && instruction.control.write_scoreboard >= kScoreboards)
    return Finding{FindingKind::copies_untracked, itself, 0, kNoScoreboard};
  return std::nullopt;
}

}  // namespace

LintResult lint(const std::vector<Instruction>& instructions) {
  LintResult result;
  result.instructions = instructions.size();
  std::set<std::tuple<uint32_t, uint32_t, DependenceKind>> found;
  for_dependences(instructions, [&](const Dependence& dependence) {
    ++result.dependences;
    std::optional<Finding> finding = check(dependence, instructions);
    if (finding && found.emplace(dependence.producer, dependence.consumer, dependence.kind).second)
      result.findings.push_back(*finding);
  });
  for (uint32_t i = 0; i < instructions.size(); ++i)
    if (const std::optional<Finding> finding = check_alone(i, instructions[i]))
      result.findings.push_back(*finding);
  std::stable_sort(result.findings.begin(), result.findings.end(), [](const Finding& a, const Finding& b) {
    return a.dependence.consumer < b.dependence.consumer;
  });
  return result;
}

std::vector<LintedKernel> lint_cubin(const cubin::Cubin& cubin) {
  std::vector<LintedKernel> linted;
  for (const cubin::KernelCode& kernel : cubin.kernels) {
    LintedKernel& added = linted.emplace_back(LintedKernel{kernel.name, {}, {}});
    added.instructions.reserve(kernel.instruction_count());
    for (uint32_t i = 0; i < kernel.instruction_count(); ++i)
      added.instructions.push_back(
          isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], i * isa::kInstructionBytes, cubin.arch));
    added.result = lint(added.instructions);
  }
  return linted;
}

}  // namespace gemmscope::lint
