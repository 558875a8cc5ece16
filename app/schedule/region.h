// The main loop of a kernel and the straight runs of instructions in it that may be reordered.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "isa/instruction.h"

namespace gemmscope::schedule {

// Instructions [first, end) of a kernel's code.
struct Range {
  uint32_t first = 0, end = 0;
  uint32_t size() const { return end - first; }
  friend bool operator==(const Range&, const Range&) = default;
};

// Multiplies and adds float32 numbers and does nothing else, under no guard: it may move as far as its
// registers allow.
bool is_free_product(const isa::Instruction& instruction);

struct MainLoop {
  Range body;                  // from the target of the branch back up to and including that branch
  std::vector<Range> regions;  // entered only at the first instruction, left only behind the last
  uint32_t products = 0;       // free products in the body
};

// The straight runs of the whole code: each is entered only at its first instruction and left only behind its
// last one. Branches, and what parts and joins lanes, are in none.
std::vector<Range> straight_runs(const std::vector<isa::Instruction>& instructions);

// The innermost loop with the most free products. Errors: a jump whose targets are not known, no loop with
// enough products to be worth it, all of them behind instructions that nothing may cross.
Result<MainLoop> find_main_loop(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::schedule
