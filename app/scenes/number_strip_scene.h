// The strip of the numbers to watch: one cell a number, with its value before the last change and the factor.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "drawing/palette.h"
#include "scenes/key_numbers.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct NumberStripMetrics {
  SceneMetrics screen;
  float value_width = 9, value_height = 18;  // of a character, and of a line, of the values' font
};

struct NumberCell {
  KeyNumber number = KeyNumber::warp_instructions;
  drawing::Rect rect;  // that reacts to the mouse
  drawing::Rect label_rect, factor_rect, value_rect;
  std::string label, factor;
  std::string before, value;  // "67,584 →", "4,096"; `before` is empty where nothing changed or no room is
  std::string beside;         // of a time that is not modelled: the modelled one and its error
  drawing::Role value_role = drawing::Role::text, factor_role = drawing::Role::text_dim;
  bool starts_group = false;  // a line stands before it; an excess belongs to the cell before it
  std::string hint;           // for the tooltip: the meaning, the exact values
};

struct NumberStrip {
  drawing::Rect scope_rect;
  std::string scope, provenance;  // "whole grid", "exact"
  std::vector<NumberCell> cells;
};

// The height that the strip needs at a width; two rows of cells where it is narrow.
float number_strip_height(float width, const NumberStripMetrics& metrics);
// `before` is null where there is nothing to compare with.
NumberStrip layout_number_strip(const KeyNumbers& now, const KeyNumbers* before, drawing::Rect area,
                                const NumberStripMetrics& metrics);
const NumberCell* number_cell_at(const NumberStrip& strip, drawing::Point point);

// "12.3 µs", "1.23 ms".
std::string time_text(double milliseconds);

}  // namespace gemmscope::scenes
