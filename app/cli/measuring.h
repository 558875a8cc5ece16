// What record and tune share: reading sizes, and measuring one of them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "experiment/recording.h"
#include "experiment/timing_run.h"

namespace gemmscope::cli {

// "2048x2048x1024", or "4096" for a cube. Errors quote it.
Result<catalog::Problem> parse_size(const std::string& text);

// Errors: those of TimingDevice::describe.
Result<experiment::TimedDevice> described(experiment::TimingDevice& device);

// Measures the job to its end and prints each variant's first sample on stderr. The timings are as a
// recording has them. `run`: that of the size before, or null; afterwards this one.
experiment::Timings measure_size(experiment::TimingDevice& device, experiment::TimingJob job,
                                 const std::string& command, const std::atomic<bool>& cancelled,
                                 std::unique_ptr<experiment::TimingRun>& run);

bool has_samples(const experiment::Timings& timings);
// Adds the samples of another process to those of the same sizes and variants.
void append_samples(experiment::Recording from, experiment::Recording& to);

}  // namespace gemmscope::cli
