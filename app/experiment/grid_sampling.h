// The counters of a grid that is too large to execute: its blocks fall into classes that count alike, a few
// members of each class are executed, and the totals are sums over the classes.
//
// How: every block is executed at a small depth K' that equals K modulo 16 or more (so that rows of A keep
// their alignment to sectors). Blocks belong to one class if there all counters of all instructions are
// equal, and if they lie alike in the grid: at its first, its last or another place along each axis. Nothing
// is assumed about how a kernel maps blocks to tiles. The first, the middle and the last member of each class
// are executed at the full depth, and must agree in every counter of every instruction.
//
// When it is exact: if what a block does deeper in K differs between blocks only where it differs at K'
// already, or between the members that are compared. That holds for kernels whose addresses and conditions
// are sums of terms in the block's position and terms in k. What it cannot see: a block that behaves like its
// class up to K' and otherwise behind it, and is none of the three members (a triangular product, say).
// Kernels whose control flow or addresses depend on the values in memory are recognised in the machine code
// and refused (metrics/data_dependence.h), so that the matrices may stay zero: C is neither right nor
// verified.
#pragma once

#include "experiment/pipeline.h"

namespace gemmscope::experiment {

// Null and a sentence where the totals must come from executing every block instead.
struct SampledGrid {
  std::shared_ptr<const GridResult> grid;
  std::string why_not;
};
// Errors: a fault of the kernel, cancelled.
tl::expected<SampledGrid, Failure> sample_grid(std::shared_ptr<const CompiledKernel> compiled,
                                               const Experiment& experiment, const GridRunOptions& options);

// The depth at which blocks are classified, or 0 if there is none that is worth it: at most a third of K.
int64_t classifying_depth(const CompiledKernel& compiled, const Experiment& experiment);

// Sampled if its blocks would issue more than this many warp instructions and it can be sampled, else
// executed whole.
Outcome<GridResult> count_grid(std::shared_ptr<const CompiledKernel> compiled, const Experiment& experiment,
                               const GridRunOptions& options, double instruction_limit);

// "all 64 blocks executed", "sum over 9 block classes, exact"
std::string coverage_text(const GridCoverage& coverage);

}  // namespace gemmscope::experiment
