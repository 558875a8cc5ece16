#include "isa/disassemble.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "isa/opcode_table.h"
#include "isa/real_text.h"
#include "isa/special_register.h"

namespace gemmscope::isa {

namespace {

void append_number(std::string& text, uint64_t value, int base = 10) {
  char buffer[24];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, base).ptr);
}

void append_hex(std::string& text, int64_t value) {
  text += value < 0 ? "-0x" : "0x";
  append_number(text, value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value),
                16);
}

// The last number of each file has a name: RZ, URZ, PT, UPT.
void append_numbered(std::string& text, const char* prefix, int index, int last, char last_name) {
  text += prefix;
  if (index == last)
    text += last_name;
  else
    append_number(text, static_cast<uint64_t>(index));
}

void append_register(std::string& text, int index) { append_numbered(text, "R", index, kRegisterZero, 'Z'); }
void append_uniform(std::string& text, int index) { append_numbered(text, "UR", index, kUniformZero, 'Z'); }
void append_predicate(std::string& text, int index, bool uniform) {
  append_numbered(text, uniform ? "UP" : "P", index, kPredicateTrue, 'T');
}

const char* part_text(Part part) {
  constexpr std::array kTexts = {"",      ".H0",   ".H1",       ".H0_H0",    ".H1_H1",   ".F32",
                                 ".B1",   ".B2",   ".B3",       ".SIGN",     ".ROW",     ".COL",
                                 ".???0", ".???1", ".INVALID1", ".INVALID2", ".INVALID3"};
  return kTexts[static_cast<std::size_t>(part)];
}

// After a register even a negative offset has a "+": [R2+-0x10].
void append_offset(std::string& text, int64_t offset, bool follows) {
  if (offset == 0) return;
  if (follows) text += '+';
  append_hex(text, offset);
}

void append_memory(std::string& text, const Operand& memory) {
  constexpr std::array kScales = {"", ".X2", ".X4", ".X8", ".X16"};
  const bool descriptor = memory.uniform_role == UniformRole::descriptor;
  if (descriptor) {
    text += "desc[";
    append_uniform(text, memory.uniform_index);
    text += ']';
  }
  text += '[';
  const std::size_t start = text.size();
  if (memory.index != kRegisterZero || memory.bank_or_scale != 0) {
    append_register(text, memory.index);
    if (memory.reuse) text += ".reuse";
    text += kScales[memory.bank_or_scale];
    if (memory.shows_width) text += memory.address_bits == 64 ? ".64" : ".U32";
  }
  if (memory.uniform_role == UniformRole::added) {
    if (text.size() != start) text += '+';
    append_uniform(text, memory.uniform_index);
  }
  append_offset(text, memory.value, text.size() != start);
  if (text.size() == start) text += "RZ";
  text += ']';
}

void append_bank(std::string& text, const Operand& constant) {
  if (constant.bindless) {
    text += "cx[";
    append_uniform(text, constant.uniform_index);
  } else {
    text += "c[";
    append_hex(text, constant.bank_or_scale);
  }
  text += ']';
}

void append_constant(std::string& text, const Operand& constant) {
  append_bank(text, constant);
  // The vendor's tool prints a blank here only for a pair of halves.
  text += constant.real == RealFormat::f16 ? " [" : "[";
  append_hex(text, constant.value);
  text += ']';
}

void append_indexed_constant(std::string& text, const Operand& constant) {
  append_bank(text, constant);
  text += '[';
  const std::size_t start = text.size();
  if (constant.uniform_role == UniformRole::added) {
    append_uniform(text, constant.uniform_index);
  } else if (constant.index != kRegisterZero) {
    append_register(text, constant.index);
    if (constant.reuse) text += ".reuse";
  }
  append_offset(text, constant.value, text.size() != start);
  if (text.size() == start) text += "RZ";
  text += ']';
}

void append_indirect_target(std::string& text, const Operand& target, const Instruction& instruction) {
  if (target.uniform_role == UniformRole::added)
    append_uniform(text, target.uniform_index);
  else
    append_register(text, target.index);
  if (target.reuse) text += ".reuse";
  if (target.value == 0 && instruction.opcode == Opcode::call_abs) return;
  text += ' ';
  append_hex(text, target.value);
}

void append_scoreboard_set(std::string& text, int64_t set) {
  text += '{';
  bool first = true;
  for (int k = 5; k >= 0; --k) {
    if (((set >> k) & 1) == 0) continue;
    if (!first) text += ',';
    text += static_cast<char>('0' + k);
    first = false;
  }
  text += '}';
}

// Prints the last lane of the quad first.
void append_lane_signs(std::string& text, int64_t signs) {
  constexpr std::array kSigns = {"PP", "PN", "NP", "ZP"};
  for (int lane = 3; lane >= 0; --lane) text += kSigns[(signs >> (2 * lane)) & 3];
}

