// Reads .debug_line, which gives each instruction's source line. The line programs are DWARF 2 (DWARF 2.0,
// chapter 6.2) with two extended opcodes of NVIDIA (named in elfutils' dwarf.h). inlined_call says that the
// following rows belong to a function inlined at the place of an earlier row of the same sequence, counted
// from 1; 0 means that they belong to the kernel itself. Its second operand and set_function_name give the
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
  // For each section of code, sorted by address with one row per address.
  std::map<uint32_t, std::vector<LineEntry>> rows_by_section;
  std::map<uint32_t, std::vector<InlinedCall>> calls_by_section;
};

// Empty if the cubin was compiled without line information. Errors: a damaged or unknown line program. An
// impossible call is left out; the code's own rows are kept.
Result<LineTable> read_line_table(const ElfFile& elf, std::string_view origin);

}  // namespace gemmscope::cubin
