#include "schedule/proof.h"

#include <algorithm>
#include <map>

#include "isa/control_flow.h"
#include "isa/disassemble.h"
#include "lint/place.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;
using lint::Place;

// One word that one instruction (of the code before) wrote; kEntryOf + place where nothing wrote it.
using Definition = uint64_t;
using Definitions = std::vector<Definition>;  // sorted
constexpr Definition kEntryOf = Definition{1} << 40;

Definition definition(uint32_t instruction, uint8_t word) { return Definition{instruction} << 8 | word; }

bool merge(Definitions& into, const Definitions& from) {
  if (std::includes(into.begin(), into.end(), from.begin(), from.end())) return false;
  Definitions merged;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(merged));
  into = std::move(merged);
  return true;
}

// What may have written each place when an instruction issues.
class Reaching {
 public:
  // `names[i]`: what instruction i is called in definitions.
  Reaching(const std::vector<Instruction>& code, const std::vector<uint32_t>& names)
      : code_(code), names_(names), flow_(code) {
    for (const Instruction& instruction : code) uses_.push_back(isa::register_use(instruction));
    find_blocks();
    run();
  }

  // Calls visit(i, state before instruction i) for every instruction that is reached.
  template <typename Visit>
  void visit_all(Visit visit) {
    for (size_t b = 0; b + 1 < starts_.size(); ++b) {
      if (entry_[b].empty()) continue;
      State state = entry_[b];
      for (uint32_t i = starts_[b]; i < starts_[b + 1]; ++i) {
        visit(i, state);
        step(i, state);
      }
    }
  }

  using State = std::vector<Definitions>;  // by place
 private:
  void find_blocks() {
    const auto count = static_cast<uint32_t>(code_.size());
    std::vector<char> leads(count + 1);
    leads[0] = leads[count] = 1;
    for (uint32_t i = 0; i < count; ++i) {
      const auto next = flow_.successors(i);
      if (next.size() == 1 && next[0] == i + 1 && !isa::ends_block(code_[i])) continue;
      leads[i + 1] = 1;
      for (const uint32_t n : next) leads[n] = 1;
    }
    block_of_.resize(count);
    for (uint32_t i = 0; i <= count; ++i) {
      if (leads[i] != 0) starts_.push_back(i);
      if (i < count) block_of_[i] = static_cast<uint32_t>(starts_.size()) - 1;
    }
    entry_.resize(starts_.size());
  }

  void step(uint32_t i, State& state) const {
    const bool always = code_[i].guard.always();
    lint::for_writes(uses_[i], [&](Place place, uint8_t word, uint8_t) {
      const Definition one = definition(names_[i], word);
      if (always) state[place].clear();
      merge(state[place], {one});
    });
  }

  void enter(uint32_t instruction, const State& state) {
    const uint32_t block = block_of_[instruction];
    bool changed = entry_[block].empty();
    if (changed) entry_[block].resize(lint::kPlaces);
    for (Place place = 0; place < lint::kPlaces; ++place)
      changed |= merge(entry_[block][place], state[place]);
    if (changed) work_.push_back(block);
  }

  void run() {
    State start(lint::kPlaces);
    for (Place place = 0; place < lint::kPlaces; ++place) start[place] = {kEntryOf + place};
    enter(0, start);
    while (!work_.empty()) {
      const uint32_t block = work_.back();
      work_.pop_back();
      State state = entry_[block];
      for (uint32_t i = starts_[block]; i < starts_[block + 1]; ++i) step(i, state);
      const uint32_t last = starts_[block + 1] - 1;
      for (const uint32_t next : flow_.successors(last)) enter(next, state);
      if (isa::is_return(code_[last]))
        for (const uint32_t site : flow_.return_sites()) enter(site, state);
    }
  }

  const std::vector<Instruction>& code_;
  const std::vector<uint32_t>& names_;
  isa::ControlFlow flow_;
  std::vector<isa::RegisterUse> uses_;
  std::vector<uint32_t> starts_, block_of_, work_;
  std::vector<State> entry_;  // by block; empty: not reached
};

// One read with all that decides its value.
struct ReadValue {
  Definitions definitions;
  int sign = 0;  // of a product's factor
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a comparison for a pointer.
  friend auto operator<=>(const ReadValue&, const ReadValue&) = default;
};

