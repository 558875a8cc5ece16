// The steps of reading a kernel's file, shared by the catalogue's kernels and a user's own.
#pragma once

#include "catalog/catalog.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {

// Errors: no such file, larger than a kernel is, not readable.
Result<std::string> read_source(const std::filesystem::path& path);

// Fills `kernel` from the lines "//! …" of its source. `complete`: every key must be there; else only what is
// there must be right, and names of kernel.constants may stand in expressions.
Result<void> read_description(Kernel& kernel, bool complete);

// Syntax and names of a parameter's expressions.
Result<void> check_parameter(const Parameter& parameter, const Values& names);

}  // namespace gemmscope::catalog
