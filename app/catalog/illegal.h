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

// Used if the architecture of a launch is not known. It is the newest that the program knows, because nearly
// every rule about an architecture says what an older one lacks.
inline constexpr int kNewestSm = 90;

struct IllegalRule {
  std::string when;  // expression of M, N, K, SM (86 for sm_86) and the toggles; illegal if it is not 0
  std::string why;   // a sentence
};

// Returns the sentence of the first rule that holds; nothing: legal. Errors: an unknown toggle or value,
// overflow or division by zero in a rule.
Result<std::optional<std::string>> why_illegal(const Kernel& kernel, const Problem& problem,
                                               const std::map<std::string, int64_t>& toggles,
                                               int sm = kNewestSm);

// What choosing one value of one toggle would mean, with all others unchanged.
struct ToggleChoice {
  int64_t value = 0;
  std::string why_not;  // empty: it is allowed
};
// Returns every value of every toggle of the kernel, in order. A value that only breaks a rule which is
// already broken stays allowed, because it may be a step out of the illegal combination. `toggles` is as in
// launch_for, except that unknown names are ignored.
std::vector<std::vector<ToggleChoice>> toggle_choices(const Kernel& kernel, const Problem& problem,
                                                      const std::map<std::string, int64_t>& toggles,
                                                      int sm = kNewestSm);

}  // namespace gemmscope::catalog
