// Integer expressions of a kernel's description: "ceil_div(M, 128)", "4 * 128 * (BLOCK_K + PAD)".
//
//   choice     = either [ "?" choice ":" choice ]
//   either     = both { "||" both }
//   both       = bit_or { "&&" bit_or }
//   bit_or     = bit_xor { "|" bit_xor }
//   bit_xor    = bit_and { "^" bit_and }
//   bit_and    = comparison { "&" comparison }
//   comparison = shift [ ("==" | "!=" | "<" | "<=" | ">" | ">=") shift ]
//   shift      = sum { ("<<" | ">>") sum }
//   sum        = product { ("+" | "-") product }
//   product    = factor { ("*" | "/" | "%") factor }
//   factor     = number | name | "-" factor | "!" factor | "~" factor | "(" choice ")"
//              | function "(" choice "," choice ")"
//   number     = digits | "0x" hexadecimal digits
//
// All values are 64-bit signed. The operators bind as in C; "/" rounds toward zero and "%" takes the sign of
// the left side, and ">>" keeps the sign. A comparison, "!", "&&" and "||" give 1 or 0, and any value but 0
// counts as true; a side that "&&", "||" or "?" does not need is not computed. The functions are ceil_div (a
// division that rounds up), min and max.
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

// Checks only syntax and names; `values` has the known names. It does no arithmetic, so none can fail.
Result<void> check_expression(std::string_view expression, const Values& values);

// A name is a letter or "_", then letters, digits and "_". In an expression it may have members: threadIdx.x.
bool is_name(std::string_view text);
// True for "ceil_div", "min" and "max", which cannot name a value.
bool is_function(std::string_view name);

}  // namespace gemmscope::catalog
