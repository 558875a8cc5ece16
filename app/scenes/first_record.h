// Where a picture opens: the record at which there is something to see.
#pragma once

#include <cstddef>

#include "experiment/results.h"

namespace gemmscope::scenes {

// The index of a trace record of `warp`, or of any warp where that is −1: what the kernel's picture is about
// (its worst bank conflict, a global access, an atomic), or the first multiply-add, where A, B and C can all
// be seen.
size_t first_record_to_show(const experiment::BlockResult& block, int warp);

}  // namespace gemmscope::scenes
