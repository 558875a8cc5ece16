// Searches the fastest variant of a kernel at one size: takes the places in the order of tune_search.h, and
// has them compiled, executed and modelled by several threads. What is known from an earlier run is not
// computed again.
#pragma once

#include <atomic>
#include <functional>

#include "experiment/tune_space.h"
#include "experiment/tune_state.h"

namespace gemmscope::experiment {

struct TuneEntry {
  std::map<std::string, int64_t> toggles;  // as in VariantKey
  TunePrice price;
};

struct TuneResult {
  std::string kernel;
  catalog::Problem problem;
  std::vector<TuneEntry> entries;         // in the order in which they were looked at
  double combinations = 0;                // of the space, legal or not
  std::optional<size_t> legal;            // nothing: they were not counted, because they are too many
  bool exhaustive = false;                // every legal combination was looked at
  size_t restarts = 0;                    // of the descent
  size_t priced = 0, recalled = 0;        // in this run; from an earlier one, which costs no time
  std::map<std::string, size_t> illegal;  // combinations that no launch allows, by sentence, as far as met
  double seconds = 0;
  bool out_of_time = false, cancelled = false;
  std::string trouble;  // why the search stopped, a sentence; else empty

  std::optional<size_t> left() const;  // legal combinations that were not looked at; nothing: not known
};

// Illegal combinations and those that were refused by the compiler or the model, by sentence.
std::map<std::string, size_t> refusals(const TuneResult& result);
// Indices of the entries that have a time, the fastest first.
std::vector<size_t> ranking(const TuneResult& result);
// How the space was searched: "All 144 legal combinations of 144 were looked at." or, honestly, how many of
// how many.
std::string coverage_sentence(const TuneResult& result);

// Prices a place. False: it was cancelled. Called by several threads at once.
using PriceFunction = std::function<bool(const std::map<std::string, int64_t>& toggles, TunePrice& price,
                                         const std::atomic<bool>& cancelled)>;
// By the model of this device. It refers to `space`.
PriceFunction modelled_price(const TuneSpace& space, const sm::SmConfig& device);

struct TuneOptions {
  int threads = 0;           // 0: one per core
  double most_seconds = 60;  // no place is begun later
  const std::atomic<bool>* cancelled = nullptr;
  std::vector<std::map<std::string, int64_t>> also;  // toggles to look at first; outside the space: not
  // Called by one thread at a time, a few times a second and at the end. `seconds_left`: an estimate, at most
  // what is left of the budget.
  std::function<void(const TuneResult&, double seconds_left)> progress;
};

TuneResult run_tune(const TuneSpace& space, const PriceFunction& price, TuneState& state,
                    const TuneOptions& options = {});

}  // namespace gemmscope::experiment
