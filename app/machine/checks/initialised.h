// Which bytes of a buffer in global memory hold values: for buffers declared uninitialised, a flag a byte
// that stores set. Blocks on several threads set flags at once; flags are never taken back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/state/global_memory.h"

namespace gemmscope::machine {

// `width`: 1, 2, 4, 8 or 16 bytes from a multiple of it.
bool is_initialised(GlobalMemory::Buffer& buffer, size_t offset, uint32_t width);
void mark_initialised(GlobalMemory::Buffer& buffer, size_t offset, uint32_t width);

}  // namespace gemmscope::machine
