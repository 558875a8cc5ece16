// Which instructions multiply matrices: HMMA and the like.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"
#include "isa/opcode_table.h"

namespace gemmscope::metrics {

inline bool is_matrix_product(const isa::Instruction& instruction) {
  return instruction.row != nullptr && instruction.row->pipe == isa::Pipe::tensor &&
         instruction.opcode != isa::Opcode::warpgroup;
}

// From instruction `first` to `last`, both included.
inline int64_t matrix_products(const std::vector<isa::Instruction>& code, uint32_t first, uint32_t last) {
  return std::count_if(code.begin() + first, code.begin() + last + 1, is_matrix_product);
}

}  // namespace gemmscope::metrics
