// How many 32-bit registers each operand of an instruction takes. The instruction word names only the first
// register; the others follow it.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace gemmscope::isa {

// 32-bit words that a lane accesses in memory: the data of a load, a store or an atomic operation. Narrower
// accesses take one register.
uint32_t access_words(const Instruction& instruction);

// Registers of one lane that the operands of a matrix instruction take (PTX ISA, "Matrix Fragments"); `step`
// is 2 where an element takes two (float64).
struct FragmentWords {
  uint32_t a = 0, b = 0, c = 0, step = 1;
  bool any() const { return c != 0; }
};
// Returns zeros for an instruction that multiplies no matrices held in registers, or whose shape is invalid.
FragmentWords fragment_words(const Instruction& instruction);

// Registers that the operation writes from its destination register on.
uint32_t destination_words(const Instruction& instruction);

// Registers that operand `index` (0 is the first printed operand) reads: of the source itself, of a memory
// address's base, or of a branch target's register. 0 for an operand that reads none.
uint32_t source_words(const Instruction& instruction, int index);

// Uniform registers that operand `index` reads, in whatever way it names them.
uint32_t uniform_source_words(const Instruction& instruction, int index);

}  // namespace gemmscope::isa
