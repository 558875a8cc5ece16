// Which lines of the source an instruction belongs to: the line where it was written, and the calls by which
// that line was inlined into the kernel. The picture shows the kernel's own file, so lines of that file are
// marked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::scenes {

// The lines of the kernel's own file that the instruction belongs to, innermost first, each once: where it
// was written if that is in this file, and the calls in this file that were inlined around it. The first is
// the line that runs, the others are its callers. Empty where the line table has none.
std::vector<int> own_lines(const experiment::CompiledKernel& compiled, size_t instruction);
int own_line(const experiment::CompiledKernel& compiled, size_t instruction);  // the first, or 0

// A line that belongs to an instruction and may not be visible.
struct CallFrame {
  std::string label;  // "register_tile.cuh:22", "called at line 104"
  std::string text;   // the line without its indentation
};
// The line of an included file where the instruction was written. Then the outermost call, unless that is the
// line that runs, or a note that the call is not known. Empty for an instruction that was written in the
// kernel's function in its own file.
std::vector<CallFrame> frames_beside(const experiment::CompiledKernel& compiled, size_t instruction);

// The line cut into pieces of at most `columns` characters, where it can be after a space, a comma or an
// opening bracket. Only the first piece keeps spaces at its start.
std::vector<std::string> wrapped_code(std::string_view line, size_t columns);

// "register_tile.cuh:12 (called from 08_transposed_tile.cu:75)": the place and its outermost call, if any.
std::string place_and_call_text(const experiment::CompiledKernel& compiled, size_t instruction);
// "matrix.cuh:23", "08_transposed_tile.cu:75": the calls, innermost first.
std::vector<std::string> call_texts(const experiment::CompiledKernel& compiled, size_t instruction);

}  // namespace gemmscope::scenes
