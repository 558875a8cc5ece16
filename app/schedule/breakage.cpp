#include "schedule/breakage.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <optional>
#include <set>

#include "isa/control_flow.h"
#include "isa/disassemble.h"
#include "isa/opcode_table.h"
#include "isa/register_use.h"
#include "lint/place.h"
#include "metrics/register_ports.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;
using isa::Opcode;
using lint::Place;
using Places = std::bitset<lint::kPlaces>;

std::string named(const Instruction& instruction) {
  return fmt::format("{} at {:#06x}", isa::mnemonic_text(instruction), instruction.address);
}

// Which memories an instruction reads and writes.
struct MemoryUse {
  bool reads_shared = false, writes_shared = false, reads_other = false, writes_other = false;
  bool orders = false;  // passes no access
  bool any() const { return reads_shared || writes_shared || reads_other || writes_other || orders; }
};

MemoryUse memory_use(const Instruction& instruction) {
  using isa::Pipe;
  MemoryUse use;
  switch (instruction.opcode) {
    case Opcode::lds:
    case Opcode::ldsm:
      use.reads_shared = true;
      return use;
    case Opcode::sts:
    case Opcode::stsm:
      use.writes_shared = true;
      return use;
    case Opcode::ldg:
    case Opcode::ldl:
      use.reads_other = true;
      return use;
    case Opcode::stg:
    case Opcode::stl:
      use.writes_other = true;
      return use;
    case Opcode::ld:
      use.reads_shared = use.reads_other = true;
      return use;
    case Opcode::st:
      use.writes_shared = use.writes_other = true;
      return use;
    case Opcode::s2r:
    case Opcode::s2ur:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::r2ur:
    case Opcode::movm:
      return use;
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma:
    case Opcode::bgmma:
    case Opcode::warpgroup:
    case Opcode::usetmaxreg:
      use.orders = true;
      return use;
    default:
      break;
  }
  const Pipe pipe = instruction.row == nullptr ? Pipe::control : instruction.row->pipe;
  use.orders = pipe == Pipe::lsu || pipe == Pipe::sync || pipe == Pipe::async || pipe == Pipe::control;
  return use;
}

bool may_pass(const MemoryUse& a, const MemoryUse& b) {
  if (!a.any() || !b.any()) return true;
  if (a.orders || b.orders) return false;
  const bool shared =
      (a.writes_shared && (b.reads_shared || b.writes_shared)) || (b.writes_shared && a.reads_shared);
  const bool other =
      (a.writes_other && (b.reads_other || b.writes_other)) || (b.writes_other && a.reads_other);
  return !shared && !other;
}

struct Use {
  Places reads, writes;
  MemoryUse memory;
};

Use use_of(const Instruction& instruction) {
  Use use;
  const isa::RegisterUse registers = isa::register_use(instruction);
  lint::for_reads(registers, [&](Place place, uint8_t, uint8_t) { use.reads.set(place); });
  lint::for_writes(registers, [&](Place place, uint8_t, uint8_t) { use.writes.set(place); });
  if (const auto guard = lint::guard_place(instruction.guard)) use.reads.set(*guard);
  use.memory = memory_use(instruction);
  return use;
}

// Why `later`, which stood behind `earlier`, may not issue before it; empty: it may.
std::string why_not_before(const Instruction& later, const Instruction& earlier, const Use& of_later,
                           const Use& of_earlier) {
  const auto first = [](const Places& places) {
    return lint::place_text(static_cast<Place>(places._Find_first()));
  };
  if (const Places both = of_earlier.writes & of_later.reads; both.any())
    return fmt::format("{} is read here before {} writes it.", first(both), named(earlier));
  if (const Places both = of_earlier.reads & of_later.writes; both.any())
    return fmt::format("{} is written here before {} reads it.", first(both), named(earlier));
  if (const Places both = of_earlier.writes & of_later.writes; both.any())
    return fmt::format("{} is written here before {} writes it, which then has the last word.", first(both),
                       named(earlier));
  if (may_pass(of_later.memory, of_earlier.memory)) return "";
  if (of_earlier.memory.orders)
    return fmt::format("{} must stay behind {}, which orders accesses.", isa::mnemonic_text(later),
                       named(earlier));
  if (of_later.memory.orders)
    return fmt::format("{} orders accesses, so it must stay behind {}.", isa::mnemonic_text(later),
                       named(earlier));
  return fmt::format("{} passes {}, which may be to the same place in memory.", isa::mnemonic_text(later),
                     named(earlier));
}

