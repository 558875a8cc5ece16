#include "toggle_space.h"

#include <algorithm>
#include <numeric>
#include <regex>
#include <set>

#include "catalog/expression.h"

namespace gemmscope::experiment {

ToggleSpace::ToggleSpace(const catalog::Kernel& kernel, const catalog::Problem& problem, int sm)
    : kernel_(kernel), rules_of_(kernel.toggles.size()) {
  for (const catalog::IllegalRule& rule : kernel.illegal) {
    rules_.push_back(tabulate(rule, problem, sm));
    for (const size_t toggle : rules_.back().toggles) rules_of_[toggle].push_back(rules_.size() - 1);
  }
}

size_t ToggleSpace::index_of(const std::string& toggle) const {
  const auto found = std::ranges::find(kernel_.toggles, toggle, &catalog::Toggle::name);
  return static_cast<size_t>(found - kernel_.toggles.begin());
}

// A rule names few toggles, so all their values fit into a small table.
ToggleSpace::Rule ToggleSpace::tabulate(const catalog::IllegalRule& rule, const catalog::Problem& problem,
                                        int sm) const {
  std::set<std::string> names;
  static const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
  for (std::sregex_iterator at(rule.when.begin(), rule.when.end(), word), end; at != end; ++at)
    names.insert(at->str());
  Rule result;
  for (size_t i = 0; i < toggle_count(); ++i)
    if (names.contains(kernel_.toggles[i].name)) result.toggles.push_back(i);
  catalog::Values values = {{"M", problem.m}, {"N", problem.n}, {"K", problem.k}, {"SM", sm}};
  size_t size = 1;
  for (const size_t toggle : result.toggles) size *= static_cast<size_t>(value_count(toggle));
  for (size_t index = 0; index < size; ++index) {
    size_t rest = index;
    for (size_t i = result.toggles.size(); i-- > 0;) {
      const catalog::Toggle& toggle = kernel_.toggles[result.toggles[i]];
      values[toggle.name] = toggle.values[rest % toggle.values.size()];
      rest /= toggle.values.size();
    }
    result.illegal.push_back(catalog::evaluate(rule.when, values).value() != 0);
  }
  return result;
}

bool ToggleSpace::holds(const Rule& rule, const Combination& combination) const {
  size_t index = 0;
  for (const size_t toggle : rule.toggles)
    index = index * static_cast<size_t>(value_count(toggle)) + static_cast<size_t>(combination[toggle]);
  return rule.illegal[index];
}

bool ToggleSpace::breaks(size_t rule, const Combination& combination) const {
  return holds(rules_[rule], combination);
}

bool ToggleSpace::is_legal(const Combination& combination) const {
  return std::ranges::none_of(rules_, [&](const Rule& rule) { return holds(rule, combination); });
}

bool ToggleSpace::is_legal_so_far(const Combination& combination, size_t toggle) const {
  for (const size_t index : rules_of_[toggle]) {
    const Rule& rule = rules_[index];
    const bool all_set =
        std::ranges::none_of(rule.toggles, [&](size_t other) { return combination[other] == kUnset; });
    if (all_set && holds(rule, combination)) return false;
  }
  return true;
}

// Without this look-ahead a search would try all values of toggles that are unrelated to a dead end.
bool ToggleSpace::has_future(Combination& combination, size_t toggle) const {
  for (const size_t rule : rules_of_[toggle])
    for (const size_t other : rules_[rule].toggles) {
      if (combination[other] != kUnset) continue;
      bool possible = false;
      for (int value = 0; value < value_count(other) && !possible; ++value) {
        combination[other] = value;
        possible = is_legal_so_far(combination, other);
      }
      combination[other] = kUnset;
      if (!possible) return false;
    }
  return true;
}

Combination ToggleSpace::defaults() const {
  Combination combination;
  for (const catalog::Toggle& toggle : kernel_.toggles)
    combination.push_back(
        static_cast<int>(std::ranges::find(toggle.values, toggle.default_value) - toggle.values.begin()));
  return combination;
}

std::map<std::string, int64_t> ToggleSpace::toggles_of(const Combination& combination) const {
  std::map<std::string, int64_t> toggles;
  for (size_t i = 0; i < combination.size(); ++i)
    toggles[kernel_.toggles[i].name] = kernel_.toggles[i].values[static_cast<size_t>(combination[i])];
  return toggles;
}

std::string ToggleSpace::text_of(const Combination& combination) const {
  std::string text;
  for (size_t i = 0; i < combination.size(); ++i) {
    const catalog::Toggle& toggle = kernel_.toggles[i];
    const int64_t value = toggle.values[static_cast<size_t>(combination[i])];
    if (value != toggle.default_value) text += fmt::format(" {}={}", toggle.name, value);
  }
  return text.empty() ? "defaults" : text.substr(1);
}

uint64_t ToggleSpace::count_all() const {
  uint64_t count = 1;
  for (size_t i = 0; i < toggle_count(); ++i) count *= static_cast<uint64_t>(value_count(i));
  return count;
}

// Toggles that no rule connects are counted separately, and their counts multiplied.
uint64_t ToggleSpace::count_legal() const { return count_legal(Combination(toggle_count(), kUnset)); }

uint64_t ToggleSpace::count_legal(const Combination& fixed) const {
  std::vector<size_t> part(toggle_count());
  std::iota(part.begin(), part.end(), size_t{0});
  for (const Rule& rule : rules_)
    for (const size_t toggle : rule.toggles) {
      const size_t from = part[toggle], to = part[rule.toggles[0]];
      std::ranges::replace(part, from, to);
    }
  uint64_t count = 1;
  for (size_t first = 0; first < toggle_count(); ++first) {
    std::vector<size_t> members;
    for (size_t i = 0; i < toggle_count(); ++i)
      if (part[i] == first) members.push_back(i);
    if (members.empty()) continue;
    Combination combination(toggle_count(), kUnset);
    const auto count_from = [&](const auto& self, size_t depth) -> uint64_t {
      if (depth == members.size()) return 1;
      uint64_t sum = 0;
      int& value = combination[members[depth]];
      for (value = 0; value < value_count(members[depth]); ++value)
        if ((fixed[members[depth]] == kUnset || fixed[members[depth]] == value) &&
            is_legal_so_far(combination, members[depth]))
          sum += self(self, depth + 1);
      value = kUnset;
      return sum;
    };
    count *= count_from(count_from, 0);
  }
  return count;
}

// The order is random, but toggles that rules name come first, because the rest cannot fail.
void ToggleSpace::shuffle_order(std::vector<size_t>& order, std::mt19937_64& random) const {
  std::ranges::shuffle(order, random);
  std::ranges::stable_partition(order, [&](size_t toggle) { return !rules_of_[toggle].empty(); });
}

template <typename OrderValues>
bool ToggleSpace::complete(Combination& combination, const std::vector<size_t>& order, size_t from,
                           const OrderValues& order_values) const {
  while (from < order.size() && combination[order[from]] != kUnset) ++from;
  if (from == order.size()) return true;
  const size_t toggle = order[from];
  for (const int value : order_values(combination, toggle)) {
    combination[toggle] = value;
    if (is_legal_so_far(combination, toggle) && has_future(combination, toggle) &&
        complete(combination, order, from + 1, order_values))
      return true;
  }
  combination[toggle] = kUnset;
  return false;
}

// Keeps the choices of values of `strength` toggles that are in no combination yet.
class ToggleSpace::Covering {
 public:
  Covering(const ToggleSpace& space, int strength) : space_(space), strength_(strength) {
    for_each_subset({}, 0, [&](const std::vector<size_t>& subset) {
      size_t size = 1;
      for (const size_t toggle : subset) size *= static_cast<size_t>(space_.value_count(toggle));
      start_.resize(std::max(start_.size(), key(subset) + 1));
      start_[key(subset)] = covered_.size();
      covered_.resize(covered_.size() + size);
    });
  }

