// How one operand of a row is read out of an instruction word. Used by decode.cpp.
#pragma once

#include "isa/opcode_table.h"

namespace gemmscope::isa {

// The part of slot B that a form selects.
constexpr bool is_immediate_form(int form) { return form == 2 || form == 4; }
constexpr bool is_constant_form(int form) { return form == 3 || form == 5; }
// In these forms slot B holds the last source and C the one before it.
constexpr bool is_last_in_b(int form) { return form == 2 || form == 3 || form == 7; }

// Registers, predicates, numbers and names: everything but the two below.
Operand read_operand(const OperandSpec& spec, const Instruction& word, const OpcodeRow& row);

// True for the source whose immediate is a pair of 16-bit floats; `upper` chooses one.
bool is_half_pair(const OperandSpec& spec, const Instruction& word);
Operand read_half_immediate(const Instruction& word, bool upper);

// Constants, memory addresses, code addresses (decode_address.cpp).
bool is_address(Place place);
Operand read_address(const OperandSpec& spec, const Instruction& word);
Operand read_constant(const Instruction& word);  // slot B: c[bank][offset] or cx[UR][offset]

}  // namespace gemmscope::isa
