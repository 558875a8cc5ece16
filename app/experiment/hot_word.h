// How many atomics of a whole grid go to its busiest word: blocks differ, and those of one SM are few.
#pragma once

#include "machine/state/global_memory.h"
#include "machine/state/program.h"
#include "sm/launch_trace.h"

namespace gemmscope::experiment {

// Counts `hot_word_lanes` of a launch whose blocks are traced. Executes blocks of the whole grid, evenly
// apart: all of them if they issue at most a million instructions together, and two at least.
void count_hot_word(sm::LaunchTrace& launch, const machine::Program& program, machine::GlobalMemory& memory);

}  // namespace gemmscope::experiment
