// Combinations of toggles that a kernel does not have, and why: the description's [[illegal]].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace gemmscope::catalog {

struct Kernel;
struct Problem;

// For a launch whose architecture is not known: the newest that the program knows, since nearly every rule
// about an architecture says what an older one lacks.
inline constexpr int kNewestSm = 90;

struct IllegalRule {
  std::string when;  // expression of M, N, K, SM (86 for sm_86) and the toggles; illegal where it is not 0
  std::string why;   // a sentence
};

// The sentence of the first rule that holds; none: legal. Errors: an unknown toggle or value, overflow or
// division by zero in a rule.
Result<std::optional<std::string>> why_illegal(const Kernel& kernel, const Problem& problem,
                                               const std::map<std::string, int64_t>& toggles,
                                               int sm = kNewestSm);

// One value of one toggle, were it chosen while all others stay.
struct ToggleChoice {
  int64_t value = 0;
  std::string why_not;  // empty: it can be chosen
};
// For each toggle of the kernel, in order, each of its values, in order. A value that breaks a rule which is
// broken already stays open: it may be on the way out. `toggles` as in launch_for; unknown names count for
// nothing here.
std::vector<std::vector<ToggleChoice>> toggle_choices(const Kernel& kernel, const Problem& problem,
                                                      const std::map<std::string, int64_t>& toggles,
                                                      int sm = kNewestSm);

}  // namespace gemmscope::catalog
