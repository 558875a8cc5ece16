// The times of a variant that were measured or recorded, as numbers to watch.
#pragma once

#include <span>
#include <vector>

#include "experiment/results.h"
#include "experiment/timings.h"
#include "scenes/key_numbers.h"

namespace gemmscope::scenes {

// The time of the block's experiment in one list of timings; nothing where it has none at this size, with L2
// warm. Recordings say nothing of typed inputs.
std::optional<KeyTime> key_time_in(const experiment::Timings& timings, const experiment::BlockResult& block);

// Those measured now (`live` may be null), then those recorded on a GPU of the chosen architecture, then the
// other recorded ones.
std::vector<KeyTime> timed_of(const experiment::BlockResult& block, const experiment::Timings* live,
                              std::span<const experiment::Timings> recordings);

}  // namespace gemmscope::scenes
