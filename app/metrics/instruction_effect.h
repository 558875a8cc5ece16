// What an instruction does, as far as data dependence must know: how it passes on, reads and writes values.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace gemmscope::metrics {

enum class EffectKind : uint8_t { plain, load, local_load, store, control, refused };
EffectKind kind_of(const isa::Instruction& instruction);

// Words of a memory access.
uint32_t access_words(const isa::Instruction& instruction);

// Registers that an instruction writes: surely, and at most.
struct Width {
  uint32_t least = 1, most = 1;
};
Width destination_width(const isa::Instruction& instruction);

// Registers that source k (from 0) reads, at most.
uint32_t source_width(const isa::Instruction& instruction, int k);

}  // namespace gemmscope::metrics
