// The fields of one operand of a row, for reading and for writing (field_codec.h).
#pragma once

#include "isa/field_codec.h"
#include "isa/opcode_table.h"

namespace gemmscope::isa {

// What slot B holds in a form.
constexpr bool is_immediate_form(int form) { return form == 2 || form == 4; }
constexpr bool is_constant_form(int form) { return form == 3 || form == 5; }
// In these forms slot B holds the last source and C the one before it.
constexpr bool is_last_in_b(int form) { return form == 2 || form == 3 || form == 7; }

// A vector register is read through an operand slot, which has a reuse flag.
template <class Io>
void slot_fields(Io& io, Operand& operand, uint8_t slot) {
  operand.slot = slot;
  io.field(operand.reuse, 122 + slot, 1);
}

// Registers, predicates, numbers and names: everything except what the functions below do. Io is FieldReader
// or FieldWriter.
template <class Io>
void operand_fields(Io& io, Operand& operand, const OperandSpec& spec, const OpcodeRow& row);

// True for a source whose immediate is a pair of 16-bit floats. `upper` selects the upper one.
bool is_half_pair(const OperandSpec& spec, const Instruction& word);
template <class Io>
void half_immediate_fields(Io& io, Operand& operand, bool upper);

// Constants, memory addresses and code addresses (address_fields.cpp).
bool is_address(Place place);
template <class Io>
void address_fields(Io& io, Operand& operand, const OperandSpec& spec);
template <class Io>
void constant_fields(Io& io, Operand& operand);  // slot B: c[bank][offset] or cx[UR][offset]

}  // namespace gemmscope::isa
