#include "isa/operand_fields.h"

namespace gemmscope::isa {

namespace {

Control read_control(const Instruction& word) {
  const auto field = [&](int first, int width) { return static_cast<uint8_t>(word.bits(first, width)); };
  return {.stall_cycles = field(105, 4),
          .yield = field(109, 1) == 0,
          .write_scoreboard = field(110, 3),
          .read_scoreboard = field(113, 3),
          .wait_mask = field(116, 6),
          .reuse = field(122, 4)};
}

Guard read_guard(const Instruction& word, const OpcodeRow* row) {
  return {.index = static_cast<uint8_t>(word.bits(12, 3)),
          .negate = word.bits(15, 1) != 0,
          .uniform = row != nullptr && row->datapath == Datapath::uniform};
}

Modifier read_modifier(const ModifierField& field, const Instruction& word) {
  const uint64_t value = field.bits.of(word);
  if (field.values != nullptr) return field.values[value];
  if (field.consecutive) return static_cast<Modifier>(static_cast<uint64_t>(field.first) + value);
  return value != 0 ? field.first : Modifier::none;
}

void read_modifiers(Instruction& word, const OpcodeRow& row) {
  for (int k = 0; k < row.modifiers.count; ++k) {
    const ModifierField& field = row.modifiers.items[static_cast<size_t>(k)];
    if (!field.archs.has(word.arch)) continue;
    const Modifier modifier = read_modifier(field, word);
    if (modifier == Modifier::none || word.modifier_count >= Instruction::kMaxModifiers) continue;
    word.modifiers[word.modifier_count++] = modifier;
    word.printed_modifiers |= static_cast<uint16_t>(1u << k);
  }
}

bool is_default(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::predicate:
    case OperandKind::uniform_predicate:
      return operand.index == kPredicateTrue && !operand.invert;
    case OperandKind::reg:
      return operand.index == kRegisterZero;
    case OperandKind::uniform_reg:
      return operand.index == kUniformZero;
    default:
      return operand.value == 0;
  }
}

bool is_destination(Place place) {
  return place == Place::destination || place == Place::uniform_destination || place == Place::predicate_u ||
         place == Place::predicate_v || place == Place::uniform_predicate_u;
}

void push(Instruction& word, const Operand& operand) {
  if (word.operand_count < Instruction::kMaxOperands) word.operands[word.operand_count++] = operand;
}

void push_half_pair(Instruction& word) {
  for (const bool upper : {true, false}) {
    Operand operand;
    FieldReader io(word);
    half_immediate_fields(io, operand, upper);
    push(word, operand);
  }
}

void read_operand(Instruction& word, const OpcodeRow& row, int k) {
  const OperandSpec& spec = row.operands.items[static_cast<size_t>(k)];
  if (!spec.archs.has(word.arch) || !spec.condition.holds(word)) return;
  const auto bit = static_cast<uint16_t>(1u << k);
  if (is_half_pair(spec, word)) {
    word.printed_operands |= bit;
    return push_half_pair(word);
  }
  Operand operand;
  FieldReader reader(word);
  operand_fields(reader, operand, spec, row);
  if (spec.hidden_default && is_default(operand)) return;
  word.printed_operands |= bit;
  push(word, operand);
  if (is_destination(spec.place)) ++word.destination_count;
}

}  // namespace

Instruction decode(uint64_t lo, uint64_t hi, uint32_t address, Arch arch) {
  Instruction word{.lo = lo, .hi = hi, .address = address, .arch = arch};
  word.form = static_cast<uint8_t>(word.bits(9, 3));
  word.control = read_control(word);
  word.row = find_row(word);
  word.guard = read_guard(word, word.row);
  if (word.row == nullptr) return word;
  word.opcode = word.row->opcode;
  read_modifiers(word, *word.row);
  for (int k = 0; k < word.row->operands.count; ++k) read_operand(word, *word.row, k);
  if (word.row->refine != nullptr) word.row->refine(word);
  return word;
}

}  // namespace gemmscope::isa