std::vector<ReadValue> reads_of(const Instruction& instruction, const Reaching::State& state) {
  std::vector<ReadValue> reads;
  if (const auto guard = lint::guard_place(instruction.guard)) reads.push_back({state[*guard], 0});
  if (is_free_product(instruction)) {
    for (size_t k = 1; k < 4; ++k) {
      const isa::Operand& operand = instruction.operands[k];
      const int sign = (operand.negate ? 1 : 0) + (operand.absolute ? 2 : 0);
      const bool in_register = operand.is(isa::OperandKind::reg) && operand.index != isa::kRegisterZero;
      ReadValue read{in_register ? state[operand.index] : Definitions{}, sign};
      if (operand.is(isa::OperandKind::real) || operand.is(isa::OperandKind::constant))
        read.definitions = {~Definition{0}, static_cast<Definition>(operand.value), operand.bank_or_scale};
      reads.push_back(std::move(read));
    }
    std::sort(reads.begin(), reads.begin() + 2);
    return reads;
  }
  lint::for_reads(isa::register_use(instruction), [&](Place place, uint8_t, uint8_t) {
    reads.push_back({state[place], 0});
  });
  return reads;
}

// Everything that an instruction does apart from the registers that are chosen again.
bool same_operation(const Instruction& before, const Instruction& now) {
  if (before.row != now.row || before.form != now.form || !(before.guard == now.guard)) return false;
  if (before.operand_count != now.operand_count || before.modifier_count != now.modifier_count) return false;
  for (size_t m = 0; m < static_cast<size_t>(before.modifier_count); ++m)
    if (before.modifiers[m] != now.modifiers[m]) return false;
  if (is_free_product(before)) return is_free_product(now);
  for (size_t k = 0; k < static_cast<size_t>(before.operand_count); ++k) {
    isa::Operand a = before.operands[k], b = now.operands[k];
    a.reuse = b.reuse = false;
    if (before.opcode == isa::Opcode::lds && k == 0) a.index = b.index;
    if (!(a == b)) return false;
  }
  return true;
}

// Each instruction stands once, in its own region, and only free products pass others.
Result<void> check_order(const std::vector<Instruction>& before, const std::vector<uint32_t>& moved,
                         const std::vector<Range>& regions) {
  std::vector<char> seen(before.size());
  for (const uint32_t i : moved) {
    if (i >= before.size() || seen[i] != 0) return fail("An instruction is missing or stands twice.");
    seen[i] = 1;
  }
  for (uint32_t i = 0; i < moved.size(); ++i) {
    const bool inside = std::any_of(regions.begin(), regions.end(), [&](const Range& region) {
      return i >= region.first && i < region.end && moved[i] >= region.first && moved[i] < region.end;
    });
    if (moved[i] != i && !inside)
      return fail("The instruction at {:#06x} left the part of the loop in which it may move.",
                  before[moved[i]].address);
  }
  for (const Range& region : regions) {
    uint32_t last = 0;
    for (uint32_t i = region.first; i < region.end; ++i) {
      if (is_free_product(before[moved[i]])) continue;
      if (moved[i] < last)
        return fail("{} at {:#06x} may not move: only multiply-adds do.", isa::disassemble(before[moved[i]]),
                    before[moved[i]].address);
      last = moved[i];
    }
  }
  return {};
}

}  // namespace

Result<void> prove_same(const std::vector<Instruction>& before, const std::vector<Instruction>& now,
                        const std::vector<uint32_t>& moved, const std::vector<Range>& regions) {
  if (before.size() != now.size() || moved.size() != now.size())
    return fail("The code has {} instructions in place of {}.", now.size(), before.size());
  if (auto order = check_order(before, moved, regions); !order) return order;
  for (uint32_t i = 0; i < now.size(); ++i)
    if (!same_operation(before[moved[i]], now[i]))
      return fail("The instruction at {:#06x} no longer does what it did.", before[moved[i]].address);
  std::vector<uint32_t> itself(before.size());
  for (uint32_t i = 0; i < itself.size(); ++i) itself[i] = i;
  std::map<uint32_t, std::vector<ReadValue>> read_before;
  Reaching(before, itself).visit_all([&](uint32_t i, const Reaching::State& state) {
    read_before[i] = reads_of(before[i], state);
  });
  Result<void> proved;
  Reaching(now, moved).visit_all([&](uint32_t i, const Reaching::State& state) {
    const auto found = read_before.find(moved[i]);
    if (!proved || (found != read_before.end() && found->second == reads_of(now[i], state))) return;
    proved = fail("{} at {:#06x} would read another value than before.", isa::disassemble(now[i]),
                  before[moved[i]].address);
  });
  return proved;
}

}  // namespace gemmscope::schedule
