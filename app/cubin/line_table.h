// .debug_line: which source line each instruction comes from. The programs are DWARF 2 (DWARF 2.0,
// chapter 6.2) with two extended opcodes of NVIDIA's own that say into what a function was inlined. They are
// skipped: a row names the line where the instruction was written, which is what the program shows.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cubin/cubin.h"
#include "cubin/elf_file.h"

namespace gemmscope::cubin {

struct LineTable {
  std::vector<std::string> files;  // absolute, without "." and ".."
  std::map<uint32_t, std::vector<LineEntry>>
      rows_by_section;  // of code; by address, one row for each address
};

// Empty where the cubin was compiled without line information. Errors: a damaged or unknown line program.
Result<LineTable> read_line_table(const ElfFile& elf, std::string_view origin);

}  // namespace gemmscope::cubin
