// Tells the author of a kernel why the machine cannot execute an instruction: what the instruction does,
// which source construct compiles to it, and what to change.
#pragma once

#include <string>

#include "isa/opcode.h"

namespace gemmscope::machine {

std::string unsupported_text(isa::Opcode opcode);
// For an instruction that the instruction table does not have.
std::string unknown_opcode_text();

}  // namespace gemmscope::machine
