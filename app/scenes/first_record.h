// Chooses the record at which a picture opens, so that there is something to see.
#pragma once

#include <cstddef>

#include "experiment/results.h"

namespace gemmscope::scenes {

// The index of a trace record of `warp`, or of any warp where that is −1. It is the one that the kernel's
// picture is about (its worst bank conflict, a global access, an atomic), or else the first multiply-add,
// which shows A, B and C at once.
size_t first_record_to_show(const experiment::BlockResult& block, int warp);

}  // namespace gemmscope::scenes
