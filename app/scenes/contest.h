// What a row of timings says, variant by variant: medians, spreads, ratios and their words. The charts of the
// timings (timing_scene.h, strip_scene.h, roofline_scene.h) all draw from this.
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
  size_t title_length = 0;  // bytes of the label before its toggles: what is shortened first
  experiment::Grade grade = experiment::Grade::fp32;
  bool library = false, current = false, previous = false;  // the user's now; the one before
  int color = 0;                                            // of drawing::category_color
  metrics::SampleSummary ms;
  // TFLOP/s of the median and of the quartiles (low: of the slower); 0 where the operations are not known.
  double tflops = 0, tflops_low = 0, tflops_high = 0;
  double of_library = 0, of_peak = 0;  // 0: not known
  std::string rate_text, ms_text, ratio_text, error_text, trouble;
  bool has_samples() const { return ms.count > 0; }
};

struct Contest {
  experiment::Provenance provenance = experiment::Provenance::measured;
  std::string badge;                  // "MEASURED", "RECORDED", "MODELLED"
  std::string device;                 // "on NVIDIA H200, now"
  std::string detail;                 // driver, clock, library; or the source of a published table
  std::string size;                   // "4096 × 4096 × 4096, L2 warm"
  std::string remark;                 // trouble, what happened last, or that the size is another; else empty
  bool by_rate = true;                // false: the operations are not known, so that bars are of ms
  std::vector<Contender> contenders;  // by grade; in each the kernels by id, then the library
  int current = -1, previous = -1;    // contenders
};

// `history`: the current variant first. `racers`: those that are shown besides the library's; empty: all.
// A recording is of a variant's defaults where it does not have its toggles.
Contest make_contest(const experiment::Timings& timings, const experiment::VariantHistory& history,
                     const std::vector<experiment::VariantKey>& racers);

drawing::Role provenance_role(experiment::Provenance provenance);

// The contenders whose times cannot be told from this one's, of the same grade.
std::vector<int> not_distinguishable(const Contest& contest, int contender);

// All that is known of a contender, in a sentence or two.
std::string describe(const Contest& contest, int contender);

}  // namespace gemmscope::scenes
