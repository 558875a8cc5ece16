#include "metrics/mma_fragments.h"

#include <utility>

namespace gemmscope::metrics {
namespace {

// Lanes are in 8 groups of 4. A line of 8 elements of 16 bits takes the four lanes of a group, two elements
// each; one of 4 elements of 32 bits takes them too, one element each.
FragmentPlace in_group(int group, int along, bool pairs) {
  return pairs ? FragmentPlace{group * 4 + along % 8 / 2, along / 8, along % 2}
               : FragmentPlace{group * 4 + along % 4, along / 4, 0};
}

}  // namespace

std::optional<MmaShape> mma_shape(const isa::Instruction& instruction) {
  using isa::Modifier;
  if (instruction.opcode != isa::Opcode::hmma || instruction.has(Modifier::sp)) return std::nullopt;
  MmaShape shape;
  constexpr std::pair<Modifier, int> kDepths[] = {
      {Modifier::mma_1684, 4}, {Modifier::mma_1688, 8}, {Modifier::mma_16816, 16}};
  shape.k = 0;
  for (const auto& [name, depth] : kDepths)
    if (instruction.has(name)) shape.k = depth;
  if (shape.k == 0) return std::nullopt;
  shape.factor_bits = instruction.has(Modifier::tf32) ? 32 : 16;
  shape.accumulator_bits = instruction.has(Modifier::f32) ? 32 : 16;
  return shape;
}

FragmentPlace fragment_place(const MmaShape& shape, MmaMatrix matrix, int row, int column) {
  const bool pairs = shape.factor_bits == 16;
  switch (matrix) {
    case MmaMatrix::a: {
      // Rows g and g + 8 of a group are in neighbouring registers, the next part along k in the two after
      // them.
      FragmentPlace place = in_group(row % 8, column, pairs);
      place.word = 2 * place.word + row / 8;
      return place;
    }
    case MmaMatrix::b:
      return in_group(column, row, pairs);
    case MmaMatrix::c:
      break;
  }
  if (shape.accumulator_bits == 16) return {row % 8 * 4 + column / 2, row / 8, column % 2};
  return {row % 8 * 4 + column / 2, row / 8 * 2 + column % 2, 0};
}

FragmentPlace ldsm_place(bool transposed, int row, int column) {
  return transposed ? in_group(column, row, true) : in_group(row, column, true);
}

}  // namespace gemmscope::metrics
