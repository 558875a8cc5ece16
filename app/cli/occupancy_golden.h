// Compares a table of occupancies, such as NVIDIA's cuda_occupancy.h computes them, with the program's own.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace gemmscope::cli {

struct GoldenDifference {
  size_t line = 0;  // of the file, from 1
  std::string column, row;
  int64_t expected = 0, found = 0;
};
struct GoldenComparison {
  size_t rows = 0, values = 0;  // compared
  size_t different_rows = 0;
  // Rows with more registers per thread than the chip has, which the vendor's calculator lets pass: they are
  // compared without that limit.
  size_t beyond_chip = 0;
  std::vector<std::string> compared, ignored;  // columns
  std::vector<GoldenDifference> differences;   // the first kMostDifferences
};
inline constexpr size_t kMostDifferences = 20;

// The first line of `text` names the columns: cc, block_threads, regs_per_thread, static_smem, and, where
// present, dynamic_smem and optin are what is asked; active_blocks, active_warps, limit_mask, limit_warps,
// limit_regs, limit_smem, limit_blocks, limit_barriers (−1: no limit), alloc_regs_per_block and
// alloc_smem_per_block are answers. Fails, naming file and line, when a row is malformed.
Result<GoldenComparison> compare_with_golden(const std::string& text, const std::string& path);

}  // namespace gemmscope::cli
