// The conditions of #if and #elif.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cuda_text/macros.h"

namespace gemmscope::cuda_text {

// Whether the condition holds; nothing where it cannot be told here. `text` stands behind "#if"; a name
// without a macro is 0, as the preprocessor says. A condition that names one of `undecided` cannot be told,
// but whether such a name is defined can.
std::optional<bool> holds(std::string_view text, const Macros& macros,
                          const std::set<std::string>& undecided);

}  // namespace gemmscope::cuda_text