void append_group_descriptor(std::string& text, const Operand& descriptor) {
  constexpr std::array kFlags = {".negA", ".negB", ".tnspA", ".tnspB"};
  text += "gdesc[";
  append_uniform(text, descriptor.index);
  text += ']';
  for (std::size_t i = 0; i < kFlags.size(); ++i)
    if (((descriptor.value >> i) & 1) != 0) text += kFlags[i];
}

void append_value(std::string& text, const Operand& operand, const Instruction& instruction) {
  switch (operand.kind) {
    case OperandKind::none:
      return;
    case OperandKind::reg:
      return append_register(text, operand.index);
    case OperandKind::uniform_reg:
      return append_uniform(text, operand.index);
    case OperandKind::predicate:
      return append_predicate(text, operand.index, false);
    case OperandKind::uniform_predicate:
      return append_predicate(text, operand.index, true);
    case OperandKind::predicate_file:
      text += operand.index == 0 ? "PR" : "UPR";
      return;
    case OperandKind::barrier:
      text += 'B';
      return append_number(text, operand.index);
    case OperandKind::integer:
    case OperandKind::target:
      return append_hex(text, operand.value);
    case OperandKind::real:
      return append_real(text, static_cast<uint32_t>(operand.value), operand.real);
    case OperandKind::constant:
      return append_constant(text, operand);
    case OperandKind::indexed_constant:
      return append_indexed_constant(text, operand);
    case OperandKind::memory:
      return append_memory(text, operand);
    case OperandKind::special_reg:
      text += special_register_name(operand.index, instruction.arch);
      return;
    case OperandKind::indirect_target:
      return append_indirect_target(text, operand, instruction);
    case OperandKind::scoreboard:
      text += "SB";
      return append_number(text, operand.index);
    case OperandKind::scoreboard_set:
      return append_scoreboard_set(text, operand.value);
    case OperandKind::group_descriptor:
      return append_group_descriptor(text, operand);
    case OperandKind::descriptor:
      text += "desc[";
      append_uniform(text, operand.index);
      text += ']';
      return;
    case OperandKind::lane_signs:
      return append_lane_signs(text, operand.value);
    case OperandKind::name:
      text += modifier_text(static_cast<Modifier>(operand.value));
      return;
    case OperandKind::group_scoreboard:
      // Only gsb0 exists.
      text += operand.index == 0 ? "gsb" : "INVALID";
      return append_number(text, operand.index);
  }
}

// A vector register's part is printed after the bars, |R1|.reuse.H0_H0; that of any other source between
// them, |UR4.H0_H0|.
void append_operand(std::string& text, const Operand& operand, const Instruction& instruction) {
  const bool reg = operand.is(OperandKind::reg);
  const bool predicate = operand.is(OperandKind::predicate) || operand.is(OperandKind::uniform_predicate);
  if (operand.invert)
    text += predicate ? '!' : '~';
  else if (operand.negate)
    text += '-';
  if (operand.absolute) text += '|';
  append_value(text, operand, instruction);
  if (!reg) text += part_text(operand.part);
  if (operand.absolute) text += '|';
  if (!reg) return;
  if (operand.reuse) text += ".reuse";
  text += part_text(operand.part);
}

void append_guard(std::string& text, const Guard& guard) {
  if (guard.always()) return;
  text += guard.negate ? "@!" : "@";
  append_predicate(text, guard.index, guard.uniform);
  text += ' ';
}

void append_mnemonic(std::string& text, const Instruction& instruction) {
  if (instruction.row == nullptr) {
    text += fmt::format("?{:03x}", instruction.lo & 0xfff);
    return;
  }
  text += instruction.row->mnemonic;
  for (int i = 0; i < instruction.modifier_count; ++i) {
    text += '.';
    text += modifier_text(instruction.modifiers[i]);
  }
}

}  // namespace

std::string disassemble(const Instruction& instruction) {
  std::string text;
  text.reserve(64);
  append_guard(text, instruction.guard);
  append_mnemonic(text, instruction);
  for (int i = 0; i < instruction.operand_count; ++i) {
    text += i == 0 ? " " : ", ";
    append_operand(text, instruction.operands[i], instruction);
  }
  text += " ;";
  return text;
}

std::string operand_text(const Operand& operand, const Instruction& instruction) {
  std::string text;
  append_operand(text, operand, instruction);
  return text;
}

std::string mnemonic_text(const Instruction& instruction) {
  std::string text;
  append_mnemonic(text, instruction);
  return text;
}

std::string control_text(const Instruction& instruction) {
  constexpr int kNoScoreboard = 7;
  const Control& control = instruction.control;
  std::string text = fmt::format("stall {}", control.stall_cycles);
  if (control.yield) text += ", yield";
  if (control.wait_mask != 0) text += fmt::format(", wait 0b{:06b}", control.wait_mask);
  if (control.write_scoreboard != kNoScoreboard)
    text += fmt::format(", write SB{}", control.write_scoreboard);
  if (control.read_scoreboard != kNoScoreboard) text += fmt::format(", read SB{}", control.read_scoreboard);
  return text;
}

}  // namespace gemmscope::isa
