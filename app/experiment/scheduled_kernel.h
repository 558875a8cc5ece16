// A compiled kernel with its main loop rewritten (schedule/schedule.h), and what accepts or refuses it: the
// hazard lint, the proof that every value comes from where it came from, and the execution of both on the CPU
// with equal bits.
#pragma once

#include <memory>

#include "experiment/pipeline.h"
#include "schedule/schedule.h"

namespace gemmscope::experiment {

struct ScheduledKernel {
  std::shared_ptr<const CompiledKernel> original, scheduled;
  schedule::Scheduled schedule;  // of the shown launch's code
};

// Registers per thread with which as many blocks fit on an SM as before.
int register_budget(const CompiledKernel& compiled);

// Rewrites the shown launch's code. Nothing is executed. Errors: those of schedule_code, encode_code and
// write_cubin.
Outcome<ScheduledKernel> schedule_kernel(std::shared_ptr<const CompiledKernel> compiled);

struct BitComparison {
  uint64_t elements = 0, blocks = 0;
  uint64_t different = 0;     // elements of C whose bits differ
  Verification verification;  // of the scheduled kernel's C, as of any kernel
};
// Executes both kernels, every block. Errors: those of run_whole_grid.
tl::expected<BitComparison, Failure> compare_bits(const ScheduledKernel& kernel,
                                                  const Experiment& experiment);

}  // namespace gemmscope::experiment
