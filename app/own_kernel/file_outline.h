// The first step of opening a user's file: its description and its outline.
#pragma once

#include "catalog/catalog.h"
#include "catalog/expression.h"
#include "cuda_text/source_outline.h"

namespace gemmscope::own_kernel {

// Reads the description of kernel.source into `kernel`, and outlines the file and what it includes with the
// macros of both. Errors: those of the description.
Result<cuda_text::SourceOutline> outline_file(catalog::Kernel& kernel, const catalog::Overrides& given);

// The names that expressions of the launch may use; M, N and K are 0.
catalog::Values names_of(const catalog::Kernel& kernel);

}  // namespace gemmscope::own_kernel
