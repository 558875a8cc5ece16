// Machine code broken on purpose. What matters is decided without the lint: from the disassembly, by looking
// for the name of a register, in code without branches. So every one of these breakages must be found.
#include <random>
#include <set>

#include "code.h"
#include "isa/opcode_table.h"
#include "machine_code.h"

namespace gemmscope::lint {
namespace {

using isa::Instruction;

constexpr int kStall = 105, kWriteScoreboard = 110, kReadScoreboard = 113, kWaitMask = 116;
constexpr uint64_t kNone = 7;

Instruction changed(const Instruction& instruction, int first_bit, int width, uint64_t value) {
  const uint64_t mask = ((1ull << width) - 1) << (first_bit - 64);
  const uint64_t hi = (instruction.hi & ~mask) | value << (first_bit - 64);
  return isa::decode(instruction.lo, hi, instruction.address, instruction.arch);
}
Instruction without_wait(const Instruction& instruction, uint64_t scoreboard) {
  return changed(instruction, kWaitMask, 6, instruction.control.wait_mask & ~(1ull << scoreboard));
}

// The operands after the first comma contain this register, or a memory address does.
bool names(const std::string& operands, const std::string& reg) {
  for (size_t at = operands.find(reg); at != std::string::npos; at = operands.find(reg, at + 1)) {
    const bool starts = at == 0 || (!std::isalnum(static_cast<unsigned char>(operands[at - 1])));
    const size_t end = at + reg.size();
    if (starts && (end == operands.size() || std::isdigit(static_cast<unsigned char>(operands[end])) == 0))
      return true;
  }
  return false;
}

struct Line {
  std::string guard, mnemonic, first, rest;  // "@P0", "FFMA", "R1", "R2, R3, R4 ;"
};
Line line_of(const Instruction& instruction) {
  Line line;
  std::string text = isa::disassemble(instruction);
  if (text.starts_with("@")) {
    line.guard = text.substr(0, text.find(' '));
    text.erase(0, line.guard.size() + 1);
  }
  const size_t blank = text.find(' ');
  line.mnemonic = text.substr(0, text.find_first_of(". "));
  const std::string operands = text.substr(blank + 1);
  const size_t comma = operands.find(',');
  line.first = operands.substr(0, comma);
  line.rest = comma == std::string::npos ? "" : operands.substr(comma + 1);
  return line;
}

bool is_math(const Line& line) {
  static const std::set<std::string> kMath = {"FFMA", "FADD", "FMUL", "IMAD", "IADD3", "LOP3",
                                              "SHF",  "LEA",  "MOV",  "SEL",  "VIADD"};
  return kMath.contains(line.mnemonic);
}
bool is_plain_register(const std::string& name) {
  return name.size() > 1 && name[0] == 'R' && std::isdigit(static_cast<unsigned char>(name[1])) != 0;
}

// A kernel's code, with the lines of its disassembly and where branches lead.
struct Kernel {
  std::string name;
  std::vector<Instruction> code;
  std::vector<Line> lines;
  std::set<uint32_t> entered;  // instructions that a branch may lead to

