#include "isa/encode.h"

#include <bit>

#include "isa/operand_fields.h"

namespace gemmscope::isa {

namespace {

constexpr int kReuseBit = 122;

void write_control(FieldWriter& io, Control control) {
  bool no_yield = !control.yield;
  io.field(control.stall_cycles, 105, 4);
  io.field(no_yield, 109, 1);
  io.field(control.write_scoreboard, 110, 3);
  io.field(control.read_scoreboard, 113, 3);
  io.field(control.wait_mask, 116, 6);
  io.field(control.reuse, kReuseBit, 4);
}

void write_modifier(FieldWriter& io, const ModifierField& field, Modifier modifier) {
  if (field.values != nullptr) return io.choice(modifier, field.values, field.bits);
  uint64_t value = modifier != Modifier::none ? 1 : 0;
  if (field.consecutive) value = static_cast<uint64_t>(modifier) - static_cast<uint64_t>(field.first);
  io.field(value, field.bits);
}

// What a row's `refine` puts before the modifiers, such as IMAD's .MOV, is no field.
void write_modifiers(FieldWriter& io, const Instruction& instruction, const OpcodeRow& row) {
  size_t next =
      static_cast<size_t>(instruction.modifier_count - std::popcount(instruction.printed_modifiers));
  for (int k = 0; k < row.modifiers.count; ++k) {
    const ModifierField& field = row.modifiers.items[static_cast<size_t>(k)];
    if (!field.archs.has(instruction.arch)) continue;
    const bool printed = (instruction.printed_modifiers >> k & 1) != 0;
    write_modifier(io, field, printed ? instruction.modifiers[next++] : Modifier::none);
  }
}

void write_operands(FieldWriter& io, const Instruction& instruction, const OpcodeRow& row) {
  int next = 0;
  const auto take = [&] { return instruction.operands[static_cast<size_t>(next++)]; };
  for (int k = 0; k < row.operands.count; ++k) {
    const OperandSpec& spec = row.operands.items[static_cast<size_t>(k)];
    const bool printed = (instruction.printed_operands >> k & 1) != 0;
    if (!spec.archs.has(instruction.arch) || (!printed && !spec.condition.holds(io.word()))) continue;
    const int left = instruction.operand_count - next;
    if (printed && left <= 0) continue;  // `refine` took it away
    Operand operand = printed ? take() : Operand{};
    if (!is_half_pair(spec, instruction)) {
      operand_fields(io, operand, spec, row);
    } else if (left > 1) {
      half_immediate_fields(io, operand, true);
      operand = take();
      half_immediate_fields(io, operand, false);
    } else {
      half_immediate_fields(io, operand, false);
    }
  }
}

bool same_fields(const Instruction& a, const Instruction& b) {
  if (a.row != b.row || a.form != b.form || !(a.guard == b.guard)) return false;
  if (a.printed_operands != b.printed_operands || a.printed_modifiers != b.printed_modifiers) return false;
  if (a.operand_count != b.operand_count || a.modifier_count != b.modifier_count) return false;
  for (size_t i = 0; i < static_cast<size_t>(a.operand_count); ++i)
    if (!(a.operands[i] == b.operands[i])) return false;
  for (size_t i = 0; i < static_cast<size_t>(a.modifier_count); ++i)
    if (a.modifiers[i] != b.modifiers[i]) return false;
  Control control = a.control;
  control.reuse = b.control.reuse;  // the operands have their own
  return control == b.control;
}

}  // namespace

Result<EncodedWord> encode(const Instruction& instruction) {
  if (instruction.row == nullptr)
    return fail("The instruction at {:#06x} is not in the table of instructions, so it cannot be written.",
                instruction.address);
  const OpcodeRow& row = *instruction.row;
  FieldWriter io(instruction);
  io.put(row.opcode9, 0, 9);
  io.put(instruction.form, 9, 3);
  io.put(instruction.guard.index, 12, 3);
  io.put(instruction.guard.negate ? 1 : 0, 15, 1);
  write_control(io, instruction.control);
  write_modifiers(io, instruction, row);
  write_operands(io, instruction, row);
  const EncodedWord word{io.word().lo, io.word().hi, io.written_lo(), io.written_hi()};
  if (io.mismatched() ||
      !same_fields(instruction, decode(word.lo, word.hi, instruction.address, instruction.arch)))
    return fail("The fields of {} at {:#06x} do not fit into its instruction word.", row.mnemonic,
                instruction.address);
  return word;
}

bool set_reuse(Instruction& instruction, uint8_t slot, bool reuse) {
  bool found = false;
  if (slot >= kNoSlot) return false;
  for (size_t i = 0; i < static_cast<size_t>(instruction.operand_count); ++i) {
    Operand& operand = instruction.operands[i];
    if (operand.slot != slot) continue;
    operand.reuse = reuse;
    found = true;
  }
  if (!found) return false;
  const auto bit = static_cast<uint8_t>(1u << slot);
  instruction.control.reuse =
      static_cast<uint8_t>(reuse ? instruction.control.reuse | bit : instruction.control.reuse & ~bit);
  return true;
}

}  // namespace gemmscope::isa
