// Executes a whole grid and spreads its blocks over the cores.
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
  int threads = 0;  // 0: one per core
  BlockLimits limits;
  // Gives the observer of a worker thread; called once per thread. Empty: nothing is observed.
  std::function<Observer*(int thread)> observer_for_thread;
  std::function<void(uint64_t done, uint64_t total)> progress;  // blocks; called from any worker
  // The blocks to execute, in ascending order, numbered as for block_at; null: all.
  const std::vector<uint64_t>* blocks = nullptr;
  // Called by the worker that has executed a block, with the counts of all its blocks so far. The function
  // may take the counts and clear them.
  std::function<void(int thread, uint64_t block, InstructionCounts& counts)> after_block;
};

struct GridRun {
  InstructionCounts counts;
  std::vector<Finding> findings;
};

// Each thread runs its blocks in ascending order, each from start to end. Atomic operations are atomic
// between blocks, but the order of the blocks is not fixed: a kernel whose result depends on it, such as a
// float sum by atomicAdd, may give different last bits in every run. A block that waits in a loop for one
// that has not started never ends (BlockLimits::branch_budget). The first fault stops all blocks and is
// returned with the findings until then.
tl::expected<GridRun, FaultedRun> run_grid(const Program& program, GlobalMemory& memory,
                                           const GridOptions& options);

}  // namespace gemmscope::machine
