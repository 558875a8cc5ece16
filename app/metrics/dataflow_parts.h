// Helpers shared by the sources of dataflow.h: the halves of tags, what an instruction does with the elements
// in its registers, the lanes of a mask.
#pragma once

#include <bit>

#include "metrics/dataflow.h"

namespace gemmscope::metrics {

inline constexpr uint32_t kRegisters = 256;  // rows of a warp

template <typename F>
void for_lanes(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

inline uint32_t words_of(const machine::TraceAccess& access) {
  return access.width_bytes >= 4 ? access.width_bytes / 4u : 1u;
}

// The tag of a word whose halves hold these elements.
Tag pair_of(Tag low, Tag high);
// The tag of the half word at `address`, given the tag of its word.
Tag half_of(Tag word, uint64_t address);
// The tag of the bytes that a lane accesses at `address`: one element for narrow accesses, else a word.
Tag accessed_tag(const MatrixLayout& layout, const machine::TraceAccess& access, uint64_t address);

// Whether the opcode multiplies matrix elements, either a lane's own or whole fragments.
bool multiplies_elements(isa::Opcode opcode);
std::vector<InstructionFlow> flows_of(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::metrics
