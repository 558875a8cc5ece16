// Mistakes at their place in the code: what the compiler rejects, what stops an execution, and what the
// checks found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/results.h"
#include "machine/state/finding.h"

namespace gemmscope::scenes {

enum class MarkKind : uint8_t { compile_error, compile_warning, fault, finding };
inline bool stops(MarkKind kind) { return kind == MarkKind::compile_error || kind == MarkKind::fault; }

struct CodeMark {
  MarkKind kind = MarkKind::finding;
  int instruction = -1;  // index into the kernel's code, −1: the compiler's
  int line = 0;          // of the kernel's own file: its own or of the nearest call; 0: unknown
  std::string sentence;
  std::optional<std::array<uint32_t, 3>> block;  // whose execution it was
  int warp = -1;
};

// In the order of the code; what stops stands before what does not. `failure` may be null; its findings are
// those made until a fault. A finding that the block and the grid share is listed once, as the grid says it.
std::vector<CodeMark> code_marks(const experiment::CompiledKernel* compiled,
                                 const experiment::Failure* failure,
                                 std::span<const machine::Finding> of_block,
                                 std::span<const machine::Finding> of_grid,
                                 std::span<const experiment::OtherFinding> of_other_launches = {});

// "1 fault, 3 findings", "2 compile errors", or "".
std::string count_of_marks(std::span<const CodeMark> marks);

// Lines of at most `characters`, broken at spaces; a longer word is broken where the line ends.
std::vector<std::string> wrap_words(const std::string& text, int characters);

}  // namespace gemmscope::scenes