  // Calls visit(subset of toggles) for each.
  template <typename Visit>
  void for_each_subset(std::vector<size_t> subset, size_t from, const Visit& visit) const {
    if (static_cast<int>(subset.size()) == strength_) return visit(subset);
    for (size_t toggle = from; toggle < space_.toggle_count(); ++toggle) {
      subset.push_back(toggle);
      for_each_subset(subset, toggle + 1, visit);
      subset.pop_back();
    }
  }

  std::vector<bool>::reference at(const std::vector<size_t>& subset, const Combination& combination) {
    size_t index = 0;
    for (const size_t toggle : subset)
      index =
          index * static_cast<size_t>(space_.value_count(toggle)) + static_cast<size_t>(combination[toggle]);
    return covered_[start_[key(subset)] + index];
  }

  void cover(const Combination& combination) {
    for_each_subset({}, 0, [&](const std::vector<size_t>& subset) { at(subset, combination) = true; });
  }

  // Counts the uncovered choices that `toggle`, as it is set, would cover together with the other set
  // toggles.
  int gain(const Combination& combination, size_t toggle) {
    int gain = 0;
    const auto set_count = space_.toggle_count();
    for (size_t a = 0; a < set_count; ++a) {
      if (a == toggle || combination[a] == kUnset) continue;
      if (strength_ == 2) {
        gain += at({std::min(a, toggle), std::max(a, toggle)}, combination) ? 0 : 1;
        continue;
      }
      for (size_t b = a + 1; b < set_count; ++b) {
        if (b == toggle || combination[b] == kUnset) continue;
        std::vector<size_t> subset = {a, b, toggle};
        std::ranges::sort(subset);
        gain += at(subset, combination) ? 0 : 1;
      }
    }
    return gain;
  }

