// Prints timings as tables, for a terminal and for a README.
#pragma once

#include <string>

#include "experiment/recording.h"

namespace gemmscope::cli {

// Lists device, problem and the origin of the times, then a line for each variant: median, spread, TFLOP/s,
// ratio to the library's product of the same grade, share of the peak, largest error.
std::string timing_table(const experiment::Timings& timings);

// Makes one table for all runs of a recording: a row for each variant, TFLOP/s with the ratio to the
// library's product in brackets (milliseconds where the sizes are unknown). A single run has a column for
// each figure.
std::string timing_markdown(const experiment::Recording& recording);

}  // namespace gemmscope::cli
