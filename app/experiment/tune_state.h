// What a search for the fastest variant (tune_run.h) has found out, in a file that grows by a line for each
// fact. The program may be killed at any time: a line that was not written whole is ignored and the search
// goes on with the others.
//
//   {"gemmscope_tune": 1, "device": …}             first; the device with all of its numbers
//   {"kernel": "17_split_k", "text": …}            a fingerprint of its source text
//   {"kernel": …, "size": [M, N, K], "toggles": {…}, "ms": …, …}, or "refused" in place of "ms"
//   {"process": 0, "size": [M, N, K], "recording": …}    what one process measured, as in recording.h
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/recording.h"
#include "sm/config.h"

namespace gemmscope::experiment {

// What the model says of a variant.
struct TunePrice {
  double milliseconds = 0;  // 0: there is none
  int registers = 0;        // of the longest launch, as are the next two
  int blocks_per_sm = 0;
  std::string bound;    // sm::bound_name
  std::string refused;  // why there is no time, a sentence; empty: there is one
  friend bool operator==(const TunePrice&, const TunePrice&) = default;
};

struct TuneKey {
  std::string kernel;
  int64_t m = 0, n = 0, k = 0;
  std::map<std::string, int64_t> toggles;
  friend auto operator<=>(const TuneKey&, const TuneKey&) = default;
};

class TuneState {
 public:
  // Makes the file, or goes on with the one that is there. Errors: it cannot be written; `resume` and there
  // is none or it is not of this format, or it belongs to another device; not `resume` and there is one.
  static Result<TuneState> open(const std::filesystem::path& path, bool resume, const sm::SmConfig& device);

  // Errors: the file has prices of another text of this kernel.
  Result<void> add_kernel(const catalog::Kernel& kernel);
  std::optional<TunePrice> find(const TuneKey& key) const;
  // By their toggles, all that is known of a kernel at a size.
  std::map<std::map<std::string, int64_t>, TunePrice> prices_of(const std::string& kernel,
                                                                const catalog::Problem& size) const;
  // Errors: the line cannot be written.
  Result<void> add(const TuneKey& key, const TunePrice& price);

  // What this process measured at this size; null: nothing.
  const Timings* measured(int process, const catalog::Problem& size) const;
  Result<void> add_measured(int process, const Timings& timings);

  size_t known_prices() const { return prices_.size(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  Result<void> read(const sm::SmConfig& device);
  bool read_line(const std::string& line);
  Result<void> write(const std::string& line);

  std::filesystem::path path_;
  std::ofstream file_;
  std::map<std::string, std::string> texts_;  // by kernel
  std::map<TuneKey, TunePrice> prices_;
  std::map<std::pair<int, std::array<int64_t, 3>>, Timings> measured_;
};

}  // namespace gemmscope::experiment
