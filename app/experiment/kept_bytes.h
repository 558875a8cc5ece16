// How much memory results take while they are kept, for caches with a limit of bytes. Estimates: the large
// arrays are counted, what the C library adds to them is not.
#pragma once

#include <cstddef>

#include "experiment/modelled_time.h"
#include "experiment/results.h"

namespace gemmscope::experiment {

inline constexpr size_t kMapNodeBytes = 64;  // of std::map, without its content

size_t kept_bytes(const CompiledKernel& compiled);
size_t kept_bytes(const TimingSample& sample);

}  // namespace gemmscope::experiment
