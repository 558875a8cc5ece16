// Executes a whole grid, its blocks spread over the cores.
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>

#include "machine/checks/finding_list.h"
#include "machine/execute/block_limits.h"
#include "machine/execute/instruction_counts.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

struct GridOptions {
  int threads = 0;  // 0: one a core
  BlockLimits limits;
  // An observer for each worker thread, called once a thread; none: nothing is observed.
  std::function<Observer*(int thread)> observer_for_thread;
  std::function<void(uint64_t done, uint64_t total)> progress;  // blocks; called from any worker
  // The blocks to execute, ascending, numbered as for block_at; null: all.
  const std::vector<uint64_t>* blocks = nullptr;
  // Called by the worker that has executed a block, with the counts of all its blocks so far; it may take
  // and clear them.
  std::function<void(int thread, uint64_t block, InstructionCounts& counts)> after_block;
};

struct GridRun {
  InstructionCounts counts;
  std::vector<Finding> findings;
};

// Blocks run in ascending order on each thread, each from start to end. Atomic operations are atomic between
// them, but which block comes first is not fixed: a kernel whose result depends on it, such as a float sum by
// atomicAdd, may give different last bits with every run. A block that waits in a loop for one that has not
// started never ends (BlockLimits::branch_budget). The first fault stops all of them and is returned, with
// the mistakes that they made until then.
tl::expected<GridRun, FaultedRun> run_grid(const Program& program, GlobalMemory& memory,
                                           const GridOptions& options);

}  // namespace gemmscope::machine
