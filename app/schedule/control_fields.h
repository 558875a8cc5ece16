// Sets the control fields of a region again after its instructions have moved: reuse flags, scoreboards of
// loads, waits and stall counts.
#pragma once

#include <vector>

#include "base/error.h"
#include "isa/instruction.h"
#include "schedule/region.h"

namespace gemmscope::schedule {

// Flags each source of a free product that the next read of its slot and bank reads again, if nothing wrote
// the register in between. Every other instruction loses its flags: what followed it may stand elsewhere now.
void set_reuse_flags(std::vector<isa::Instruction>& instructions, Range region);

// What a region's loads and barriers were, in the new order.
struct Origin {
  std::vector<uint32_t> index;    // by place in the region: index in the region of the code as it was
  std::vector<char> is_fragment;  // by place: a load whose registers only products of the region read
};

// Gives each load of a fragment a scoreboard of its own as far as there are any, and takes away the products'
// waits. Errors: other instructions use all six.
Result<void> set_scoreboards(std::vector<isa::Instruction>& instructions, Range body, Range region,
                             const Origin& origin, const std::vector<isa::Instruction>& before);

// Adds waits and stall cycles until the hazard lint has no finding. Errors: a finding that neither can mend.
Result<void> satisfy_lint(std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::schedule
