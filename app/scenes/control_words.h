// The scheduling fields of an instruction for readers: short enough for a column, and in sentences.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace gemmscope::scenes {

// "B0--3-- R1 W- Y S04": scoreboards that it waits for, the one it holds until its sources are read, the one
// it holds until its result is there, yield, stall cycles; the order of the fields in the machine code.
std::string control_column(const isa::Control& control);
inline constexpr int kControlColumnCharacters = 19;

// One sentence a field that says something.
std::vector<std::string> control_sentences(const isa::Instruction& instruction);

}  // namespace gemmscope::scenes
