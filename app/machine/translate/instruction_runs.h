// What stands in a row: where the machine has nothing to decide from one operation to the next.
#pragma once

#include <vector>

#include "machine/state/micro_op.h"

namespace gemmscope::machine {

// Fills in MicroOp::stretch and leader of all operations of a kernel.
void find_instruction_runs(std::vector<MicroOp>& ops);

}  // namespace gemmscope::machine