// A register that a reuse flag keeps.
struct Kept {
  uint32_t flagged = 0;  // the instruction
  uint8_t slot = 0, reg = 0;
};

bool writes(const Instruction& instruction, uint8_t reg) {
  for (const auto& range : isa::register_use(instruction).writes)
    if (reg >= range.reg && reg < range.reg + range.words) return true;
  return false;
}

// Follows all paths to the next read of the slot and bank. Returns who wrote the register before a read that
// finds it in the cache.
std::optional<uint32_t> writer_before_hit(const std::vector<Instruction>& instructions,
                                          const std::vector<metrics::PortReads>& reads,
                                          const isa::ControlFlow& flow, Kept kept) {
  constexpr uint32_t kNobody = ~0u;
  struct At {
    uint32_t instruction, writer;
  };
  std::vector<At> open;
  std::set<std::pair<uint32_t, bool>> seen;
  const auto go_on = [&](uint32_t from, uint32_t writer) {
    for (const uint32_t next : flow.successors(from))
      if (seen.emplace(next, writer != kNobody).second) open.push_back({next, writer});
  };
  go_on(kept.flagged, writes(instructions[kept.flagged], kept.reg) ? kept.flagged : kNobody);
  while (!open.empty()) {
    const At at = open.back();
    open.pop_back();
    bool reads_slot = false, same = false;
    for (const metrics::PortRead& read : reads[at.instruction].list()) {
      if (read.slot != kept.slot || metrics::bank_of(read.reg) != metrics::bank_of(kept.reg)) continue;
      reads_slot = true;
      same |= read.reg == kept.reg;
    }
    if (reads_slot && same && at.writer != kNobody) return at.writer;
    if (reads_slot) continue;
    go_on(at.instruction, writes(instructions[at.instruction], kept.reg) ? at.instruction : at.writer);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Breakage> outlived_flags(const std::vector<Instruction>& instructions) {
  std::vector<Breakage> found;
  std::vector<metrics::PortReads> reads;
  reads.reserve(instructions.size());
  for (const Instruction& instruction : instructions) reads.push_back(metrics::port_reads(instruction));
  const isa::ControlFlow flow(instructions);
  for (uint32_t i = 0; i < instructions.size() && found.size() < kMostBreakages; ++i)
    for (const metrics::PortRead& read : reads[i].list()) {
      if (!read.reuse) continue;
      const auto writer = writer_before_hit(instructions, reads, flow, {i, read.slot, read.reg});
      if (!writer) continue;
      found.push_back(
          {i, fmt::format("The reuse flag of slot {} keeps R{} although {} writes it: the next read "
                          "through the slot finds the old value.",
                          "abc"[read.slot], read.reg, named(instructions[*writer]))});
      break;
    }
  return found;
}

std::vector<Breakage> what_breaks(const std::vector<Instruction>& before, const EditedCode& edited) {
  const std::vector<Instruction>& now = edited.instructions;
  std::vector<Breakage> found;
  std::vector<std::optional<Use>> uses(now.size());
  const auto use = [&](uint32_t place) -> const Use& {
    if (!uses[place]) uses[place] = use_of(now[place]);
    return *uses[place];
  };
  // Instructions move by single places, so those that one has passed are near.
  uint32_t reach = 0;
  for (uint32_t i = 0; i < edited.moved.size(); ++i)
    reach = std::max(reach, edited.moved[i] > i ? edited.moved[i] - i : i - edited.moved[i]);
  for (uint32_t j = 0; j < now.size(); ++j) {
    const auto end = static_cast<uint32_t>(std::min<size_t>(now.size(), size_t{j} + 2 * reach + 1));
    for (uint32_t i = j + 1; i < end && found.size() < kMostBreakages; ++i) {
      if (edited.moved[i] > edited.moved[j]) continue;
      std::string why = why_not_before(now[j], now[i], use(j), use(i));
      if (!why.empty()) found.push_back({j, std::move(why)});
    }
  }
  // What outlives its register in the code before is not the edits' doing.
  const bool was_clean = outlived_flags(before).empty();
  if (was_clean)
    for (Breakage& flag : outlived_flags(now)) found.push_back(std::move(flag));
  std::ranges::stable_sort(found, {}, &Breakage::instruction);
  if (found.size() > kMostBreakages) found.resize(kMostBreakages);
  return found;
}

}  // namespace gemmscope::schedule
