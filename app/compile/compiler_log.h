// The program log of NVRTC: diagnostics of the front end and what ptxas says with -v.
#pragma once

#include <string_view>
#include <vector>

#include "compile/compiler.h"

namespace gemmscope::compile {

// In the order of the log. `message` holds continuation lines too, joined by blanks; `column` is where the
// caret stands.
std::vector<Diagnostic> parse_diagnostics(std::string_view log);

// One for each kernel, in the order of the log. Device functions that were not inlined are left out.
std::vector<PtxasInfo> parse_ptxas_info(std::string_view log);

}  // namespace gemmscope::compile
