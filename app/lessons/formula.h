// Formulas over the figures of a page: "before / after", "spills == 0 && blocks > 1". The arithmetic is
// muParser's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace gemmscope::lessons {

// Comparisons and "&&", "||" give 1 or 0. Errors quote the formula: what is wrong where, an unknown name, a
// result that is no finite number.
Result<double> compute(const std::string& formula, const std::map<std::string, double>& values);

// The names that it uses, each once. Errors: what is wrong where.
Result<std::vector<std::string>> names_in(const std::string& formula);

}  // namespace gemmscope::lessons
