// Evaluates the conditions of #if and #elif.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cuda_text/macros.h"

namespace gemmscope::cuda_text {

// Returns whether the condition holds, or nothing if that is not known. `text` is the text after "#if". As
// in the preprocessor, a name without a macro is 0. The value of a name of `undecided` is not known, but
// whether it is defined is known.
std::optional<bool> holds(std::string_view text, const Macros& macros,
                          const std::set<std::string>& undecided);

}  // namespace gemmscope::cuda_text