  explicit Kernel(const LintedKernel& kernel) : name(kernel.name), code(kernel.instructions) {
    for (uint32_t i = 0; i < code.size(); ++i) {
      lines.push_back(line_of(code[i]));
      for (int k = 0; k < code[i].operand_count; ++k)
        if (code[i].operands[static_cast<size_t>(k)].is(isa::OperandKind::target))
          entered.insert(static_cast<uint32_t>(code[i].operands[static_cast<size_t>(k)].value / 16));
    }
  }
  // Whether control goes from instruction i to i + 1 and comes from nowhere else.
  bool goes_on(uint32_t i) const {
    return i + 1 < code.size() && code[i].row->pipe != isa::Pipe::control && !entered.contains(i + 1);
  }
};

// One breakage: what is broken, and the changed instructions by index.
struct Breakage {
  std::string what;
  std::vector<std::pair<uint32_t, Instruction>> changes;
};
using Breakages = std::vector<Breakage>;

void lower_stalls(const Kernel& kernel, Breakages& breakages) {
  for (uint32_t i = 0; i + 1 < kernel.code.size(); ++i) {
    const Line& line = kernel.lines[i];
    if (!kernel.goes_on(i) || !is_math(line) || !line.guard.empty() || !is_plain_register(line.first))
      continue;
    if (!names(kernel.lines[i + 1].rest, line.first) || !kernel.lines[i + 1].guard.empty()) continue;
    breakages.push_back({fmt::format("stall of {} at 0x{:x}", line.mnemonic, 16 * i),
                         {{i, changed(kernel.code[i], kStall, 4, 1)}}});
  }
}

void lower_stalls_of_compares(const Kernel& kernel, Breakages& breakages) {
  for (uint32_t i = 0; i + 1 < kernel.code.size(); ++i) {
    const Line& line = kernel.lines[i];
    if (!kernel.goes_on(i) || line.mnemonic != "ISETP" || !line.guard.empty()) continue;
    const std::string& guard = kernel.lines[i + 1].guard;
    if (guard != "@" + line.first && guard != "@!" + line.first) continue;
    breakages.push_back(
        {fmt::format("stall of ISETP at 0x{:x}", 16 * i), {{i, changed(kernel.code[i], kStall, 4, 11)}}});
  }
}

// Takes away every wait for the scoreboard in (first, last].
void drop_waits(const Kernel& kernel, uint32_t first, uint32_t last, uint64_t scoreboard, Breakage& broken) {
  for (uint32_t j = first + 1; j <= last; ++j)
    if ((kernel.code[j].control.wait_mask >> scoreboard & 1) != 0)
      broken.changes.emplace_back(j, without_wait(kernel.code[j], scoreboard));
}

// The next instruction after i that names the register, on the way without branches; 0: none.
uint32_t next_use(const Kernel& kernel, uint32_t i, const std::string& reg) {
  for (uint32_t j = i + 1; kernel.goes_on(j - 1); ++j)
    if (names(kernel.lines[j].rest, reg) || kernel.lines[j].first == reg || names(kernel.lines[j].first, reg))
      return j;
  return 0;
}

// Loads from global memory: nothing else says when they are done.
void break_loads(const Kernel& kernel, Breakages& breakages) {
  for (uint32_t i = 0; i < kernel.code.size(); ++i) {
    const Line& line = kernel.lines[i];
    const uint64_t scoreboard = kernel.code[i].control.write_scoreboard;
    if ((line.mnemonic != "LDG" && line.mnemonic != "LDC") || !line.guard.empty() || scoreboard == kNone)
      continue;
    if (!is_plain_register(line.first)) continue;
    const uint32_t use = next_use(kernel, i, line.first);
    if (use == 0) continue;
    const std::string place = fmt::format("{} at 0x{:x}", line.mnemonic, 16 * i);
    Breakage no_wait{"wait for " + place, {}};
    drop_waits(kernel, i, use, scoreboard, no_wait);
    breakages.push_back(std::move(no_wait));
    breakages.push_back(
        {"scoreboard of " + place, {{i, changed(kernel.code[i], kWriteScoreboard, 3, kNone)}}});
    uint64_t waited = 0;
    for (uint32_t j = i + 1; j <= use; ++j) waited |= kernel.code[j].control.wait_mask;
    for (uint64_t other = 0; other < 6; ++other)
      if ((waited >> other & 1) == 0)
        breakages.push_back({fmt::format("scoreboard {} for {}", other, place),
                             {{i, changed(kernel.code[i], kWriteScoreboard, 3, other)}}});
  }
}

// The registers that a memory instruction names as sources.
std::set<std::string> sources_of(const Line& line) {
  std::set<std::string> sources;
  const std::string text =
      (line.first.starts_with("[") || line.first.starts_with("desc") ? line.first : "") + line.rest;
  for (size_t at = text.find('R'); at != std::string::npos; at = text.find('R', at + 1)) {
    if (at != 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0) continue;
    size_t end = at + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > at + 1) sources.insert(text.substr(at, end - at));
  }
  return sources;
}

// Sources of a memory instruction that are overwritten while no other one issues.
void break_sources(const Kernel& kernel, Breakages& breakages) {
  for (uint32_t i = 0; i < kernel.code.size(); ++i) {
    const Line& line = kernel.lines[i];
    const isa::Control& control = kernel.code[i].control;
    if (kernel.code[i].row->pipe != isa::Pipe::lsu || control.read_scoreboard == kNone) continue;
    const std::set<std::string> sources = sources_of(line);
    bool result_waited = false;
    for (uint32_t j = i + 1; kernel.goes_on(j - 1); ++j) {
      const isa::Pipe pipe = kernel.code[j].row->pipe;
      if (pipe == isa::Pipe::lsu || pipe == isa::Pipe::sync) break;
      if (control.write_scoreboard != kNone)
        result_waited |= (kernel.code[j].control.wait_mask >> control.write_scoreboard & 1) != 0;
      if (result_waited) break;
      if (!sources.contains(kernel.lines[j].first) || !is_math(kernel.lines[j])) continue;
      const std::string place = fmt::format("{} at 0x{:x}", line.mnemonic, 16 * i);
      breakages.push_back(
          {"read scoreboard of " + place, {{i, changed(kernel.code[i], kReadScoreboard, 3, kNone)}}});
      Breakage no_wait{"wait for the sources of " + place, {}};
      drop_waits(kernel, i, j, control.read_scoreboard, no_wait);
      breakages.push_back(std::move(no_wait));
      break;
    }
  }
}

// Any change that weakens the schedule: a shorter stall, a wait less, a scoreboard less. Many of these leave
// code that is still right, because the schedule had time to spare or something else waits as well.
void weaken_anything(const Kernel& kernel, Breakages& breakages) {
  for (uint32_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Control& control = kernel.code[i].control;
    const std::string place = fmt::format("{} at 0x{:x}", kernel.lines[i].mnemonic, 16 * i);
    if (control.stall_cycles > 1)
      breakages.push_back({"stall of " + place, {{i, changed(kernel.code[i], kStall, 4, 1)}}});
    for (uint64_t k = 0; k < 6; ++k)
      if ((control.wait_mask >> k & 1) != 0)
        breakages.push_back({"wait of " + place, {{i, without_wait(kernel.code[i], k)}}});
    for (const int field : {kWriteScoreboard, kReadScoreboard})
      if ((field == kWriteScoreboard ? control.write_scoreboard : control.read_scoreboard) != kNone)
        breakages.push_back({"scoreboard of " + place, {{i, changed(kernel.code[i], field, 3, kNone)}}});
  }
}

struct Tally {
  size_t tried = 0, caught = 0;
};

// Tries a seeded choice of the breakages, at most so many of each kernel of the pack.
enum class Expect { every, some };
Tally try_breakages(void (*make)(const Kernel&, Breakages&), size_t most_of_a_kernel,
                    Expect expect = Expect::every) {
  Tally tally;
  std::minstd_rand random(12);
  for (const NamedCubin& entry : read_pack())
    for (const LintedKernel& linted : lint_cubin(entry.cubin)) {
      const Kernel kernel(linted);
      Breakages breakages;
      make(kernel, breakages);
      std::shuffle(breakages.begin(), breakages.end(), random);
      breakages.resize(std::min(breakages.size(), most_of_a_kernel));
      for (const Breakage& broken : breakages) {
        std::vector<Instruction> code = kernel.code;
        for (const auto& [index, instruction] : broken.changes) code[index] = instruction;
        const bool caught = !lint(code).findings.empty();
        ++tally.tried;
        tally.caught += caught ? 1 : 0;
        EXPECT_TRUE(caught || expect == Expect::some)
            << entry.name << ": " << kernel.name << ": " << broken.what;
      }
    }
  testing::Test::RecordProperty("tried", static_cast<int>(tally.tried));
  testing::Test::RecordProperty("caught", static_cast<int>(tally.caught));
  fmt::print("{} of {} caught\n", tally.caught, tally.tried);
  return tally;
}

TEST(Broken, LoweredStallCountsAreCaught) { EXPECT_GT(try_breakages(lower_stalls, 15).tried, 500u); }
TEST(Broken, LoweredStallCountsOfComparesAreCaught) {
  EXPECT_GT(try_breakages(lower_stalls_of_compares, 15).tried, 300u);
}
TEST(Broken, LoadsWithoutAWaitOrTheirScoreboardAreCaught) {
  EXPECT_GT(try_breakages(break_loads, 15).tried, 500u);
}
TEST(Broken, OverwrittenSourcesAreCaught) { EXPECT_GT(try_breakages(break_sources, 15).tried, 50u); }

TEST(Broken, MostWeakenedFieldsAreCaught) {
  const Tally tally = try_breakages(weaken_anything, 25, Expect::some);
  EXPECT_GT(tally.tried, 1000u);
  EXPECT_GT(tally.caught * 2, tally.tried);
}

}  // namespace
}  // namespace gemmscope::lint
