#include "isa/register_use.h"

#include <algorithm>

#include "isa/operand_width.h"

namespace gemmscope::isa {

namespace {

// The register after the last one that exists is RZ: a range ends before it.
uint8_t words_within(uint8_t reg, uint32_t words, uint8_t zero) {
  return static_cast<uint8_t>(std::min<uint32_t>(words, zero - reg));
}

PredicateSet only(uint8_t predicate) {
  return predicate < kPredicateTrue ? static_cast<PredicateSet>(1u << predicate) : PredicateSet{0};
}

template <int kCapacity>
void add_range(ShortList<RegisterRange, kCapacity>& list, uint8_t reg, uint32_t words, uint8_t zero) {
  if (reg < zero && words != 0 && list.count < kCapacity) list.push({reg, words_within(reg, words, zero)});
}

// P2R and R2P move only the predicates in their mask, which is the last operand if it is an immediate.
PredicateSet moved_predicates(const Instruction& instruction) {
  const Operand& last = instruction.operands[static_cast<size_t>(instruction.operand_count - 1)];
  return last.is(OperandKind::integer) ? static_cast<PredicateSet>(last.value & kAllPredicates)
                                       : kAllPredicates;
}

bool writes_predicate_file(Opcode opcode) { return opcode == Opcode::r2p || opcode == Opcode::ur2up; }
bool has_uniform_predicates(const Instruction& instruction) {
  return instruction.row->datapath == Datapath::uniform;
}

// The upper half of a texture operation's result is printed before the lower one.
bool is_upper_result(const Instruction& instruction, int index) {
  switch (instruction.opcode) {
    case Opcode::tex:
    case Opcode::tld:
    case Opcode::tld4:
    case Opcode::txd:
    case Opcode::txq:
      break;
    default:
      return false;
  }
  int registers_before = 0;
  for (int i = 0; i < index; ++i)
    if (instruction.operands[static_cast<size_t>(i)].is(OperandKind::reg)) ++registers_before;
  return instruction.operands[static_cast<size_t>(index)].is(OperandKind::reg) && registers_before < 2;
}

bool is_destination(const Instruction& instruction, int index) {
  const Operand& operand = instruction.operands[static_cast<size_t>(index)];
  if (operand.is(OperandKind::memory)) return false;
  if (operand.is(OperandKind::predicate_file)) return writes_predicate_file(instruction.opcode);
  return index < instruction.destination_count || is_upper_result(instruction, index);
}

void add_write(RegisterUse& use, const Instruction& instruction, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg:
      return add_range(use.writes, operand.index, destination_words(instruction), kRegisterZero);
    case OperandKind::uniform_reg:
      return add_range(use.uniform_writes, operand.index, destination_words(instruction), kUniformZero);
    case OperandKind::predicate:
      use.predicate_writes |= only(operand.index);
      return;
    case OperandKind::uniform_predicate:
      use.uniform_predicate_writes |= only(operand.index);
      return;
    case OperandKind::predicate_file:
      (has_uniform_predicates(instruction) ? use.uniform_predicate_writes : use.predicate_writes) |=
          moved_predicates(instruction);
      return;
    default:
      return;
  }
}

void add_predicate_reads(RegisterUse& use, const Instruction& instruction, const Operand& operand) {
  if (operand.is(OperandKind::predicate)) use.predicate_reads |= only(operand.index);
  if (operand.is(OperandKind::uniform_predicate)) use.uniform_predicate_reads |= only(operand.index);
  if (operand.is(OperandKind::predicate_file))
    (has_uniform_predicates(instruction) ? use.uniform_predicate_reads : use.predicate_reads) |=
        moved_predicates(instruction);
}

// The number of the first uniform register that an operand reads, in whatever way it names it.
uint8_t uniform_index_of(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::uniform_reg:
    case OperandKind::group_descriptor:
    case OperandKind::descriptor:
      return operand.index;
    case OperandKind::memory:
    case OperandKind::indirect_target:
    case OperandKind::constant:
    case OperandKind::indexed_constant:
      return operand.uniform_index;
    default:
      return kUniformZero;
  }
}

void add_reads(RegisterUse& use, const Instruction& instruction, int index) {
  const Operand& operand = instruction.operands[static_cast<size_t>(index)];
  const uint32_t words = source_words(instruction, index);
  if (words != 0 && operand.index != kRegisterZero && use.reads.count < use.reads.items.size())
    use.reads.push(
        {operand.index, words_within(operand.index, words, kRegisterZero), operand.slot, operand.reuse});
  add_range(use.uniform_reads, uniform_index_of(operand), uniform_source_words(instruction, index),
            kUniformZero);
  add_predicate_reads(use, instruction, operand);
}

}  // namespace

RegisterUse register_use(const Instruction& instruction) {
  RegisterUse use;
  for (int i = 0; i < instruction.operand_count; ++i) {
    if (is_destination(instruction, i)) {
      add_write(use, instruction, instruction.operands[static_cast<size_t>(i)]);
    } else {
      add_reads(use, instruction, i);
    }
  }
  return use;
}

}  // namespace gemmscope::isa
