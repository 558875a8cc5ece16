// The table of what changed between two experiments: a line for each figure that differs, with factor and
// verdict, and one paragraph for those that do not.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "drawing/palette.h"
#include "scenes/comparison.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct CompareTableMetrics {
  SceneMetrics screen;
  float title_height = 22;  // of the headline
  float reason_height = 0;  // of the wrapped sentence below it
  float same_height = 0;    // of the wrapped paragraph below the table
  float value_width = 9;    // of a digit of a value
};

struct CompareLine {
  size_t row = 0;                                      // of the comparison
  drawing::Rect rect, name, a, b, factor, mark, note;  // `note` is empty where there is no room for it
  drawing::Role role = drawing::Role::text_dim;        // of the factor and the mark
};
struct CompareTableScene {
  drawing::Rect headline, reason, basis, head_a, head_b, head_factor, same;
  std::vector<drawing::Rect> rules;  // between the groups
  std::vector<CompareLine> lines;
  float height = 0;  // of everything; may exceed the area's
};
// Whether the row has a line: its figures differ as they are written, or one side has none.
bool is_listed(const CompareRow& row);
// "The same: registers a thread 40, spilled a thread 0 B"; empty: nothing is.
std::string same_text(const Comparison& comparison);
CompareTableScene layout_compare_table(const Comparison& comparison, drawing::Rect area,
                                       const CompareTableMetrics& metrics);
const CompareLine* compare_line_at(const CompareTableScene& scene, drawing::Point point);

}  // namespace gemmscope::scenes
