#include "catalog/illegal.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {
namespace {

Result<Values> rule_values(const Kernel& kernel, const Problem& problem,
                           const std::map<std::string, int64_t>& toggles, int sm) {
  auto values = expression_values(kernel, problem, toggles);
  if (values) values->emplace("SM", sm);  // a toggle of that name wins
  return values;
}

// Returns the toggles that the kernel has. Other names are reported elsewhere.
std::map<std::string, int64_t> known_toggles(const Kernel& kernel,
                                             const std::map<std::string, int64_t>& toggles) {
  std::map<std::string, int64_t> known;
  for (const Toggle& toggle : kernel.toggles) {
    const auto set = toggles.find(toggle.name);
    const bool is_value = set != toggles.end() && std::ranges::count(toggle.values, set->second) != 0;
    known[toggle.name] = is_value ? set->second : toggle.default_value;
  }
  return known;
}

// A rule that cannot be computed does not hold; launch_for reports it.
bool holds(const IllegalRule& rule, const Values& values) {
  const Result<int64_t> illegal = evaluate(rule.when, values);
  return illegal && *illegal != 0;
}

std::string first_broken(const Kernel& kernel, const Values& values, const std::vector<bool>& broken_before) {
  for (size_t i = 0; i < kernel.illegal.size(); ++i)
    if (!broken_before[i] && holds(kernel.illegal[i], values)) return kernel.illegal[i].why;
  return {};
}

}  // namespace

Result<std::optional<std::string>> why_illegal(const Kernel& kernel, const Problem& problem,
                                               const std::map<std::string, int64_t>& toggles, int sm) {
  const Result<Values> values = rule_values(kernel, problem, toggles, sm);
  if (!values) return tl::unexpected(values.error());
  for (const IllegalRule& rule : kernel.illegal) {
    const Result<int64_t> illegal = evaluate(rule.when, *values);
    if (!illegal) return fail("Kernel {}, key illegal.when: {}.", kernel.id, illegal.error().message);
    if (*illegal != 0) return rule.why;
  }
  return std::nullopt;
}

std::vector<std::vector<ToggleChoice>> toggle_choices(const Kernel& kernel, const Problem& problem,
                                                      const std::map<std::string, int64_t>& toggles, int sm) {
  std::vector<std::vector<ToggleChoice>> choices;
  const std::map<std::string, int64_t> chosen = known_toggles(kernel, toggles);
  Values values = rule_values(kernel, problem, chosen, sm).value_or(Values{});
  std::vector<bool> broken;
  for (const IllegalRule& rule : kernel.illegal) broken.push_back(holds(rule, values));
  for (const Toggle& toggle : kernel.toggles) {
    int64_t& value = values[toggle.name];
    const int64_t current = value;
    choices.emplace_back();
    for (const int64_t candidate : toggle.values) {
      value = candidate;
      choices.back().push_back({candidate, first_broken(kernel, values, broken)});
    }
    value = current;
  }
  return choices;
}

}  // namespace gemmscope::catalog
