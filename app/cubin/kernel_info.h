// Reads .nv.info and .nv.info.<kernel>, in which ptxas describes a function to the driver. A record
// (cubin/README.md, Sections) has a format byte, an attribute byte, and a 16-bit value or a payload's size.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "base/error.h"
#include "cubin/cubin.h"
#include "cubin/elf_file.h"

namespace gemmscope::cubin {

struct FunctionInfo {
  int registers = 0;
  uint32_t frame_bytes = 0;
};

// Reads the facts of every function in .nv.info, by index of the function's symbol.
Result<std::map<uint32_t, FunctionInfo>> read_function_info(const ElfFile& elf, std::string_view origin);

// Fills barriers, max_threads, parameter_base, parameter_bytes and parameters of `kernel` from its own
// section.
Result<void> read_kernel_info(const Section& section, std::string_view origin, KernelCode& kernel);

}  // namespace gemmscope::cubin
