#include "lessons/formula.h"

#include <muParser.h>

#include <cmath>

namespace gemmscope::lessons {
namespace {

tl::unexpected<Error> trouble(const std::string& formula, const mu::ParserError& error) {
  std::string why = error.GetMsg();
  while (!why.empty() && (why.back() == '.' || why.back() == ' ')) why.pop_back();
  return fail("The formula \"{}\" cannot be computed: {}", formula, why);
}

}  // namespace

Result<double> compute(const std::string& formula, const std::map<std::string, double>& values) {
  try {
    mu::Parser parser;
    for (const auto& [name, value] : values) parser.DefineConst(name, value);
    parser.SetExpr(formula);
    const double result = parser.Eval();
    if (!std::isfinite(result)) return fail("The formula \"{}\" has no finite value", formula);
    return result;
  } catch (const mu::ParserError& error) {
    return trouble(formula, error);
  }
}

Result<std::vector<std::string>> names_in(const std::string& formula) {
  try {
    mu::Parser parser;
    parser.SetExpr(formula);
    std::vector<std::string> names;
    for (const auto& [name, place] : parser.GetUsedVar()) names.push_back(name);
    return names;
  } catch (const mu::ParserError& error) {
    return trouble(formula, error);
  }
}

}  // namespace gemmscope::lessons
