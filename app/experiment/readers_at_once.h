// How many blocks that run at the same time read the same lines of a buffer, from the first loads of the
// blocks that fill a GPU. A block is stopped once it has loaded from all of its buffers.
#pragma once

#include "machine/state/global_memory.h"
#include "machine/state/program.h"
#include "sm/launch_trace.h"

namespace gemmscope::experiment {

// Sets `readers_at_once` of the launch's buffers, of which `readers` is known. `blocks_at_once` blocks run at
// the same time, from the block of number `first` on. Executes at most 132 blocks.
void count_readers_at_once(sm::LaunchTrace& launch, const machine::Program& program,
                           machine::GlobalMemory& memory, uint64_t first, uint64_t blocks_at_once);

}  // namespace gemmscope::experiment
