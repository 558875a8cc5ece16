// The combinations of a kernel's toggles: how many are legal, and samples that contain every pair or every
// three of their values.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace gemmscope::experiment {

// For each toggle, in the kernel's order, the index of its value.
using Combination = std::vector<int>;

class ToggleSpace {
 public:
  static constexpr int kUnset = -1;

  // The rules are evaluated with these sizes and this architecture.
  ToggleSpace(const catalog::Kernel& kernel, const catalog::Problem& problem, int sm);

  size_t toggle_count() const { return kernel_.toggles.size(); }
  int value_count(size_t toggle) const { return static_cast<int>(kernel_.toggles[toggle].values.size()); }
  size_t rule_count() const { return rules_.size(); }
  size_t index_of(const std::string& toggle) const;
  Combination defaults() const;
  std::map<std::string, int64_t> toggles_of(const Combination& combination) const;  // all of them
  std::string text_of(const Combination& combination) const;  // what differs from the defaults

  bool is_legal(const Combination& combination) const;
  bool breaks(size_t rule, const Combination& combination) const;
  uint64_t count_legal() const;
  uint64_t count_legal(const Combination& fixed) const;  // of those with these values, where not kUnset
  uint64_t count_all() const;

  // Returns legal combinations that together contain every legal choice of values of any `strength` (2 or 3)
  // toggles. One seed always gives the same list.
  std::vector<Combination> covering(int strength, uint64_t seed) const;
  // Returns every legal combination of some toggles' values, with the others at their defaults.
  std::vector<Combination> product(const std::vector<size_t>& toggles) const;
  // Sets each kUnset toggle to its default if that is legal, else to another value; empty if there is none.
  Combination completed(Combination combination) const;
  // Draws each toggle, or only those that are kUnset, among the values that leave a legal combination.
  Combination random_legal(std::mt19937_64& random) const;
  Combination random_legal(Combination combination, std::mt19937_64& random) const;

 private:
  struct Rule {
    std::vector<size_t> toggles;  // that it names
    std::vector<bool> illegal;    // by their values, the last counting fastest
  };
  class Covering;

  Rule tabulate(const catalog::IllegalRule& rule, const catalog::Problem& problem, int sm) const;
  bool holds(const Rule& rule, const Combination& combination) const;
  // False if a rule holds that names `toggle` and whose toggles are all set.
  bool is_legal_so_far(const Combination& combination, size_t toggle) const;
  // True if each toggle that shares a rule with this one still has a legal value.
  bool has_future(Combination& combination, size_t toggle) const;
  void shuffle_order(std::vector<size_t>& order, std::mt19937_64& random) const;
  // Sets the unset toggles in this order and tries their values in the order that `order_values` gives.
  template <typename OrderValues>
  bool complete(Combination& combination, const std::vector<size_t>& order, size_t from,
                const OrderValues& order_values) const;

  const catalog::Kernel& kernel_;
  std::vector<Rule> rules_;
  std::vector<std::vector<size_t>> rules_of_;  // of each toggle
};

}  // namespace gemmscope::experiment
