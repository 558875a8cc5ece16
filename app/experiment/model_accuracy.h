// How far the model is from a recording: every entry of it modelled again, on several threads.
#pragma once

#include <atomic>
#include <functional>

#include "experiment/recording.h"
#include "sm/config.h"

namespace gemmscope::experiment {

struct AccuracyEntry {
  size_t run = 0;  // of the recording: a size
  catalog::Problem problem;
  std::string id, title;
  std::map<std::string, int64_t> toggles;
  bool is_product = true;
  double recorded_ms = 0;
  double modelled_ms = 0;  // 0: none
  std::string trouble;     // why there is none, a sentence

  bool compared() const { return modelled_ms > 0 && recorded_ms > 0; }
  double error() const { return modelled_ms / recorded_ms - 1; }  // 0.02: the model is 2 % too slow
};

struct AccuracySummary {
  size_t compared = 0;
  double mean_error = 0;   // of the absolute errors
  size_t worst = 0;        // index of the entry with the largest one
  double worst_error = 0;  // with its sign
  // Kendall's tau of the order of variants at the same size, among pairs whose recorded times differ by over
  // 2 %: (pairs in the same order - pairs in the other) / pairs. 0 without pairs.
  double tau = 0;
  size_t pairs = 0;
};
AccuracySummary summarize(const std::vector<AccuracyEntry>& entries);

struct AccuracyOptions {
  int threads = 0;  // 0: one per core
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(size_t done, size_t total)> progress;  // called by one thread at a time
};

// An entry for each variant with samples that is not the library's. A kernel that the catalogue does not
// have, a size that the recording does not state and a time that cannot be modelled become the entry's
// trouble.
std::vector<AccuracyEntry> model_accuracy(const Recording& recording, const catalog::Catalog& catalog,
                                          const sm::SmConfig& device, const AccuracyOptions& options = {});

}  // namespace gemmscope::experiment