 private:
  size_t key(const std::vector<size_t>& subset) const {
    size_t key = 0;
    for (const size_t toggle : subset) key = key * space_.toggle_count() + toggle;
    return key;
  }

  const ToggleSpace& space_;
  const int strength_;
  std::vector<size_t> start_;  // of a subset's choices in covered_
  std::vector<bool> covered_;
};

// Takes the next uncovered choice and completes it greedily, value by value, with what covers most.
std::vector<Combination> ToggleSpace::covering(int strength, uint64_t seed) const {
  std::mt19937_64 random(seed);
  Covering covering(*this, strength);
  std::vector<Combination> result;
  std::vector<size_t> order(toggle_count());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto by_gain = [&](Combination& combination, size_t toggle) {
    std::vector<std::pair<int, int>> gains;
    for (int value = 0; value < value_count(toggle); ++value) {
      combination[toggle] = value;
      gains.push_back({-covering.gain(combination, toggle), value});
    }
    combination[toggle] = kUnset;
    std::ranges::shuffle(gains, random);
    std::ranges::stable_sort(gains, {}, &std::pair<int, int>::first);
    std::vector<int> values;
    for (const auto& [gain, value] : gains) values.push_back(value);
    return values;
  };
  covering.for_each_subset({}, 0, [&](const std::vector<size_t>& subset) {
    Combination choice(toggle_count(), kUnset);
    const auto each_value = [&](const auto& self, size_t depth) -> void {
      if (depth < subset.size()) {
        for (int value = 0; value < value_count(subset[depth]); ++value) {
          choice[subset[depth]] = value;
          self(self, depth + 1);
        }
        return;
      }
      if (covering.at(subset, choice)) return;
      for (const size_t toggle : subset)
        if (!is_legal_so_far(choice, toggle) || !has_future(choice, toggle)) return;
      Combination combination = choice;
      shuffle_order(order, random);
      if (!complete(combination, order, 0, by_gain)) return;  // no legal combination has it
      covering.cover(combination);
      result.push_back(std::move(combination));
    };
    each_value(each_value, 0);
  });
  return result;
}

std::vector<Combination> ToggleSpace::product(const std::vector<size_t>& toggles) const {
  std::vector<Combination> result = {defaults()};
  for (const size_t toggle : toggles) {
    std::vector<Combination> more;
    for (const Combination& combination : result)
      for (int value = 0; value < value_count(toggle); ++value) {
        more.push_back(combination);
        more.back()[toggle] = value;
      }
    result = std::move(more);
  }
  std::erase_if(result, [&](const Combination& combination) { return !is_legal(combination); });
  return result;
}

Combination ToggleSpace::completed(Combination combination) const {
  std::vector<size_t> order(toggle_count());
  std::iota(order.begin(), order.end(), size_t{0});
  const Combination first = defaults();
  for (const size_t toggle : order)
    if (combination[toggle] != kUnset && !has_future(combination, toggle)) return {};
  const bool found = complete(combination, order, 0, [&](const Combination&, size_t toggle) {
    std::vector<int> values = {first[toggle]};
    for (int value = 0; value < value_count(toggle); ++value)
      if (value != first[toggle]) values.push_back(value);
    return values;
  });
  return found && is_legal(combination) ? combination : Combination();
}

Combination ToggleSpace::random_legal(std::mt19937_64& random) const {
  return random_legal(Combination(toggle_count(), kUnset), random);
}

Combination ToggleSpace::random_legal(Combination combination, std::mt19937_64& random) const {
  std::vector<size_t> order(toggle_count());
  std::iota(order.begin(), order.end(), size_t{0});
  shuffle_order(order, random);
  complete(combination, order, 0, [&](const Combination&, size_t toggle) {
    std::vector<int> values(static_cast<size_t>(value_count(toggle)));
    std::iota(values.begin(), values.end(), 0);
    std::ranges::shuffle(values, random);
    return values;
  });
  return combination;
}

}  // namespace gemmscope::experiment
