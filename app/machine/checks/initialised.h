// Which bytes of a buffer in global memory hold values. A buffer declared uninitialised has one flag per
// byte, which stores set and nothing clears. Blocks on several threads may set flags at the same time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/state/global_memory.h"

namespace gemmscope::machine {

// `width` is 1, 2, 4, 8 or 16 bytes, and `offset` a multiple of it.
bool is_initialised(GlobalMemory::Buffer& buffer, size_t offset, uint32_t width);
void mark_initialised(GlobalMemory::Buffer& buffer, size_t offset, uint32_t width);

}  // namespace gemmscope::machine
