// Summarizes timings variant by variant: medians, spreads, ratios and their texts. All charts of the timings
// (timing_scene.h, strip_scene.h, roofline_scene.h) draw from this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/palette.h"
#include "experiment/timing_choice.h"
#include "experiment/timings.h"
#include "metrics/sample_statistics.h"

namespace gemmscope::scenes {

struct Contender {
  size_t variant = 0;  // in Timings::variants
  experiment::VariantKey key;
  std::string label;        // "06 Register tile · PAD=1", "cuBLAS FP32"
  size_t title_length = 0;  // bytes of the label before its toggles; this part is shortened first
  // Tells it from all others of the contest without a colour: "06" for the step of the ladder, "06a" and
  // "06b" for its variants, "A", "B" … for kernels without a number; empty for the library.
  std::string mark;
  std::string name;        // the label without its number, which the mark repeats
  size_t name_length = 0;  // as title_length
  experiment::Grade grade = experiment::Grade::fp32;
  bool library = false, current = false, previous = false;  // current, previous: the user's variant
  int color = 0;                                            // index for drawing::category_color
  int dash = 0;  // of its line in a chart, 0: solid; those of the same colour have different ones
  metrics::SampleSummary ms;
  // TFLOP/s of the median and of the quartiles (low: of the slower one); 0 where the number of operations is
  // not known.
  double tflops = 0, tflops_low = 0, tflops_high = 0;
  double of_library = 0, of_peak = 0;  // 0: not known
  // There is no sample: `ms` and the rates are the model's, and the label says so.
  bool modelled = false;
  std::string rate_text, ms_text, ratio_text, error_text, trouble;
  std::string modelled_text;  // beside samples: "0.211 (+1.5 %)", the model's ms and its error
  bool has_samples() const { return ms.count > 0; }
};

struct Contest {
  experiment::Provenance provenance = experiment::Provenance::measured;
  std::string badge;                  // "MEASURED", "RECORDED", "MODELLED"
  std::string device;                 // "on NVIDIA H200, now"
  std::string detail;                 // driver, clock, library; or the source of a published table
  std::string size;                   // "4096 × 4096 × 4096, L2 warm"
  std::string remark;                 // an error, the last event, or that the size differs; else empty
  bool by_rate = true;                // false: the number of operations is not known, so bars show ms
  std::vector<Contender> contenders;  // by grade; within a grade the kernels by id, then the library
  int current = -1, previous = -1;    // indices into contenders, or −1
};

// `history`: the current variant first. `racers`: the variants that are shown beside the library's; empty:
// all. Where a recording does not have a variant's toggles, the kernel's defaults stand for it.
Contest make_contest(const experiment::Timings& timings, const experiment::VariantHistory& history,
                     const std::vector<experiment::VariantKey>& racers);

// What a chart writes beside a mark of its own: the contender's mark, or the library's label.
const std::string& short_label(const Contender& c);
// Which labels and lines come first where there is no room for all; the focus has the highest.
int importance(const Contest& contest, int contender, int focus);

drawing::Role provenance_role(experiment::Provenance provenance);

// The contenders of the same grade whose times are not distinguishable from this one's.
std::vector<int> not_distinguishable(const Contest& contest, int contender);

// Everything that is known of a contender, in a sentence or two.
std::string describe(const Contest& contest, int contender);

}  // namespace gemmscope::scenes
