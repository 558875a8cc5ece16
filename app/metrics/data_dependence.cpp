#include "metrics/data_dependence.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "isa/control_flow.h"
#include "isa/operand_width.h"
#include "isa/special_register.h"
#include "metrics/instruction_effect.h"

namespace gemmscope::metrics {
namespace {

using isa::Instruction;
using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

// Places that can be tainted: registers, uniform registers, predicates, uniform predicates, convergence
// barriers, words of local memory.
constexpr size_t kLocalSlots = 512;  // words of the stack that have a place each
constexpr size_t kUniform = 256, kPredicates = kUniform + 64, kUniformPredicates = kPredicates + 8,
                 kBarriers = kUniformPredicates + 8, kLocal = kBarriers + 16,
                 kPlaces = kLocal + kLocalSlots + 1;
using Taint = std::bitset<kPlaces>;

// The taint before an instruction. Compilers compute and use an address under one guard. So a tainted place
// that is overwritten under a guard is clean for instructions under the same guard, until its predicate
// changes.
struct State {
  Taint tainted;
  std::array<uint8_t, kLocal> clean_under{};  // guard_code; 0: under none
  bool operator==(const State&) const = default;

  Taint seen_by(uint8_t guard) const {
    Taint seen = tainted;
    for (size_t i = 0; i < kLocal && guard != 0; ++i)
      if (clean_under[i] == guard) seen.reset(i);
    return seen;
  }
  void join(const State& other) {
    for (size_t i = 0; i < kLocal; ++i) {
      if (tainted[i] && other.tainted[i]) {
        if (clean_under[i] != other.clean_under[i]) clean_under[i] = 0;
      } else if (other.tainted[i]) {
        clean_under[i] = other.clean_under[i];
      }
    }
    tainted |= other.tainted;
  }
  // Called when the predicate in this place changes.
  void forget_guard(size_t place) {
    for (uint8_t& code : clean_under)
      if (code != 0 && code / 2 == place - kPredicates + 1) code = 0;
  }
};

// Two codes for each predicate, one for its negation; 0 for an instruction that always executes.
uint8_t guard_code(const isa::Guard& guard) {
  if (guard.index == isa::kPredicateTrue) return 0;
  const size_t place = (guard.uniform ? kUniformPredicates : kPredicates) + guard.index;
  return static_cast<uint8_t>(2 * (place - kPredicates + 1) + (guard.negate ? 1 : 0));
}

bool any_of(const Taint& taint, size_t first, size_t index, uint32_t words, size_t zero) {
  for (size_t i = index; i < index + words && i < zero; ++i)
    if (taint[first + i]) return true;
  return false;
}

bool is_address(const Operand& operand) { return operand.is(OperandKind::memory); }

// The first of the predicate places that P2R, R2P or their uniform forms access at once.
size_t predicate_file_of(const Instruction& instruction) {
  const bool uniform = instruction.opcode == Opcode::up2ur || instruction.opcode == Opcode::ur2up;
  return uniform ? kUniformPredicates : kPredicates;
}

// `index`: of the operand, destinations counted.
bool operand_tainted(const Taint& taint, const Instruction& instruction, int index) {
  const Operand& operand = instruction.operands[static_cast<size_t>(index)];
  const uint32_t words = isa::source_words(instruction, index);
  const uint32_t uniform_words = isa::uniform_source_words(instruction, index);
  switch (operand.kind) {
    case OperandKind::reg:
    case OperandKind::indirect_target:
      return any_of(taint, 0, operand.index, words, isa::kRegisterZero);
    case OperandKind::uniform_reg:
      return any_of(taint, kUniform, operand.index, uniform_words, isa::kUniformZero);
    case OperandKind::predicate:
      return operand.index != isa::kPredicateTrue && taint[kPredicates + operand.index];
    case OperandKind::uniform_predicate:
      return operand.index != isa::kPredicateTrue && taint[kUniformPredicates + operand.index];
    case OperandKind::predicate_file:
      return any_of(taint, predicate_file_of(instruction), 0, 7, 7);
    case OperandKind::barrier:
      return taint[kBarriers + operand.index];
    case OperandKind::constant:
      return any_of(taint, kUniform, operand.uniform_index, uniform_words, isa::kUniformZero);
    case OperandKind::indexed_constant:
    case OperandKind::memory:
      return any_of(taint, 0, operand.index, words, isa::kRegisterZero) ||
             any_of(taint, kUniform, operand.uniform_index, uniform_words, isa::kUniformZero);
    case OperandKind::special_reg: {
      using isa::SpecialRegister;
      const auto which = static_cast<SpecialRegister>(operand.index);
      return (which >= SpecialRegister::clock_low && which <= SpecialRegister::global_timer_high) ||
             which == SpecialRegister::virtual_sm_id || which == SpecialRegister::virtual_id;
    }
    default:
      return false;
  }
}

bool guard_tainted(const Taint& taint, const isa::Guard& guard) {
  return guard.index != isa::kPredicateTrue &&
         taint[(guard.uniform ? kUniformPredicates : kPredicates) + guard.index];
}

// Describes the first of an instruction's decisions that depends on data.
std::optional<std::string> dependence(const Taint& taint, const Instruction& instruction) {
  if (guard_tainted(taint, instruction.guard)) return "its guard depends on values in memory";
  const EffectKind kind = kind_of(instruction);
  if (kind == EffectKind::refused) return "its effect cannot be analysed";
  for (int i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[static_cast<size_t>(i)];
    const bool is_source = i >= instruction.destination_count || is_address(operand);
    if (!is_source || !operand_tainted(taint, instruction, i)) continue;
    if (kind == EffectKind::control) return "where it goes depends on values in memory";
    if (kind == EffectKind::plain) continue;
    if (is_address(operand)) return "its address depends on values in memory";
    if (operand.is(OperandKind::predicate)) return "its predicate depends on values in memory";
  }
  return std::nullopt;
}

void write_place(State& state, size_t place, bool tainted, uint8_t guard) {
  const uint8_t otherwise = guard ^ 1;
  if (guard == 0) {
    state.tainted.set(place, tainted);
    state.clean_under[place] = 0;
  } else if (!tainted) {
    if (state.tainted[place]) state.clean_under[place] = guard;
  } else {
    if (!state.tainted[place]) state.clean_under[place] = otherwise;
    if (state.clean_under[place] != otherwise) state.clean_under[place] = 0;
    state.tainted.set(place);
  }
  if (place >= kPredicates && place < kBarriers) state.forget_guard(place);
}

void write(State& state, size_t first, size_t index, uint32_t words, size_t zero, bool tainted,
           uint8_t guard) {
  for (size_t i = index; i < index + words && i < zero; ++i) write_place(state, first + i, tainted, guard);
}

constexpr uint8_t kStackPointer = 1;

const Operand* address_of(const Instruction& instruction) {
  for (int i = 0; i < instruction.operand_count; ++i)
    if (is_address(instruction.operands[static_cast<size_t>(i)]))
      return &instruction.operands[static_cast<size_t>(i)];
  return nullptr;
}

// Whether an offset from the stack pointer always names the same place: every local access has the stack
// pointer as its base, and the pointer keeps its value from the first such access on.
bool has_fixed_slots(const std::vector<Instruction>& instructions) {
  bool accessed = false;
  for (const Instruction& instruction : instructions) {
    if (instruction.opcode == Opcode::ldl || instruction.opcode == Opcode::stl) {
      accessed = true;
      const Operand* const address = address_of(instruction);
      if (address == nullptr || address->index != kStackPointer || address->value < 0) return false;
    }
    for (int i = 0; i < instruction.destination_count && accessed; ++i) {
      const Operand& operand = instruction.operands[static_cast<size_t>(i)];
      const size_t end = operand.index + isa::destination_words(instruction);
      if (operand.is(OperandKind::reg) && operand.index <= kStackPointer && end > kStackPointer) return false;
    }
  }
  return true;
}

// The words of local memory that LDL or STL accesses.
struct Slots {
  size_t first = kLocal;
  uint32_t count = 1;
  bool exact = false;
};
Slots slots_of(const Instruction& instruction, bool fixed) {
  const Operand* const address = address_of(instruction);
  if (!fixed || address == nullptr) return {};
  const auto word = static_cast<size_t>(address->value) / 4;
  const uint32_t words = isa::access_words(instruction);
  if (word + words > kLocalSlots) return {};  // all words beyond share one place
  const bool whole = !instruction.has(Modifier::u8) && !instruction.has(Modifier::u16);
  return {kLocal + 1 + word, words, whole};
}

bool any_slot(const Taint& taint, const Slots& slots) {
  for (uint32_t i = 0; i < slots.count; ++i)
    if (taint[slots.first + i]) return true;
  return false;
}

void write_slots(Taint& taint, const Slots& slots, bool tainted, bool always) {
  for (uint32_t i = 0; i < slots.count; ++i) {
    if (tainted) taint.set(slots.first + i);
    if (!tainted && slots.exact && always) taint.reset(slots.first + i);
  }
}

bool result_tainted(const Taint& taint, const Instruction& instruction, bool fixed_slots) {
  const EffectKind kind = kind_of(instruction);
  if (kind == EffectKind::load) return true;
  if (kind == EffectKind::local_load && any_slot(taint, slots_of(instruction, fixed_slots))) return true;
  for (int i = instruction.destination_count; i < instruction.operand_count; ++i)
    if (operand_tainted(taint, instruction, i)) return true;
  return false;
}

void apply(State& state, const Instruction& instruction, bool fixed_slots) {
  const bool never = instruction.guard.index == isa::kPredicateTrue && instruction.guard.negate;
  if (never) return;
  const uint8_t guard = guard_code(instruction.guard);
  const bool tainted = result_tainted(state.seen_by(guard), instruction, fixed_slots);
  if (instruction.opcode == Opcode::stl)
    write_slots(state.tainted, slots_of(instruction, fixed_slots), tainted, guard == 0);
  const uint32_t words = isa::destination_words(instruction);
  for (int i = 0; i < instruction.destination_count; ++i) {
    const Operand& operand = instruction.operands[static_cast<size_t>(i)];
    if (operand.is(OperandKind::reg))
      write(state, 0, operand.index, words, isa::kRegisterZero, tainted, guard);
    if (operand.is(OperandKind::uniform_reg))
      write(state, kUniform, operand.index, words, isa::kUniformZero, tainted, guard);
    if (operand.is(OperandKind::predicate))
      write(state, kPredicates, operand.index, 1, isa::kPredicateTrue, tainted, guard);
    if (operand.is(OperandKind::uniform_predicate))
      write(state, kUniformPredicates, operand.index, 1, isa::kPredicateTrue, tainted, guard);
    if (operand.is(OperandKind::barrier)) write(state, kBarriers, operand.index, 1, 16, tainted, guard);
    if (!operand.is(OperandKind::predicate_file)) continue;
    // R2P writes only the predicates in its mask, so a clean value does not make any of them clean.
    for (size_t p = 0; p < 7; ++p) {
      if (tainted) write_place(state, predicate_file_of(instruction) + p, true, 0);
      state.forget_guard(predicate_file_of(instruction) + p);
    }
  }
}

}  // namespace

std::optional<DataDependence> find_data_dependence(const std::vector<Instruction>& instructions) {
  if (instructions.empty()) return std::nullopt;
  const isa::ControlFlow flow(instructions);
  const bool fixed_slots = has_fixed_slots(instructions);
  std::vector<State> before(instructions.size());
  std::vector<char> reached(instructions.size()), waiting(instructions.size());
  std::vector<size_t> work{0};
  reached[0] = 1;
  while (!work.empty()) {
    const size_t i = work.back();
    work.pop_back();
    waiting[i] = 0;
    State after = before[i];
    apply(after, instructions[i], fixed_slots);
    const auto enter = [&](uint32_t next) {
      State joined = before[next];
      joined.join(after);
      if (reached[next] != 0 && joined == before[next]) return;
      before[next] = joined;
      reached[next] = 1;
      if (waiting[next] == 0) work.push_back(next);
      waiting[next] = 1;
    };
    for (const uint32_t next : flow.successors(static_cast<uint32_t>(i))) enter(next);
    if (isa::is_return(instructions[i]))
      for (const uint32_t next : flow.return_sites()) enter(next);
  }
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (reached[i] == 0) continue;
    const Taint seen = before[i].seen_by(guard_code(instructions[i].guard));
    if (std::optional<std::string> what = dependence(seen, instructions[i]))
      return DataDependence{static_cast<uint32_t>(i), std::move(*what)};
  }
  return std::nullopt;
}

}  // namespace gemmscope::metrics
