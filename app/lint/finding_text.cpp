#include <fmt/format.h>

#include "isa/disassemble.h"
#include "lint/latency.h"
#include "lint/lint.h"

namespace gemmscope::lint {

namespace {

using isa::Instruction;

std::string cycles_text(int cycles) { return cycles == 1 ? "1 cycle" : fmt::format("{} cycles", cycles); }

std::string named(const Instruction& instruction) {
  return fmt::format("{} at 0x{:04x}", isa::mnemonic_text(instruction), instruction.address);
}

const char* verb_of(DependenceKind kind) {
  switch (kind) {
    case DependenceKind::read_after_write:
      return "read";
    case DependenceKind::write_after_write:
      return "written again";
    case DependenceKind::write_after_read:
      return "overwritten";
  }
  return "";
}

// What the producer's scoreboard would tell.
const char* end_of(DependenceKind kind) {
  return kind == DependenceKind::write_after_read ? "has read it" : "has written it";
}

}  // namespace

std::string finding_text(const Finding& finding, const std::vector<Instruction>& instructions) {
  const Dependence& d = finding.dependence;
  const Instruction& producer = instructions[d.producer];
  switch (finding.kind) {
    case FindingKind::too_few_cycles:
      return fmt::format("{} is {} {} after {} issues; it needs {}", place_text(d.place), verb_of(d.kind),
                         cycles_text(d.cycles), named(producer), finding.needed_cycles);
    case FindingKind::no_wait:
      return fmt::format("{} is {} without a wait on scoreboard {}, which says that {} {}",
                         place_text(d.place), verb_of(d.kind), finding.scoreboard, named(producer),
                         end_of(d.kind));
    case FindingKind::no_scoreboard:
      return fmt::format("{} is {}, but {} sets no scoreboard that says when it {}", place_text(d.place),
                         verb_of(d.kind), named(producer), end_of(d.kind));
    case FindingKind::depbar_stall:
      return fmt::format("DEPBAR stalls {}; the next instruction sees its scoreboards only after {}",
                         cycles_text(d.cycles), finding.needed_cycles);
    case FindingKind::copies_untracked:
      return "LDGDEPBAR sets no scoreboard, so nothing can wait for the copies before it";
  }
  return {};
}

std::string missing_text(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::too_few_cycles:
    case FindingKind::depbar_stall:
      return fmt::format("needs {}, has {}", cycles_text(finding.needed_cycles), finding.dependence.cycles);
    case FindingKind::no_wait:
      return fmt::format("no wait on scoreboard {}", finding.scoreboard);
    case FindingKind::no_scoreboard:
    case FindingKind::copies_untracked:
      return "sets no scoreboard";
  }
  return {};
}

}  // namespace gemmscope::lint
