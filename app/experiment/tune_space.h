// The space of a search for the fastest variant of a kernel: every combination of the values that its toggles
// may take. Pure functions; tune_search.h walks through it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "experiment/experiment.h"

namespace gemmscope::experiment {

// A toggle and the values that a user allows it; no values: all that it has.
struct AllowedValues {
  std::string toggle;
  std::vector<int64_t> values;
};

struct TuneAxis {
  size_t toggle = 0;  // index into Kernel::toggles
  std::vector<int64_t> values;
};

// A combination: on each axis the index of its value.
using TunePlace = std::vector<uint8_t>;

struct TuneSpace {
  catalog::Kernel kernel;  // a copy: the file may change meanwhile
  Experiment around;       // size, architecture, and the toggles that do not vary
  std::vector<TuneAxis> axes;

  double combinations() const;  // legal or not
  // The place of the toggles as chosen; of a chosen value that is not allowed, the first that is.
  TunePlace start() const;
  // Nothing where these toggles lie outside the space.
  std::optional<TunePlace> place_of(const std::map<std::string, int64_t>& toggles) const;
  // As in VariantKey: without those at their defaults.
  std::map<std::string, int64_t> toggles_at(const TunePlace& place) const;
  // The sentence that says why no launch is possible there; empty: one is.
  std::string why_illegal(const TunePlace& place) const;
  // All places in order, the last axis fastest. Only for few combinations.
  std::vector<TunePlace> places() const;
};

// `allowed`: the toggles that vary; empty: all of them, with all values. Errors name a toggle or a value that
// the kernel does not have, and a kernel without toggles.
Result<TuneSpace> make_tune_space(catalog::Kernel kernel, Experiment around,
                                  const std::vector<AllowedValues>& allowed);

}  // namespace gemmscope::experiment
