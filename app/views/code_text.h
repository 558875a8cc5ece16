// Texts and lines of the code view.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/canvas.h"
#include "scenes/code_counts.h"
#include "scenes/code_marks.h"
#include "scenes/source_tokens.h"
#include "session/view_state.h"

namespace gemmscope::views {

inline constexpr drawing::FontRole kCodeFont = drawing::FontRole::mono_small;

drawing::Role mark_role(scenes::MarkKind kind);
// Draws a cross for a mark that stops the run, a triangle with an exclamation mark for one that does not, so
// that they differ without colour, too.
void draw_mark_sign(drawing::Canvas& canvas, drawing::Rect place, scenes::MarkKind kind);

// Draws a line of code in `row`, from its character `skip` on. A line that does not fit ends in "…", never in
// half a letter.
void draw_tokens(drawing::Canvas& canvas, drawing::Rect row, std::vector<scenes::Token> tokens, int skip = 0);

// Whether draw_tokens draws all of the line in a row of this width.
bool fits_in_row(std::string_view line, float width, float character);

std::string instruction_tooltip(const session::ViewState& state, uint32_t instruction);
std::string source_tooltip(const session::ViewState& state, int line);
std::string column_tooltip(scenes::CodeColumn column, const scenes::CodeChoice& choice);
// Explains the column of control codes.
const char* control_tooltip();
// "31,072", or "131 k" or "1.31 M" where that is too long for a column; a share of stalls as "12.5 %".
std::string cell_text(const scenes::CodeCounts& counts, const scenes::CodeCount& count,
                      scenes::CodeColumn column);
// "now here: warps 0, 3", in a line of its own; empty without warps.
std::string warps_text(std::span<const int> warps);
std::string trimmed(const std::string& line);

}  // namespace gemmscope::views
