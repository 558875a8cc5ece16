// The way back: from a decoded instruction to its word, by the same rows of the one table.
#pragma once

#include "base/error.h"
#include "isa/instruction.h"

namespace gemmscope::isa {

struct EncodedWord {
  uint64_t lo = 0, hi = 0;
  // The bits that the instruction's fields gave. The others are those of Instruction::lo and hi: no field of
  // the row describes them, or several values of a field have one name.
  uint64_t written_lo = 0, written_hi = 0;
};

// Writes opcode, form, guard, modifiers, operands and control field of an instruction that `decode` gave and
// that may have been changed since: registers, numbers, control, reuse flags. encode(decode(x)) is x. A
// source's reuse flag is Operand::reuse; Control::reuse counts for the slots that no operand has.
//
// Errors: an unknown instruction; fields that the word cannot hold, found by decoding the result and
// comparing every field. A change that another row or another set of printed operands would describe (another
// opcode, a modifier that decides which operands there are) is refused in this way.
Result<EncodedWord> encode(const Instruction& instruction);

// Sets the reuse flag of one operand slot (0–2) wherever the instruction holds it. Returns false if no
// operand enters through this slot.
bool set_reuse(Instruction& instruction, uint8_t slot, bool reuse);

}  // namespace gemmscope::isa
