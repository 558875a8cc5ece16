// Prints floating-point immediates as `cuobjdump` does.
#pragma once

#include <cstdint>
#include <string>

#include "isa/instruction.h"

namespace gemmscope::isa {

// `bits` is the field of the instruction word: 32 bits, the high word of a double, or 16 bits.
double real_value(uint32_t bits, RealFormat format);
void append_real(std::string& text, uint32_t bits, RealFormat format);

}  // namespace gemmscope::isa
