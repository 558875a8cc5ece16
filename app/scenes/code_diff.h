// The source and the machine code of two experiments, aligned line by line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::scenes {

enum class DiffKind : uint8_t {
  same,
  registers,  // machine code: the same instruction with other registers, or another place to branch to
  meaning,    // source: the same text, which a toggle or a typed expression makes another code
  changed,
  only_a,
  only_b,
};

struct DiffRow {
  DiffKind kind = DiffKind::same;
  int a = -1, b = -1;                                  // index of the line or the instruction; −1: none
  std::string macro = {}, value_a = {}, value_b = {};  // of another meaning
  bool differs() const { return kind != DiffKind::same && kind != DiffKind::registers; }
};

struct CodeDiff {
  std::vector<DiffRow> rows;
  size_t differing = 0;  // rows
};

// The kernels' own files. Lines that name a macro which differs between the two experiments have another
// meaning.
CodeDiff diff_source(const experiment::BlockResult& a, const experiment::BlockResult& b);
// Instructions are aligned without their registers; what is left between is aligned by mnemonic.
CodeDiff diff_sass(const experiment::CompiledKernel& a, const experiment::CompiledKernel& b);

// An instruction as it is aligned: "FFMA R, R, R, R", "LDS R, [R+0x80]", "@P BRA".
std::string without_registers(const std::string& text);

// What a list of rows shows: every row, or those around differences and around `always` (a row; −1: none),
// with a gap in place of the others.
struct ShownRow {
  int row = -1;     // −1: a gap …
  int skipped = 0;  // … of so many rows
};
inline constexpr int kDiffContext = 3;
std::vector<ShownRow> shown_rows(const CodeDiff& diff, bool all, int always);

// The row of an instruction or a line; −1: none.
int row_of_a(const CodeDiff& diff, int index);
int row_of_b(const CodeDiff& diff, int index);

}  // namespace gemmscope::scenes
