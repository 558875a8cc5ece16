// What a user must still say of a file: all of it in one message, with lines to paste that fit the kernel.
#pragma once

#include <string>
#include <vector>

#include "own_kernel/guess.h"

namespace gemmscope::own_kernel {

struct MissingKey {
  std::string why;      // a sentence without its point
  std::string lines;    // of the description, "//! block = [16, 16]\n"
  std::string option;   // of the command line, "--block-dim 16,16"
  std::string program;  // source to add at the end of the file; empty: none
};
// `described`: the file has lines "//!" already.
std::string missing_keys_message(const std::vector<MissingKey>& missing, bool described);

// A template whose arguments are not known (entry.unclear).
MissingKey missing_arguments(const ChosenEntry& entry);
// Examples that fit the kernel's body: two dimensions where it asks for threadIdx.y, and a grid that fits
// what is known of the block.
MissingKey missing_block(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                         const UnclearLaunch& unclear);
MissingKey missing_grid(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                        const UnclearLaunch& unclear, const std::array<std::string, 3>& block);
MissingKey missing_shared(const UnclearLaunch& unclear);

// A structure that is passed by value: a kernel with plain parameters, which fills it and calls the other one
// as a function. `block` and `grid` as the launch says them; empty: unknown.
MissingKey missing_plain_kernel(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                                const std::string& why, const GuessedLaunch& launch);

}  // namespace gemmscope::own_kernel
