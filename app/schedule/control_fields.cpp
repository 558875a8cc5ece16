#include "schedule/control_fields.h"

#include <algorithm>
#include <array>
#include <set>

#include "isa/encode.h"
#include "isa/opcode_table.h"
#include "isa/register_use.h"
#include "lint/lint.h"
#include "lint/pending.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;
using isa::Opcode;

struct SlotRead {
  uint8_t slot = 0, reg = 0;
};

template <typename Visit>
void for_slot_reads(const Instruction& instruction, Visit visit) {
  for (const isa::RegisterRead& read : isa::register_use(instruction).reads)
    for (int w = 0; w < read.words; ++w)
      visit(SlotRead{std::min<uint8_t>(read.slot, 2), static_cast<uint8_t>(read.reg + w)});
}

bool writes(const Instruction& instruction, uint8_t reg) {
  for (const auto& range : isa::register_use(instruction).writes)
    if (reg >= range.reg && reg < range.reg + range.words) return true;
  return false;
}

// Whether the next instruction behind `at` that reads this slot and bank is a product that reads `reg`.
bool is_read_next(const std::vector<Instruction>& instructions, uint32_t at, uint32_t end, SlotRead wanted) {
  if (writes(instructions[at], wanted.reg)) return false;
  for (uint32_t i = at + 1; i < end; ++i) {
    bool reads_slot = false, same = false;
    for_slot_reads(instructions[i], [&](SlotRead read) {
      if (read.slot != wanted.slot || read.reg % 2 != wanted.reg % 2) return;
      reads_slot = true;
      same |= read.reg == wanted.reg;
    });
    if (reads_slot) return same && is_free_product(instructions[i]);
    if (writes(instructions[i], wanted.reg)) return false;
  }
  return false;
}

// Scoreboards that loads from shared memory may not share: those that DEPBAR counts, and those of results of
// other instructions.
uint8_t scoreboards_of_others(const std::vector<Instruction>& instructions, Range region) {
  uint8_t used = 0;
  const auto use = [&](uint8_t scoreboard) {
    if (scoreboard < lint::kScoreboards) used |= static_cast<uint8_t>(1u << scoreboard);
  };
  for (uint32_t i = region.first; i < region.end; ++i) {
    const Instruction& instruction = instructions[i];
    if (instruction.opcode != Opcode::lds) use(instruction.control.write_scoreboard);
    for (int k = 0; k < instruction.operand_count; ++k) {
      const isa::Operand& operand = instruction.operands[static_cast<size_t>(k)];
      if (operand.is(isa::OperandKind::scoreboard)) use(operand.index);
      if (operand.is(isa::OperandKind::scoreboard_set)) used |= static_cast<uint8_t>(operand.value);
    }
  }
  return used;
}

// Scoreboards of loads from global memory elsewhere in the loop: whoever waits for one waits for these too.
uint8_t scoreboards_of_long_loads(const std::vector<Instruction>& instructions, Range body, Range region) {
  uint8_t used = 0;
  for (uint32_t i = body.first; i < body.end; ++i) {
    if (i >= region.first && i < region.end) continue;
    const bool is_long = instructions[i].opcode == Opcode::ldg || instructions[i].opcode == Opcode::ld ||
                         instructions[i].opcode == Opcode::ldl;
    const uint8_t scoreboard = instructions[i].control.write_scoreboard;
    if (is_long && scoreboard < lint::kScoreboards) used |= static_cast<uint8_t>(1u << scoreboard);
  }
  return used;
}

// The place of the first instruction behind `at` that reads what `at` writes, or the end.
uint32_t first_reader(const std::vector<Instruction>& instructions, uint32_t at, uint32_t end) {
  const isa::RegisterUse use = isa::register_use(instructions[at]);
  for (uint32_t i = at + 1; i < end; ++i) {
    bool reads = false;
    for_slot_reads(instructions[i], [&](SlotRead read) {
      for (const auto& range : use.writes)
        reads |= read.reg >= range.reg && read.reg < range.reg + range.words;
    });
    if (reads) return i;
  }
  return end;
}

