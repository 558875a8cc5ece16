// What the user has chosen in the picture of the timings; commands and the view change it, the scenes read
// it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/timings.h"

namespace gemmscope::experiment {

// A kernel with the toggles that differ from its defaults: what two experiments have in common that are
// timed alike.
struct VariantKey {
  std::string kernel;
  std::map<std::string, int64_t> toggles;
  friend bool operator==(const VariantKey&, const VariantKey&) = default;
};
inline VariantKey key_of(const Experiment& e) { return {e.kernel, e.toggles}; }
inline VariantKey key_of(const TimedVariant& v) { return {v.id, v.toggles}; }

// Who is timed and shown, beside the current variant and the library.
enum class Race : uint8_t {
  before,  // the variant that was looked at before
  recent,  // those of this session
  ladder,  // every kernel of the catalogue as it is, and the recent ones
  chosen   // those that are ticked in the list
};
inline constexpr int kRaces = 4;
const char* race_name(Race race);

// What a panel shows that has no room for all charts beside each other.
enum class TimingChart : uint8_t { bars, time, roofline };
inline constexpr int kTimingCharts = 3;
const char* timing_chart_name(TimingChart chart);  // "over time"

struct TimingChoice {
  TimingChart chart = TimingChart::bars;
  Race race = Race::ladder;
  std::set<std::string> ticked;  // kernels of Race::chosen
  bool measure = true;           // where there is a GPU
  bool flush_l2 = false;
  bool compulsory_traffic = false;  // roofline: intensity of A, B and C moved once, for all variants
  int recording = -1;               // index that the user picked; -1: the nearest, or what is measured
  int first_row = 0;                // of the bars, where they do not all fit
};

// The variants looked at in this session, the current one first, without repetition.
class VariantHistory {
 public:
  static constexpr size_t kMost = 8;
  void visit(VariantKey key);
  const std::vector<VariantKey>& keys() const { return keys_; }

 private:
  std::vector<VariantKey> keys_;
};

// Runs whatever was looked at before. A lab has no TFLOP/s to race for: it runs when it is ticked.
bool is_racing(const TimingChoice& choice, const catalog::Kernel& kernel);
// Who runs: the current variant first, then the others, each once.
std::vector<VariantKey> racers(const TimingChoice& choice, const VariantHistory& history,
                               const catalog::Catalog& catalog);

// The recording of this problem, or of the problem nearest in the number of operations; of equals the one
// with most variants. -1: there is none.
int nearest_recording(const std::vector<Timings>& recordings, const catalog::Problem& problem);

// "4096³", or "2048 × 2048 × 1024".
std::string size_text(const catalog::Problem& problem);

// "There is no recording of 256 × 256 × 256; shown is …": where the problem differs; else "".
std::string size_remark(const std::vector<Timings>& recordings, size_t shown,
                        const catalog::Problem& problem);

}  // namespace gemmscope::experiment
