// Runs of instructions: operations in a row between which the machine has nothing to decide.
#pragma once

#include <vector>

#include "machine/state/micro_op.h"

namespace gemmscope::machine {

// Fills in MicroOp::run_length and leader of all operations of a kernel.
void find_instruction_runs(std::vector<MicroOp>& ops);

}  // namespace gemmscope::machine