// Chooses the scoreboard whose loads are waited for when, or before, this load's result is needed.
class Scoreboards {
 public:
  explicit Scoreboards(uint8_t taken) : taken_(taken) {}
  bool any() const { return (taken_ & kAll) != kAll; }

  uint8_t choose(uint32_t at, uint32_t needed) {
    size_t best = lint::kScoreboards;
    int64_t least = 0;
    for (size_t k = 0; k < lint::kScoreboards; ++k) {
      if ((taken_ >> k & 1) != 0) continue;
      int64_t delay = static_cast<int64_t>(used_[k]) - kFarAway;  // of equals the one used longest ago
      for (const Load& load : loads_[k])
        if (load.needed > at)
          delay += kFarAway * (std::max<int64_t>(0, int64_t{at} + kLatency - load.needed) +
                               (load.needed > needed ? 1 : 0));
      if (best == lint::kScoreboards || delay < least) best = k, least = delay;
    }
    note(best, at, needed);
    return static_cast<uint8_t>(best);
  }
  void note(size_t scoreboard, uint32_t at, uint32_t needed) {
    loads_[scoreboard].push_back({needed});
    used_[scoreboard] = at;
  }

 private:
  static constexpr uint8_t kAll = 0x3f;
  static constexpr int64_t kLatency = 60, kFarAway = 1 << 20;
  struct Load {
    uint32_t needed = 0;
  };
  uint8_t taken_;
  std::array<std::vector<Load>, lint::kScoreboards> loads_;
  std::array<uint32_t, lint::kScoreboards> used_{};
};

// A load without a scoreboard is covered by the next one that has one, as long as that keeps its own.
uint8_t covering_scoreboard(const std::vector<Instruction>& before, Range region, uint32_t index) {
  for (uint32_t i = region.first + index; i < region.end; ++i)
    if (before[i].opcode == Opcode::lds && before[i].control.write_scoreboard < lint::kScoreboards)
      return before[i].control.write_scoreboard;
  return lint::kNoScoreboard;
}

// A copy without a scoreboard has read its registers when the next one that has one did; now that others may
// have its registers before, it says so itself.
void name_reads_of_copies(std::vector<Instruction>& instructions, Range region) {
  uint8_t next = lint::kNoScoreboard;
  for (uint32_t i = region.end; i-- > region.first;) {
    if (instructions[i].opcode != Opcode::ldgsts) continue;
    uint8_t& read = instructions[i].control.read_scoreboard;
    if (read >= lint::kScoreboards) read = next;
    next = read;
  }
}

// Before a barrier the code waited for these loads, since something read them; so the barrier waits.
void wait_at_barriers(std::vector<Instruction>& instructions, Range region, const Origin& origin,
                      const std::vector<Instruction>& before) {
  for (uint32_t bar = region.first; bar < region.end; ++bar) {
    const Opcode opcode = instructions[bar].opcode;
    if (opcode != Opcode::bar && opcode != Opcode::membar) continue;
    const uint32_t bar_before = region.first + origin.index[bar - region.first];
    for (uint32_t load = region.first; load < bar; ++load) {
      if (origin.is_fragment[load - region.first] == 0) continue;
      const bool waited_before =
          first_reader(before, region.first + origin.index[load - region.first], region.end) < bar_before;
      if (waited_before && first_reader(instructions, load, region.end) > bar)
        instructions[bar].control.wait_mask |=
            static_cast<uint8_t>(1u << instructions[load].control.write_scoreboard);
    }
  }
}

// Longer stalls need the yield bit (lint/README.md).
constexpr int kLongestWithoutYield = 11, kLongestStall = 15;

bool add_stall(std::vector<Instruction>& instructions, uint32_t consumer, int cycles) {
  for (uint32_t i = consumer; i-- > 0 && i + 4 >= consumer && cycles > 0;) {
    isa::Control& control = instructions[i].control;
    const int stall = std::min(kLongestStall, std::max<int>(1, control.stall_cycles) + cycles);
    cycles -= stall - std::max<int>(1, control.stall_cycles);
    control.stall_cycles = static_cast<uint8_t>(stall);
    if (stall > kLongestWithoutYield) control.yield = true;
  }
  return cycles <= 0;
}

