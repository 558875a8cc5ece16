// Why the machine cannot execute an instruction, for the reader of the kernel: what the instruction does,
// which construct of the source makes it, and what to change.
#pragma once

#include <string>

#include "isa/opcode.h"

namespace gemmscope::machine {

std::string unsupported_text(isa::Opcode opcode);
// Of an instruction that the table of the instruction set does not have.
std::string unknown_opcode_text();

}  // namespace gemmscope::machine
