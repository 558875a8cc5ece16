// The texts beside the map: where the cursor is and what its instruction does with the matrices.
#pragma once

#include <string>

#include "scenes/playhead.h"

namespace gemmscope::scenes {

// "warp 0 · pass 3 of 16", or briefly "warp 0 · pass 3".
std::string headline_of(const experiment::BlockResult& block, size_t record, bool brief = false);
std::string story_of(const Playhead& playhead);
// For a block of whose elements of C the trace shows none: what it stores instead, such as partial sums, and
// for which launch.
std::string without_c(const experiment::BlockResult& block);

}  // namespace gemmscope::scenes
