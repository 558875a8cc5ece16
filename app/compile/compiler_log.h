// Reads NVRTC's program log: the front end's diagnostics and what ptxas reports with -v.
#pragma once

#include <string_view>
#include <vector>

#include "compile/compiler.h"

namespace gemmscope::compile {

// Returns the diagnostics in the order of the log. `message` includes continuation lines, joined by blanks;
// `column` is that of the caret.
std::vector<Diagnostic> parse_diagnostics(std::string_view log);

// Returns one entry per kernel, in the order of the log. Device functions that were not inlined are left out.
std::vector<PtxasInfo> parse_ptxas_info(std::string_view log);

}  // namespace gemmscope::compile
