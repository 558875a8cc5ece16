// Proves that scheduled code computes what the code computed before: every register, predicate and uniform
// register that an instruction reads was written by the same instructions on every path, and everything that
// is no free product still stands in its order. What the values are is not asked, so this holds for any
// input.
#pragma once

#include <vector>

#include "base/error.h"
#include "isa/instruction.h"
#include "schedule/region.h"

namespace gemmscope::schedule {

// `moved[i]`: the instruction of `before` that stands at i now. A product may have its factors exchanged.
// Errors: a sentence about the first instruction that is not proved to be the same.
Result<void> prove_same(const std::vector<isa::Instruction>& before, const std::vector<isa::Instruction>& now,
                        const std::vector<uint32_t>& moved, const std::vector<Range>& regions);

}  // namespace gemmscope::schedule