bool mend(std::vector<Instruction>& instructions, const lint::Finding& finding) {
  const lint::Dependence& dependence = finding.dependence;
  const uint32_t consumer = dependence.consumer;
  switch (finding.kind) {
    case lint::FindingKind::too_few_cycles:
      return add_stall(instructions, consumer, finding.needed_cycles - dependence.cycles);
    case lint::FindingKind::no_wait: {
      const auto bit = static_cast<uint8_t>(1u << finding.scoreboard);
      isa::Control& control = instructions[consumer].control;
      // It waits already, but so soon that it does not see the scoreboard.
      if ((control.wait_mask & bit) != 0) return add_stall(instructions, consumer, 1);
      control.wait_mask |= bit;
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

void set_reuse_flags(std::vector<Instruction>& instructions, Range region) {
  for (uint32_t i = region.first; i < region.end; ++i) {
    for (uint8_t slot = 0; slot < 3; ++slot) set_reuse(instructions[i], slot, false);
    instructions[i].control.reuse = 0;
  }
  for (uint32_t i = region.first; i < region.end; ++i) {
    if (!is_free_product(instructions[i])) continue;
    std::array<bool, 3> again{};
    for_slot_reads(instructions[i], [&](SlotRead read) {
      again[read.slot] = is_read_next(instructions, i, region.end, read);
    });
    for (uint8_t slot = 0; slot < 3; ++slot)
      if (again[slot]) set_reuse(instructions[i], slot, true);
  }
}

Result<void> set_scoreboards(std::vector<Instruction>& instructions, Range body, Range region,
                             const Origin& origin, const std::vector<Instruction>& before) {
  name_reads_of_copies(instructions, region);
  constexpr uint32_t kReadPlaces = 40;  // until a queued instruction has read its registers
  const uint8_t others = scoreboards_of_others(instructions, region);
  Scoreboards scoreboards(
      static_cast<uint8_t>(others | scoreboards_of_long_loads(instructions, body, region)));
  if (!scoreboards.any()) scoreboards = Scoreboards(others);
  for (uint32_t i = region.first; i < region.end; ++i) {
    Instruction& instruction = instructions[i];
    const bool is_fragment = origin.is_fragment[i - region.first] != 0;
    if (is_free_product(instruction) || is_fragment) instruction.control.wait_mask = 0;
    if (const uint8_t read = instruction.control.read_scoreboard; read < lint::kScoreboards)
      scoreboards.note(read, i, i + kReadPlaces);
    if (instruction.opcode != Opcode::lds) continue;
    const uint32_t needed = first_reader(instructions, i, region.end);
    uint8_t& scoreboard = instruction.control.write_scoreboard;
    if (is_fragment) {
      if (!scoreboards.any())
        return fail("All six scoreboards belong to other instructions than the loads from shared memory.");
      scoreboard = scoreboards.choose(i, needed);
    } else {
      if (scoreboard >= lint::kScoreboards)
        scoreboard = covering_scoreboard(before, region, origin.index[i - region.first]);
      if (scoreboard < lint::kScoreboards) scoreboards.note(scoreboard, i, needed);
    }
  }
  wait_at_barriers(instructions, region, origin, before);
  return {};
}

Result<void> satisfy_lint(std::vector<Instruction>& instructions) {
  constexpr int kMostRounds = 200;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<lint::Finding> findings = lint::lint(instructions).findings;
    if (findings.empty()) return {};
    // A wait or a stall helps those behind it too, so each round mends one place for each producer.
    std::set<uint32_t> producers;
    for (const lint::Finding& finding : findings) {
      if (!producers.insert(finding.dependence.producer).second) continue;
      if (!mend(instructions, finding))
        return fail("The hazard lint refuses it at {:#06x}: {}",
                    instructions[finding.dependence.consumer].address,
                    lint::finding_text(finding, instructions));
    }
  }
  return fail("The hazard lint still has findings after {} rounds of adding waits and stall cycles.",
              kMostRounds);
}

}  // namespace gemmscope::schedule
