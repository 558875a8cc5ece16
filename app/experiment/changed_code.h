// A compiled kernel with changes of its machine code: the pass over the main loop and edits by hand, what
// accepts or refuses them, and the comparison of its result with the compiler's code bit for bit.
#pragma once

#include <optional>

#include "experiment/pipeline.h"
#include "experiment/scheduled_kernel.h"

namespace gemmscope::experiment {

// Makes the changes. Where one cannot be made, the result is the original with a sentence
// (ChangedCode::refused). Errors: cancelled.
Outcome<CompiledKernel> change_code(std::shared_ptr<const CompiledKernel> original,
                                    const CodeChanges& changes, const ScheduleWatch& watch);

// Where the edited instruction stands afterwards, if one more edit is made on the shown code. Errors: those
// of schedule::apply_edits.
Result<uint32_t> place_after(const CompiledKernel& compiled, const schedule::Edit& edit);

// The compiler's code of a kernel, whether it is changed or not.
inline const CompiledKernel& original_of(const CompiledKernel& compiled) {
  return compiled.changed == nullptr ? compiled : *compiled.changed->original;
}
// The instruction's place in the compiler's code.
inline uint32_t original_place(const CompiledKernel& compiled, uint32_t instruction) {
  return compiled.changed == nullptr ? instruction : compiled.changed->moved[instruction];
}

// What one more edit would do to the shown code.
struct EditPreview {
  std::string why_not;  // it cannot be made, a sentence; empty: it can
  std::string breaks;   // the first mistake that it makes and that is not there yet; empty: none
  uint32_t lost_cycles_before = 0, lost_cycles = 0;  // to register ports, in a pass of the main loop
};
EditPreview preview_edit(const CompiledKernel& compiled, const schedule::Edit& edit);

// Where an instruction of `from` stands in `to`, if only changes of the machine code lie between them.
std::optional<uint32_t> place_in(const CompiledKernel& to, const CompiledKernel& from, uint32_t instruction);

// The first thing that the changes break, a sentence with its place; empty: proof and hazard lint accept
// them, or there are none.
std::string first_mistake(const CompiledKernel& compiled);

// Executes the changed code and the compiler's with the same data, every block, at the size of quick_grid.
// `instructions`: warp instructions of the whole grid. Null where it was cancelled.
std::shared_ptr<const BitsCompared> compare_with_original(std::shared_ptr<const CompiledKernel> changed,
                                                          const Experiment& experiment, double instructions,
                                                          const GridRunOptions& options);

// Why a GPU must not get this code, a sentence; empty: it may. Changed code is executed on the CPU for it the
// first time, and then remembered, unless that was cancelled.
std::string why_not_on_gpu(const std::shared_ptr<const CompiledKernel>& compiled,
                           const Experiment& experiment, const std::atomic<bool>* cancelled = nullptr);

}  // namespace gemmscope::experiment
