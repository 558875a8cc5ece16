// For decode.cpp: reads one operand of a row from an instruction word.
#pragma once

#include "isa/opcode_table.h"

namespace gemmscope::isa {

// What slot B holds in a form.
constexpr bool is_immediate_form(int form) { return form == 2 || form == 4; }
constexpr bool is_constant_form(int form) { return form == 3 || form == 5; }
// In these forms slot B holds the last source and C the one before it.
constexpr bool is_last_in_b(int form) { return form == 2 || form == 3 || form == 7; }

// Notes through which operand slot a vector register is read, and that slot's reuse flag.
inline void set_slot(Operand& operand, const Instruction& word, uint8_t slot) {
  operand.slot = slot;
  operand.reuse = word.bits(122 + slot, 1) != 0;
}

// Reads registers, predicates, numbers and names: everything except what the functions below read.
Operand read_operand(const OperandSpec& spec, const Instruction& word, const OpcodeRow& row);

// True for a source whose immediate is a pair of 16-bit floats. `upper` selects the upper one.
bool is_half_pair(const OperandSpec& spec, const Instruction& word);
Operand read_half_immediate(const Instruction& word, bool upper);

// Read constants, memory addresses and code addresses (decode_address.cpp).
bool is_address(Place place);
Operand read_address(const OperandSpec& spec, const Instruction& word);
Operand read_constant(const Instruction& word);  // slot B: c[bank][offset] or cx[UR][offset]

}  // namespace gemmscope::isa
