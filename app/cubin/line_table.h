// .debug_line: which source line each instruction comes from. The programs are DWARF 2 (DWARF 2.0,
// chapter 6.2) with two extended opcodes of NVIDIA's own (named in elfutils' dwarf.h). inlined_call says that
// the rows from now on are of a function inlined at the place of an earlier row of the same sequence, counted
// from 1; 0 means that they are the kernel's own. Its second operand and set_function_name give the
// function's name, which is skipped: the program shows lines.
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
  std::map<uint32_t, std::vector<InlinedCall>> calls_by_section;
};

// Empty where the cubin was compiled without line information. Errors: a damaged or unknown line program. A
// call that cannot be is left out: no row of code is lost by it.
Result<LineTable> read_line_table(const ElfFile& elf, std::string_view origin);

}  // namespace gemmscope::cubin
