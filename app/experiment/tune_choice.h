// Which variants of a search a GPU is to measure, and what it said of them beside the model. Pure functions.
#pragma once

#include "experiment/timing_choice.h"
#include "experiment/tune_run.h"

namespace gemmscope::experiment {

// A variant that is measured.
struct TunedVariant {
  VariantKey key;
  TunePrice price;      // no time and no refusal: it lies outside the space
  size_t alike = 0;     // others that the model cannot tell from it: most often the same machine code
  bool chosen = false;  // the variant as chosen, or that of the table by size: measured however slow
};

struct TuneLimits {
  size_t keep = 8;     // the fastest by the model
  double within = 0;   // and those within so many percent of the fastest
  size_t most = 1000;  // but no more than this
};

// The fastest of all results by the model, and then those of `always` that are not among them. Of variants
// that are alike, the one with the fewest changes stands for all.
std::vector<TunedVariant> choose_to_measure(const std::vector<TuneResult>& results,
                                            const std::vector<VariantKey>& always, const TuneLimits& limits);

// Kendall's tau between the modelled times and the medians of the samples, over the variants that have both;
// nothing where there are fewer than two.
std::optional<double> rank_agreement(const std::vector<TunedVariant>& variants, const Timings& timings);

}  // namespace gemmscope::experiment
