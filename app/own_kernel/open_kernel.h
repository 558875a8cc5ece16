// A CUDA file of a user's as a kernel: what its description leaves out is guessed from its source.
#pragma once

#include <filesystem>

#include "catalog/catalog.h"

namespace gemmscope::own_kernel {

// Any CUDA file of a user's: every key may be missing where `overrides` has it or the source says it
// unambiguously. Errors name the key that is missing and give an example to paste.
Result<catalog::Kernel> open_kernel(const std::filesystem::path& path,
                                    const catalog::Overrides& overrides = {});
// The same file once more, in the way it was read.
Result<catalog::Kernel> reread_kernel(const catalog::Kernel& kernel);

}  // namespace gemmscope::own_kernel
