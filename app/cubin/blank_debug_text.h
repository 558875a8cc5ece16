// What of a cubin neither this program nor a GPU's driver needs to run it, but which is over half of it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/error.h"

namespace gemmscope::cubin {

// Writes zeros over the text of the PTX and the table from machine code to its lines (.nv_debug_ptx_txt and
// .nv_debug_line_sass), which only debuggers of PTX read. Sections keep their places and sizes; the line
// table of the CUDA source stays. Errors: those of read_elf.
Result<void> blank_debug_text(std::span<std::byte> cubin, std::string_view origin);

}  // namespace gemmscope::cubin
