#include "metrics/fragments.h"

#include <bit>

namespace gemmscope::metrics {
namespace {

using isa::Modifier;
using isa::Opcode;

FragmentWords half_fragments(const isa::Instruction& instruction) {
  const bool tf32 = instruction.has(Modifier::tf32);
  const bool deep = instruction.has(tf32 ? Modifier::mma_1688 : Modifier::mma_16816);
  return {deep ? 4u : 2u, deep ? 2u : 1u, instruction.has(Modifier::f32) ? 4u : 2u, 1};
}

FragmentWords integer_fragments(const isa::Instruction& instruction) {
  if (instruction.has(Modifier::mma_8816) || instruction.has(Modifier::mma_8832)) return {1, 1, 2, 1};
  const bool nibbles = instruction.has(Modifier::s4) || instruction.has(Modifier::u4);
  const bool deep = instruction.has(nibbles ? Modifier::mma_16864 : Modifier::mma_16832);
  return {deep ? 4u : 2u, deep ? 2u : 1u, 4, 1};
}

FragmentWords double_fragments(const isa::Instruction& instruction) {
  if (instruction.has(Modifier::mma_884) || instruction.has(Modifier::mma_8x8x4)) return {2, 2, 4, 2};
  if (instruction.has(Modifier::mma_1684) || instruction.has(Modifier::mma_16x8x4)) return {4, 2, 8, 2};
  if (instruction.has(Modifier::mma_1688) || instruction.has(Modifier::mma_16x8x8)) return {8, 4, 8, 2};
  return {16, 8, 8, 2};
}

}  // namespace

FragmentWords fragment_words(const isa::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::hmma:
      return half_fragments(instruction);
    case Opcode::imma:
      return integer_fragments(instruction);
    case Opcode::dmma:
      return double_fragments(instruction);
    default:
      return {};
  }
}

void for_matrix_words(const machine::TraceAccess& access, bool transposed,
                      const std::function<void(const MatrixWord&)>& visit) {
  const auto matrices = static_cast<uint32_t>(std::popcount(access.mask)) / 8;
  for (uint32_t word = 0; word < matrices; ++word)
    for (uint32_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      const uint32_t line = lane / 4, place = lane % 4 * 2;
      const auto address = [&](uint32_t row, uint32_t column) {
        return access.addresses[8 * word + row] + 2 * column;
      };
      if (transposed) {
        visit({lane, word, address(place, line), address(place + 1, line)});
      } else {
        visit({lane, word, address(line, place), address(line, place + 1)});
      }
    }
}

}  // namespace gemmscope::metrics
