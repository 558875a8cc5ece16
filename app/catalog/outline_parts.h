// The steps of outline_of.
#pragma once

#include "catalog/source_outline.h"

namespace gemmscope::catalog {

// Integer constants, type names and one-line functions, from `directives` and from outline.clean.
void read_constants(SourceOutline& outline, const std::vector<std::string>& directives);
// kernel<<<…>>>(…) in outline.clean.
void read_launches(SourceOutline& outline);

}  // namespace gemmscope::catalog
