// The pieces of which a page of a lesson is drawn.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/language.h"
#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "lessons/page_text.h"

namespace gemmscope::views {

// The role of a figure's colour, and how its origin is called; null for what needs no word.
drawing::Role origin_role(lessons::Origin origin);
const char* origin_word(lessons::Origin origin);

// Draws a text of a lesson with its figures, as wide as the panel: figures in the colour of their origin,
// code in backquotes in the font of code.
void lesson_text(const char* id, const std::vector<lessons::TextPart>& parts, drawing::FontRole font,
                 drawing::Role role);
float lesson_line_height(drawing::FontRole font);  // of such a text
// A line for each origin that is neither exact nor stated, with its sources: "modelled: model of NVIDIA
// H200".
void lesson_sources(const std::vector<lessons::TextPart>& parts);
// The same lines while the sources are not known yet.
void lesson_sources_to_come(const std::set<lessons::Origin>& origins);

// A full-width button with a letter and a text that may have figures. `mark`: what stands at its right end,
// "✓".
struct ChoiceButton {
  std::string letter;
  std::vector<lessons::TextPart> text;
  bool chosen = false, enabled = true;
  std::string mark;
  drawing::Role mark_role = drawing::Role::text_dim;
  std::string hands;       // how many of a class chose it: "7"; empty: none are counted
  bool can_lower = false;  // a minus beside `hands` takes one away
  bool low = false;        // with less room above and below the text
  float share = 0;         // of the class, as a bar behind the text; 0: none
};
enum class ChoicePress : uint8_t { none, chosen, fewer };
ChoicePress choice_button(const char* id, const ChoiceButton& button);
float choice_button_height(const ChoiceButton& button);  // of one line

}  // namespace gemmscope::views
