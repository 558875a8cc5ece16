// The hazard lint: does each dependency of a kernel's machine code have its stall count or its scoreboard?
//
// The compiler schedules and the hardware obeys, so a missing cycle or wait gives a wrong result, silently.
// This follows every register and predicate along every path of control flow and compares what the control
// fields guarantee with what each unit needs (latency.h; README.md has the evidence).
//
// Leaves out: memory (what a barrier, a fence or the end of an asynchronous copy orders); convergence
// barriers and return addresses, which the hardware tracks; accumulators of a warpgroup's product; textures'
// and tensor copies' registers but for the first of each operand. Code that only an indirect branch reaches
// is checked as if nothing were pending. Sound code must give no finding, so where facts disagree the smaller
// number is taken, and not every broken kernel is caught.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cubin/cubin.h"
#include "isa/instruction.h"
#include "lint/dependence.h"

namespace gemmscope::lint {

enum class FindingKind : uint8_t {
  too_few_cycles,    // `dependence` needs more cycles than the stall counts give
  no_wait,           // nothing waits for the producer's scoreboard on some path
  no_scoreboard,     // the producer sets none
  depbar_stall,      // DEPBAR stalls too short a time to see the scoreboards
  copies_untracked,  // LDGDEPBAR sets no scoreboard, so nothing can wait for the copies before it
};

struct Finding {
  FindingKind kind = FindingKind::too_few_cycles;
  Dependence dependence;   // of the last two kinds: producer and consumer are the instruction itself
  int needed_cycles = 0;   // too_few_cycles, depbar_stall
  uint8_t scoreboard = 0;  // no_wait
};

struct LintResult {
  std::vector<Finding> findings;             // by the consumer's address; one for each pair of instructions
  size_t instructions = 0, dependences = 0;  // checked
};

// `instructions`: a kernel's code from its entry on, without gaps.
LintResult lint(const std::vector<isa::Instruction>& instructions);

struct LintedKernel {
  std::string name;
  std::vector<isa::Instruction> instructions;
  LintResult result;
};
// Every kernel of a cubin.
std::vector<LintedKernel> lint_cubin(const cubin::Cubin& cubin);

// What is missing, for the line of the consumer: "R4 is read 2 cycles after FFMA at 0x0120 issues; it needs
// 4".
std::string finding_text(const Finding& finding, const std::vector<isa::Instruction>& instructions);
// In few words: "needs 4 cycles, has 2", "no wait on scoreboard 2".
std::string missing_text(const Finding& finding);

}  // namespace gemmscope::lint
