// The texts beside the map: where the cursor is and what its instruction does with the matrices.
#pragma once

#include <string>

#include "scenes/playhead.h"

namespace gemmscope::scenes {

std::string headline_of(const experiment::BlockResult& block, size_t record);  // "warp 0 · pass 3 of 16"
std::string story_of(const Playhead& playhead);

}  // namespace gemmscope::scenes
