// Integer expressions of a kernel's description: "ceil_div(M, 128)", "4 * 128 * (BLOCK_K + PAD)".
//
//   either     = both { "||" both }
//   both       = comparison { "&&" comparison }
//   comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//   sum        = product { ("+" | "-") product }
//   product    = factor { ("*" | "/" | "%") factor }
//   factor     = number | name | "-" factor | "!" factor | "(" either ")"
//              | function "(" either "," either ")"
//
// All values are 64-bit signed. "/" rounds toward zero and "%" takes the sign of the left side, as in C. A
// comparison, "!", "&&" and "||" give 1 or 0, and any value but 0 counts as true; where the left side of
// "&&" or "||" decides, the right side is not computed. The functions are ceil_div (a division that rounds
// up), min and max.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gemmscope::catalog {

using Values = std::map<std::string, int64_t, std::less<>>;

// Errors quote the expression: a syntax error with its place, an unknown name, overflow, division by zero.
Result<int64_t> evaluate(std::string_view expression, const Values& values);

// Syntax and names only: `values` says which names there are. No arithmetic is done, so none can fail.
Result<void> check_expression(std::string_view expression, const Values& values);

// A letter or "_", then letters, digits and "_".
bool is_name(std::string_view text);
// "ceil_div", "min" or "max": no name of a value.
bool is_function(std::string_view name);

}  // namespace gemmscope::catalog
