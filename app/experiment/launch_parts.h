// Runs the launches of one file in order on the same buffers, and compares with a kernel's own reference.
#pragma once

#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "machine/execute/grid.h"

namespace gemmscope::experiment {

// The macros of the kernel's typed inputs, with defaults where nothing was typed. Errors: an input that the
// kernel does not have, an invalid expression.
Result<std::map<std::string, std::string>> checked_inputs(const catalog::Kernel& kernel,
                                                          const std::map<std::string, std::string>& typed);

// Finds and decodes the code of each launch. `symbol` is the mangled name if the only launch has a C++ name,
// else empty. Errors: an entry that is not in the machine code, declared parameters that do not match it.
Result<std::vector<LaunchPart>> launch_parts(const CompiledKernel& compiled,
                                             const std::vector<catalog::ActiveLaunch>& launches,
                                             const std::string& symbol);

// Errors: arguments that do not fit, code that cannot be executed.
Result<machine::Program> translate_part(const CompiledKernel& compiled, const LaunchPart& part,
                                        ProblemData& data);
// Runs every block of the launch on `data`. Errors: a fault, which names its launch unless that is the shown
// one.
tl::expected<machine::GridRun, Failure> run_part(const CompiledKernel& compiled, const LaunchPart& part,
                                                 ProblemData& data, const machine::GridOptions& options);

struct PartResult {
  metrics::Counters counters;
  std::vector<machine::Finding> findings;
  uint64_t blocks = 0;
};
tl::expected<PartResult, Failure> count_part(const CompiledKernel& compiled, const LaunchPart& part,
                                             ProblemData& data, const GridRunOptions& options);

// Converts the findings of a launch whose code is not shown.
std::vector<OtherFinding> other_findings(const CompiledKernel& compiled, const LaunchPart& part,
                                         std::vector<machine::Finding> findings);

// The launch of the reference that kernel.check declares. Errors: as launch_parts, or sizes that cannot be
// launched.
Result<LaunchPart> reference_part(const CompiledKernel& compiled, const Experiment& experiment);
// Compares the buffers that kernel.check names: `result` holds them after the launches, and the reference
// computes them from the same data.
tl::expected<Verification, Failure> verify_by_reference(const CompiledKernel& compiled,
                                                        const Experiment& experiment,
                                                        machine::GlobalMemory& result,
                                                        const GridRunOptions& options);

}  // namespace gemmscope::experiment
