// The effect of an instruction as the analysis of data dependence needs it: whether it loads, stores,
// computes or decides.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace gemmscope::metrics {

enum class EffectKind : uint8_t { plain, load, local_load, store, control, refused };
EffectKind kind_of(const isa::Instruction& instruction);

}  // namespace gemmscope::metrics
