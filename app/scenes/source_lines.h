// Which lines of the source an instruction belongs to: the line where it was written, and the calls by which
// that line came into the kernel. The picture shows the kernel's own file, so those of its lines are marked.
#pragma once

#include <string>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::scenes {

// The lines of the kernel's own file that the instruction belongs to, from the inside outward, each once:
// where it was written if that is there, and the calls there that were inlined around it. The first is the
// line that runs, the others are lines that called it. Empty where the line table names none.
std::vector<int> own_lines(const experiment::CompiledKernel& compiled, size_t instruction);
int own_line(const experiment::CompiledKernel& compiled, size_t instruction);  // the first, or 0

// A line that belongs to an instruction and may be out of sight.
struct CallFrame {
  std::string label;  // "register_tile.cuh:22", "called at line 104"
  std::string text;   // the line without its indentation
};
// The line of an included file where the instruction was written, then the outermost call if that is not the
// line that runs, or that none is known. Empty for an instruction that the kernel's own file has in its
// function.
std::vector<CallFrame> frames_beside(const experiment::CompiledKernel& compiled, size_t instruction);

// "register_tile.cuh:22 (called from 08_transposed_tile.cu:104)": with the outermost call, if there is one.
std::string place_and_call_text(const experiment::CompiledKernel& compiled, size_t instruction);
// "08_transposed_tile.cu:91", "08_transposed_tile.cu:103": the calls, the nearest first.
std::vector<std::string> call_texts(const experiment::CompiledKernel& compiled, size_t instruction);

}  // namespace gemmscope::scenes
