// The steps from an experiment to its results. Each is a plain function of its inputs; the worker and the
// headless commands call the same ones.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "experiment/results.h"

namespace gemmscope::experiment {

// Errors: a launch that is not possible, a compile error with its places in the source, a cubin that cannot
// be read; without NVRTC, a variant that the prebuilt pack does not have. Changes of the machine code that
// the experiment asks for are made, or CompiledKernel::changed says why not.
Outcome<CompiledKernel> compile_kernel(const catalog::Kernel& kernel, const Experiment& experiment);
// As above, but asks the pack before NVRTC and takes what the same version of NVRTC made: for many variants.
Outcome<CompiledKernel> take_or_compile_kernel(const catalog::Kernel& kernel, const Experiment& experiment);
// As compile_kernel, for somebody who waits for changes of the machine code.
struct ScheduleWatch;  // experiment/scheduled_kernel.h
Outcome<CompiledKernel> compile_kernel_watched(const catalog::Kernel& kernel, const Experiment& experiment,
                                               const ScheduleWatch& watch);

// The most records that a block's trace holds. A longer trace is truncated here and marked as such.
inline constexpr size_t kTraceRecordLimit = 4'000'000;

// Errors: a block outside the grid, a fault of the kernel.
Outcome<BlockResult> run_block(std::shared_ptr<const CompiledKernel> compiled, const Experiment& experiment,
                               const std::atomic<bool>* cancelled, size_t record_limit = kTraceRecordLimit);

struct GridRunOptions {
  int threads = 0;  // 0: one per core
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(uint64_t done, uint64_t total)> progress;  // blocks
};
Outcome<GridResult> run_whole_grid(std::shared_ptr<const CompiledKernel> compiled,
                                   const Experiment& experiment, const GridRunOptions& options);
// As above; also returns C as the kernel left it, if `results` is not null, or the words of all buffers of a
// kernel that has no C.
Outcome<GridResult> run_whole_grid(std::shared_ptr<const CompiledKernel> compiled,
                                   const Experiment& experiment, const GridRunOptions& options,
                                   std::vector<float>* results);
// Whether the kernel has a matrix C.
bool has_c(const CompiledKernel& compiled);

// Mistakes that are listed of one launch; further ones are dropped.
extern const size_t kMostFindings;
// A finding as a sentence that starts with its place in the source: machine::describe_finding.
std::string finding_text(const machine::Finding& finding, const CompiledKernel& compiled);

// Warp instructions that the whole grid will issue, estimated from one block.
double estimate_grid_instructions(const BlockResult& block);

}  // namespace gemmscope::experiment
