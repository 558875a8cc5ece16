// Prints an instruction as `cuobjdump -sass` (CUDA 13.0) does, with white space folded.
#pragma once

#include <string>

#include "isa/instruction.h"

namespace gemmscope::isa {

std::string disassemble(const Instruction& instruction);  // "@P0 IADD3 R1, R2, 0x4, RZ ;"
std::string operand_text(const Operand& operand, const Instruction& instruction);
std::string mnemonic_text(const Instruction& instruction);  // "LDG.E.128"
std::string control_text(const Instruction& instruction);   // "stall 4, yield, wait 0b000001, write SB0"

}  // namespace gemmscope::isa
