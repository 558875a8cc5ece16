// The launches of one file, run in order on the same buffers, and the reference that a kernel brings along.
#pragma once

#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "machine/execute/grid.h"

namespace gemmscope::experiment {

// The macros of the kernel's typed inputs, defaults where nothing was typed. Errors: an input that the kernel
// has not, an expression that is none.
Result<std::map<std::string, std::string>> checked_inputs(const catalog::Kernel& kernel,
                                                          const std::map<std::string, std::string>& typed);

// Finds and decodes the code of each launch. `symbol`: of a C++ name's only launch, else empty. Errors: an
// entry that is not in the machine code, declared parameters that do not match it.
Result<std::vector<LaunchPart>> launch_parts(const CompiledKernel& compiled,
                                             const std::vector<catalog::ActiveLaunch>& launches,
                                             const std::string& symbol);

// Errors: arguments that do not fit, code that cannot be executed.
Result<machine::Program> translate_part(const CompiledKernel& compiled, const LaunchPart& part,
                                        ProblemData& data);
// Every block of the launch, on `data`. Errors: a fault, told with its launch where there are several.
tl::expected<machine::GridRun, Failure> run_part(const CompiledKernel& compiled, const LaunchPart& part,
                                                 ProblemData& data, const machine::GridOptions& options);

struct PartResult {
  metrics::Counters counters;
  std::vector<machine::Finding> findings;
  uint64_t blocks = 0;
};
tl::expected<PartResult, Failure> count_part(const CompiledKernel& compiled, const LaunchPart& part,
                                             ProblemData& data, const GridRunOptions& options);

// Of a launch whose code is not the shown one's.
std::vector<OtherFinding> other_findings(const CompiledKernel& compiled, const LaunchPart& part,
                                         std::vector<machine::Finding> findings);

// The launch of kernel.check. Errors: as launch_parts, or sizes that cannot be launched.
Result<LaunchPart> reference_part(const CompiledKernel& compiled, const Experiment& experiment);
// The buffers that kernel.check names, after the launches (`result`), against what the reference makes of the
// same data.
tl::expected<Verification, Failure> verify_by_reference(const CompiledKernel& compiled,
                                                        const Experiment& experiment,
                                                        machine::GlobalMemory& result,
                                                        const GridRunOptions& options);

}  // namespace gemmscope::experiment
