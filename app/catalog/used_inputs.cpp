#include "catalog/used_inputs.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace gemmscope::catalog {
namespace {

// Collects the identifiers of expressions.
class Names {
 public:
  void add(std::string_view expression) {
    const auto part_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (size_t i = 0; i < expression.size();) {
      size_t end = i;
      while (end < expression.size() && part_of_name(expression[end])) ++end;
      if (end > i) names_.emplace(expression.substr(i, end - i));
      i = std::max(end, i + 1);
    }
  }
  template <typename Expressions>
  void add_all(const Expressions& expressions) {
    for (const std::string& expression : expressions) add(expression);
  }
  bool has(const char* name) const { return names_.count(name) > 0; }

 private:
  std::set<std::string, std::less<>> names_;
};

void add_parameter(Names& names, const Parameter& p) {
  for (const std::string& expression : {p.leading_dimension, p.box_rows, p.count, p.below, p.value})
    names.add(expression);
  if (p.kind != Parameter::Kind::matrix) return;
  if (p.role != 'B') names.add("M");
  if (p.role != 'A') names.add("N");
  if (p.role != 'C') names.add("K");
}

}  // namespace

UsedInputs used_inputs(const Kernel& kernel) {
  Names names;
  names.add_all(kernel.block_expressions);
  names.add_all(kernel.grid_expressions);
  names.add(kernel.shared_expression);
  for (const auto& [name, expression] : kernel.tile_expressions) names.add(expression);
  for (const auto& [name, divisor] : kernel.divisibility) names.add(name), names.add(divisor);
  for (const IllegalRule& rule : kernel.illegal) names.add(rule.when);
  for (const LaunchStep& launch : kernel.launches) {
    names.add_all(launch.block);
    names.add_all(launch.grid);
    names.add(launch.shared);
    names.add(launch.when);
  }
  names.add_all(kernel.check.block);
  names.add_all(kernel.check.grid);
  for (const auto& [name, size] : kernel.fixed_sizes) names.add(name);
  for (const Parameter& p : kernel.parameters.empty() ? fixed_signature() : kernel.parameters)
    add_parameter(names, p);
  UsedInputs used{names.has("M"), names.has("N"), names.has("K"), names.has("alpha"), names.has("beta")};
  if (kernel.square) used.m = used.n = used.k = true;
  return used;
}

}  // namespace gemmscope::catalog
