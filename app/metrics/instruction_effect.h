// The effect of an instruction as the analysis of data dependence needs it: how values are read, passed on
// and written.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace gemmscope::metrics {

enum class EffectKind : uint8_t { plain, load, local_load, store, control, refused };
EffectKind kind_of(const isa::Instruction& instruction);

// 32-bit words that a lane accesses in memory.
uint32_t access_words(const isa::Instruction& instruction);

// Registers that an instruction writes at least and at most.
struct Width {
  uint32_t least = 1, most = 1;
};
Width destination_width(const isa::Instruction& instruction);

// Registers that source k (from 0) reads, at most.
uint32_t source_width(const isa::Instruction& instruction, int k);

}  // namespace gemmscope::metrics
