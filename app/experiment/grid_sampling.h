// Counts a grid that is too large to execute. Its blocks fall into classes with equal counters, a few members
// of each class are executed, and the totals are sums over the classes.
//
// Method: every block is executed at a small depth K' that equals K modulo 16 or more (so that rows of A keep
// their alignment to sectors). Blocks belong to one class if all counters of all instructions are equal at
// K', and if their places in the grid are similar: first, last or between along each axis. Nothing is assumed
// about how a kernel maps blocks to tiles. The first, the middle and the last member of each class are
// executed at the full depth and must agree in every counter of every instruction.
//
// The totals are exact if blocks that behave differently deeper in k already differ at K', or the difference
// shows between the members that are compared. This holds for kernels whose addresses and conditions are sums
// of terms in the block's position and terms in k. Not detected: a block that behaves like its class up to K'
// but differently after it, and is none of the three members (in a triangular product, say).
// Kernels whose control flow or addresses depend on values in memory are recognised in the machine code and
// refused (metrics/data_dependence.h), so the matrices may stay zero. C is neither right nor verified.
#pragma once

#include "experiment/pipeline.h"

namespace gemmscope::experiment {

// `grid` is null and `why_not` a sentence where the totals must come from executing every block instead.
struct SampledGrid {
  std::shared_ptr<const GridResult> grid;
  std::string why_not;
};
// Errors: a fault of the kernel, cancelled.
tl::expected<SampledGrid, Failure> sample_grid(std::shared_ptr<const CompiledKernel> compiled,
                                               const Experiment& experiment, const GridRunOptions& options);

// The depth at which blocks are classified, at most a third of K; 0 if there is none.
int64_t classifying_depth(const CompiledKernel& compiled, const Experiment& experiment);

// Samples the grid if its blocks would issue more than `instruction_limit` warp instructions and sampling is
// possible; else executes every block.
Outcome<GridResult> count_grid(std::shared_ptr<const CompiledKernel> compiled, const Experiment& experiment,
                               const GridRunOptions& options, double instruction_limit);

// "all 64 blocks executed", "sum over 9 block classes, exact"
std::string coverage_text(const GridCoverage& coverage);

}  // namespace gemmscope::experiment
