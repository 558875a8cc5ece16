// What the user has chosen in the picture of the timings. Commands and the view change it; the scenes read
// it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/memory_rates.h"
#include "experiment/timings.h"

namespace gemmscope::experiment {

// A kernel with the toggles that differ from its defaults. Experiments with equal keys are the same variant
// in the timings.
struct VariantKey {
  std::string kernel;
  std::map<std::string, int64_t> toggles;
  CodeChanges changes = {};  // of the machine code
  friend bool operator==(const VariantKey&, const VariantKey&) = default;
};
inline VariantKey key_of(const Experiment& e) { return {e.kernel, e.toggles, e.changes}; }
inline VariantKey key_of(const TimedVariant& v) { return {v.id, v.toggles, v.changes}; }

// Which variants are timed and shown, in addition to the current one and the library.
enum class Race : uint8_t {
  before,  // the variant that was selected before
  recent,  // those of this session
  ladder,  // every product of the catalogue with its defaults, and the recent ones
  chosen   // those that are ticked in the list
};
inline constexpr int kRaces = 4;
const char* race_name(Race race);

// The chart that a panel shows if it has no room for all of them.
enum class TimingChart : uint8_t { bars, time, roofline };
inline constexpr int kTimingCharts = 3;
// "over time"; where the times are not measured now, that chart is the "staircase".
const char* timing_chart_name(TimingChart chart, bool measured);

struct TimingChoice {
  TimingChart chart = TimingChart::bars;
  Race race = Race::ladder;
  std::set<std::string> ticked;  // kernels of Race::chosen
  bool measure = true;           // where there is a GPU
  bool flush_l2 = false;
  MemoryLevel roof = MemoryLevel::l1;  // the roofline's axis has this memory's bytes
  int recording = -1;                  // index that the user picked; -1: the nearest, or what is measured
  bool modelled = false;               // the user picked modelled times of the experiment …
  std::string model_device;            // … on the device of this id; empty: by the architecture
  int first_row = 0;                   // the first bar shown, where they do not all fit
};

// The variants selected in this session, most recent first, without repetition.
class VariantHistory {
 public:
  static constexpr size_t kMost = 8;
  void visit(VariantKey key);
  const std::vector<VariantKey>& keys() const { return keys_; }

 private:
  std::vector<VariantKey> keys_;
};

// Whether the choice includes this kernel, whatever the history. A lab has no TFLOP/s to compare, so it is
// included only when it is ticked.
bool is_racing(const TimingChoice& choice, const catalog::Kernel& kernel);
// The variants that are timed: the current one first, then the others, each once.
std::vector<VariantKey> racers(const TimingChoice& choice, const VariantHistory& history,
                               const catalog::Catalog& catalog);

// The index of the recording of this problem, or of the problem nearest in the number of operations. A sweep,
// which compares no variants with each other, is taken only where there is nothing else. Among
// equally near ones, the one with most products. -1: there is none.
int nearest_recording(const std::vector<Timings>& recordings, const catalog::Problem& problem);

// "4096³", "2048 × 2048 × 1024" or "size unknown".
std::string size_text(const catalog::Problem& problem);

// "Not your 256³, but the recorded 1024³: 64 times the work." where the problem differs from that of the
// shown recording; else "".
std::string size_remark(const std::vector<Timings>& recordings, size_t shown,
                        const catalog::Problem& problem);

}  // namespace gemmscope::experiment
