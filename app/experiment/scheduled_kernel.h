// A compiled kernel with its main loop rewritten (schedule/schedule.h), and what accepts or refuses it: the
// hazard lint, the proof that every value comes from where it came from, and the execution of both on the CPU
// with equal bits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "experiment/pipeline.h"
#include "schedule/schedule.h"

namespace gemmscope::experiment {

struct ScheduledKernel {
  std::shared_ptr<const CompiledKernel> original, scheduled;
  schedule::Scheduled schedule;  // of the shown launch's code
};

// Registers per thread with which as many blocks fit on an SM as before.
int register_budget(const CompiledKernel& compiled);

// Who waits for the pass, which may take seconds.
struct ScheduleWatch {
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(double share)> progress = {};  // 0 to 1
  bool is_cancelled() const { return cancelled != nullptr && *cancelled; }
};

// Code that does not come out of decoder and encoder bit for bit must not be written anew. Errors: a sentence
// that names the first such instruction; those of encode_code.
Result<void> check_written_back(const cubin::KernelCode& code, const std::vector<isa::Instruction>& decoded);

// Rewrites the shown launch's code. Nothing is executed. The last results are remembered by the code. Errors:
// those of schedule_code, encode_code and write_cubin.
Outcome<ScheduledKernel> schedule_kernel(std::shared_ptr<const CompiledKernel> compiled,
                                         const ScheduleWatch& watch = {});

// The same launch with this code of the same kernel. Lines and calls follow the instructions; `moved`: by
// place, the place in the original. Errors: those of encode_code and write_cubin.
Result<std::shared_ptr<const CompiledKernel>> with_code(const CompiledKernel& original,
                                                        const std::vector<isa::Instruction>& instructions,
                                                        int registers, const std::vector<uint32_t>& moved);

// How many of the numbers differ in their bits. Both have the same length.
uint64_t different_bits(const std::vector<float>& a, const std::vector<float>& b);

// Warp instructions of a grid that is executed whole for a comparison. A larger one is compared at a smaller
// size, where the machine code is the same.
inline constexpr double kComparedInstructions = 1e8;

// An experiment whose whole grid is executed quickly, and its code.
struct QuickGrid {
  Experiment experiment;
  std::shared_ptr<const CompiledKernel> compiled;
};
// The experiment itself or a smaller size; nothing where no size has the same machine code. `instructions`:
// warp instructions of the experiment's grid.
std::optional<QuickGrid> quick_grid(const std::shared_ptr<const CompiledKernel>& compiled,
                                    const Experiment& experiment, double instructions);

struct BitComparison {
  catalog::Problem problem;  // the size at which both were executed
  uint64_t elements = 0;     // of C
  bool of_buffers = false;   // the kernel has no C, so they are 32-bit words of all its buffers
  uint64_t blocks = 0;
  uint64_t different = 0;     // elements whose bits differ
  Verification verification;  // of the scheduled kernel's C, as of any kernel
};
// Executes both kernels, every block, at the size of quick_grid, or where there is none at the experiment's.
// Errors: those of run_block, run_whole_grid and with_code.
tl::expected<BitComparison, Failure> compare_bits(const ScheduledKernel& kernel,
                                                  const Experiment& experiment);

}  // namespace gemmscope::experiment
