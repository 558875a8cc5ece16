// Finds places for labels beside the marks of a chart: inside the chart, apart from each other and from all
// that is drawn there.
#pragma once

#include <string_view>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::scenes {

struct LabelPlace {
  drawing::Rect rect;  // empty: there was no room
  // From the mark to a label that is not beside it; else both are the same point.
  drawing::Point leader_from, leader_to;
  bool has_leader() const { return !(leader_from == leader_to); }
};

class LabelRoom {
 public:
  // `height`: of a label.
  LabelRoom(drawing::Rect area, float height) : area_(area), height_(height) {}

  void take(drawing::Rect rect) { taken_.push_back(rect); }
  void take_line(drawing::Point from, drawing::Point to);  // labels keep clear of it
  bool is_free(drawing::Rect rect) const;
  bool is_free_but_for_lines(drawing::Rect rect) const;
  // Takes the first of these that is free; empty: none is.
  drawing::Rect first_free(const std::vector<drawing::Rect>& places);
  // A place that leaders may cross where there is no other way, as out of a crowd of points.
  void take_mark(drawing::Rect rect) { marks_.push_back(rect); }
  // Beside a mark whose parts lie within `reach` of `at`, or further away at the end of a leader that crosses
  // no other label and, if there is such a way, no other mark.
  LabelPlace beside(drawing::Point at, float width, float reach);

 private:
  bool is_clear(const std::vector<drawing::Rect>& obstacles, drawing::Point from, drawing::Point to) const;
  bool is_nearest(drawing::Rect rect, drawing::Point mark) const;
  LabelPlace with_leader(drawing::Point at, float width, float reach, bool over_marks);

  drawing::Rect area_;
  float height_;
  std::vector<drawing::Rect> taken_, marks_, lines_;
};

}  // namespace gemmscope::scenes
