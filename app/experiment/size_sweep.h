// Recordings of one of our variants at many sizes: how fast at which size, not which variant is fastest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiment/recording.h"
#include "experiment/timing_choice.h"

namespace gemmscope::experiment {

// So many sizes, with one variant of ours at each, are a sweep.
inline constexpr size_t kLeastSweepSizes = 8;

// Sets `of_sweep` in the runs of a recording that is a sweep.
void mark_sweep(Recording& recording);
// The runs of the sweep to which a recording belongs.
std::span<const Timings> sweep_around(const std::vector<Timings>& recordings, size_t index);
// What one may choose to see, as indices: each recording that is no part of a sweep, and the first of each
// sweep.
std::vector<int> choosable_recordings(const std::vector<Timings>& recordings);

// "NVIDIA H200, 4096\u00b3" or, for a sweep, "NVIDIA H200, 40 sizes".
std::string recording_title(const std::vector<Timings>& recordings, size_t index);

// What is particular about the size of a product.
enum class SizeShape { square, tall_or_wide, deep, ragged };
// Ragged: rows of A or B are not whole pieces of 16 bytes. Deep: K is at least 4 times M and N. Tall or wide:
// M is at least 4 times N, or the other way round.
SizeShape size_shape(const catalog::Problem& problem);

struct SizePoint {
  catalog::Problem problem;
  VariantKey key;
  std::string name;       // "17_split_k SPLITS=2"
  double tflops = 0;      // of the median of all samples
  double of_library = 0;  // the library's median time / this one's
  double library_tflops = 0;
};
struct SizeSweep {
  std::vector<SizePoint> points;
  double geometric_mean = 0;  // of `of_library`; 0: there is no point
  size_t least = 0;           // the point with the least `of_library`
};
// Sizes where one of the two has no samples are left out.
SizeSweep size_sweep(std::span<const Timings> runs);

}  // namespace gemmscope::experiment
