// Lists what a user must still specify for a file, in one message, with lines to paste that fit the kernel.
#pragma once

#include <string>
#include <vector>

#include "own_kernel/guess.h"

namespace gemmscope::own_kernel {

struct MissingKey {
  std::string why;      // a sentence without its full stop
  std::string lines;    // for the description, "//! block = [16, 16]\n"
  std::string option;   // for the command line, "--block-dim 16,16"
  std::string program;  // source to add at the end of the file; empty: none
};
// `described` means that the file already has lines "//!".
std::string missing_keys_message(const std::vector<MissingKey>& missing, bool described);

// For a template whose arguments are not known (entry.unclear).
MissingKey missing_arguments(const ChosenEntry& entry);
// These give examples that fit the kernel's body: two dimensions if it uses threadIdx.y, and a grid that
// fits what is known of the block.
MissingKey missing_block(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                         const UnclearLaunch& unclear);
MissingKey missing_grid(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                        const UnclearLaunch& unclear, const std::array<std::string, 3>& block);
MissingKey missing_shared(const UnclearLaunch& unclear);

// For a structure passed by value: gives a kernel with plain parameters, which fills the structure and calls
// the original kernel as a function. `launch` has the block and the grid; empty: unknown. For a tensor map:
// gives the key that says of which matrix it is.
MissingKey missing_plain_kernel(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                                const std::string& why, const GuessedLaunch& launch);

}  // namespace gemmscope::own_kernel
