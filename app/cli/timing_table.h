// Timings as tables, for a terminal and for a README.
#pragma once

#include <string>

#include "experiment/recording.h"

namespace gemmscope::cli {

// Device, problem and where the times come from, then a line a variant: median, spread, TFLOP/s, ratio to the
// library's product of the same grade, share of the peak, largest error.
std::string timing_table(const experiment::Timings& timings);

// One table for all runs of a recording: a row a variant, TFLOP/s with the ratio to the library's product in
// brackets (milliseconds where the sizes are not told). A run alone has columns for each figure.
std::string timing_markdown(const experiment::Recording& recording);

}  // namespace gemmscope::cli
