// Checks that hold for any layout: rectangles lie in their area, and those that show different things do not
// overlap.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "scenes/bank_scene.h"

namespace gemmscope::scenes {

struct NamedRect {
  std::string name;
  drawing::Rect rect;
};

inline std::string text_of(drawing::Rect r) {
  return "(" + std::to_string(r.left) + ", " + std::to_string(r.top) + ")-(" + std::to_string(r.right) +
         ", " + std::to_string(r.bottom) + ")";
}

inline testing::AssertionResult lies_in(const NamedRect& part, drawing::Rect area) {
  const drawing::Rect& r = part.rect;
  if (r.empty()) return testing::AssertionSuccess();  // not shown
  if (r.left >= area.left && r.top >= area.top && r.right <= area.right && r.bottom <= area.bottom)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << part.name << " " << text_of(r) << " sticks out of " << text_of(area);
}

inline testing::AssertionResult apart(const NamedRect& a, const NamedRect& b) {
  if (a.rect.empty() || b.rect.empty() || a.rect.intersected(b.rect).empty())
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << a.name << " " << text_of(a.rect) << " overlaps " << b.name << " "
                                     << text_of(b.rect);
}

// The areas range from a sliver of a window to a wall of screens.
inline const std::vector<drawing::Rect> kAreas = {
    {0, 0, 60, 40},    {0, 0, 90, 60},     {0, 0, 176, 46},   {0, 0, 120, 200}, {7, 13, 327, 253},
    {0, 0, 500, 300},  {0, 0, 300, 900},   {0, 0, 1500, 120}, {3, 5, 803, 605}, {0, 0, 526, 344},
    {0, 0, 1280, 720}, {0, 0, 1920, 1080}, {0, 0, 3000, 1500}};

inline std::vector<SceneMetrics> metrics_for(drawing::Rect area) {
  std::vector<SceneMetrics> all = {{1, 16, 13, 7}};
  if (area.width() >= 500) all.push_back({2, 32, 26, 14.5f});
  if (area.width() >= 300 && area.height() >= 250) all.push_back({1.25f, 20, 16, 9});
  return all;
}

inline std::string text_of(drawing::Rect area, const SceneMetrics& metrics) {
  return "area " + text_of(area) + ", scale " + std::to_string(metrics.scale);
}

}  // namespace gemmscope::scenes
