// The picture of the code: source and machine code, beside or above each other, each with a head, columns of
// numbers and lines of text. It decides every rectangle. In a narrow pane columns are left out, the least
// important first, before the text is truncated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "scenes/code_choice.h"
#include "scenes/code_marks.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct CodeColumnPlace {
  CodeColumn column = CodeColumn::executions;
  drawing::Rect head;         // two lines
  float left = 0, right = 0;  // of its cells
  bool sorted = false;        // the rows are sorted by it: its head has an arrow
};

struct CodePane {
  drawing::Rect area;
  drawing::Rect head;                         // above the text: the pane's title
  drawing::Rect body;                         // the rows
  float margin_left = 0, margin_right = 0;    // the signs of marks
  float warps_left = 0, warps_right = 0;      // the marks of warps; empty without them
  float number_left = 0, number_right = 0;    // line number or address
  float control_left = 0, control_right = 0;  // empty unless control codes are shown
  float text_left = 0, text_right = 0;
  drawing::Rect control_head;
  drawing::Rect scrollbar;   // vertical, beside the rows
  drawing::Rect sidescroll;  // horizontal, below them
  std::vector<CodeColumnPlace> columns;
  float row_height = 1;
  bool shows(CodeColumn column) const;
  // Parts of a row at `row`.
  drawing::Rect margin_of(drawing::Rect row) const {
    return {margin_left, row.top, margin_right, row.bottom};
  }
  drawing::Rect number_of(drawing::Rect row) const {
    return {number_left, row.top, number_right, row.bottom};
  }
  drawing::Rect text_of(drawing::Rect row) const { return {text_left, row.top, text_right, row.bottom}; }
};

struct CodeLayout {
  bool stacked = false;
  CodePane source, sass;
  drawing::Rect splitter;
};
// `counts` may be null: then there are no columns. Columns of a memory that the kernel never accesses are
// left out. `warps`: how many warps are marked in the gutter, 0 for none.
CodeLayout layout_code(drawing::Rect area, const SceneMetrics& metrics, const CodeChoice& choice,
                       const CodeCounts* counts, int warps = 0);
// The mark of a warp in the gutter of a row. Each warp has a place of its own, so that several can be at one
// instruction, and a warp moves straight down.
drawing::Rect warp_mark(const CodePane& pane, drawing::Rect row, int warp, int warps);

// One row on the screen: a line of code, or a line of the sentence under it.
struct CodeRow {
  uint32_t index = 0;  // instruction, or source line − 1
  int mark = -1;       // whose sentence it is; −1: the row is code
  int part = 0;        // line of the sentence
};
enum class CodeSide : uint8_t { source, sass };
struct CodeRows {
  std::vector<CodeRow> rows;
  std::vector<std::vector<std::string>> sentences;  // by mark: its wrapped lines
  std::vector<int> first_mark;                      // by index: the first mark of that line, or −1
  int row_of(uint32_t index) const;                 // the row of that code, or −1
};
// `order`: the instructions in the order of the list, or empty for 0 … count − 1. Of several marks of one
// kind at a source line only the first is shown, with the number of the others.
CodeRows code_rows(CodeSide side, size_t count, std::span<const uint32_t> order,
                   std::span<const CodeMark> marks, int characters);

struct PlacedRow {
  const CodeRow* row;
  drawing::Rect rect;
};
// The rows that a pane shows whole or nearly so when `first` is at its top.
std::vector<PlacedRow> place_rows(const CodePane& pane, const CodeRows& rows, int first);

// What "worst" means now: the chosen column, or where it counted nothing another that did.
CodeColumn ranking_column(const CodeChoice& choice, const CodeCounts& counts);
// The instructions in the pane's order: sorted, those without a value last. Empty means code order.
std::vector<uint32_t> instruction_order(const CodeChoice& choice, const CodeCounts* counts);

// The length of a cell's bar, 0 … 1: its value divided by the largest of the column.
float heat(const CodeCount& count, const CodeCount& most, CodeColumn column);

}  // namespace gemmscope::scenes
