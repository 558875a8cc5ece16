// The steps of reading a kernel's file, for the catalogue's kernels and for a user's own.
#pragma once

#include "catalog/catalog.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {

// Errors: the file does not exist, is too large for a kernel, or cannot be read.
Result<std::string> read_source(const std::filesystem::path& path);

// Fills `kernel` from the lines "//! …" of its source. If `complete`, every key is required. Otherwise only
// the given keys are checked, and expressions may use the names of kernel.constants.
Result<void> read_description(Kernel& kernel, bool complete);

// Checks the syntax and the names of a parameter's expressions.
Result<void> check_parameter(const Parameter& parameter, const Values& names);

}  // namespace gemmscope::catalog
