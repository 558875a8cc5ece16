// Marks for errors at their place in the code: compile errors and warnings, faults that stop an execution,
// what a change of the machine code breaks, findings of the checks, and what the lint misses in the schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/results.h"
#include "machine/state/finding.h"

namespace gemmscope::scenes {

enum class MarkKind : uint8_t {
  compile_error,
  compile_warning,
  fault,
  broken,  // by a change of the machine code
  finding
};
inline bool stops(MarkKind kind) { return kind == MarkKind::compile_error || kind == MarkKind::fault; }

struct CodeMark {
  MarkKind kind = MarkKind::finding;
  int instruction = -1;  // index into the kernel's code; −1: none, as for the compiler's messages
  int line = 0;          // in the kernel's own file: where it was written, or the nearest call; 0: unknown
  std::string sentence;
  std::optional<std::array<uint32_t, 3>> block;  // the block that was executed
  int warp = -1;
};

// Lists the marks in code order, those that stop an execution or compilation first. `failure` may be null;
// its findings are those made before a fault. A finding of both the block and the grid is listed once, with
// the grid's text. Where the source no longer compiles, its lines are not those of `compiled`: only the
// instructions are marked.
std::vector<CodeMark> code_marks(const experiment::CompiledKernel* compiled,
                                 const experiment::Failure* failure,
                                 std::span<const machine::Finding> of_block,
                                 std::span<const machine::Finding> of_grid,
                                 std::span<const experiment::OtherFinding> of_other_launches = {});

// "1 fault, 3 findings", "2 compile errors", or "".
std::string count_of_marks(std::span<const CodeMark> marks);

// Wraps text into lines of at most `characters`, broken at spaces. A longer word is broken at the line's end.
std::vector<std::string> wrap_words(const std::string& text, int characters);

}  // namespace gemmscope::scenes
