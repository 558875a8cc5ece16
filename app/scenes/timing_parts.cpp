// Arranges the parts of the timings in a panel of any size.
#include <algorithm>
#include <cmath>

#include "scenes/timing_scene.h"

namespace gemmscope::scenes {

using drawing::Rect;

namespace {

constexpr float kLowChart = 175;  // points: the least height of a readable chart

// Places the heading's lines and returns the rest of the area.
Rect place_heading(TimingParts& parts, const Contest& contest, Rect area, const SceneMetrics& m) {
  if (area.height() <= 60 * m.scale) return area;
  const bool has_room = area.height() > 190 * m.scale;
  parts.badge = area.cut_top(std::round(m.line_height * 1.7f));
  if (!contest.detail.empty() && has_room) parts.detail = area.cut_top(m.small_height);
  if (!contest.remark.empty()) parts.remark = area.cut_top(m.small_height);
  area.cut_top(std::round(4 * m.scale));
  return area;
}

// The height of three lines with the space between them.
float sentence_height(const SceneMetrics& m) { return std::round(3.6f * m.small_height); }
void place_sentence(TimingParts& parts, Rect& area, const SceneMetrics& m) {
  parts.sentence = area.cut_bottom(sentence_height(m));
  area.cut_bottom(std::round(4 * m.scale));
}

void place_beside(TimingParts& parts, Rect area, float least_bars, const SceneMetrics& m) {
  const float gap = std::round(8 * m.scale);
  Rect right = area.cut_right(std::round(area.width() * 0.44f));
  area.cut_right(2 * gap);
  parts.strip = right.cut_top(std::round(right.height() * 0.48f));
  right.cut_top(gap);
  parts.roofline = right;
  if (area.height() - least_bars > sentence_height(m) + 4 * m.scale) place_sentence(parts, area, m);
  parts.bars = area;
}

// Places the bars above the two charts, which are side by side.
void place_below(TimingParts& parts, Rect area, float least_bars, const SceneMetrics& m) {
  const float gap = std::round(8 * m.scale);
  place_sentence(parts, area, m);
  const float width = std::round((area.width() - gap) / 2);
  Rect charts = area.cut_bottom(
      std::floor(std::min({area.height() - least_bars - gap, std::max(width * 0.95f, kLowChart * m.scale),
                           std::max(area.height() * 0.5f, kLowChart * m.scale)})));
  area.cut_bottom(gap);
  parts.strip = charts.cut_left(width);
  charts.cut_left(gap);
  parts.roofline = charts;
  parts.bars = area;
}

void place_tabbed(TimingParts& parts, experiment::TimingChart chart, Rect area, float least_bars,
                  const SceneMetrics& m) {
  if (area.width() > 190 * m.scale && area.height() > 120 * m.scale) {
    parts.tabs = area.cut_top(std::round(m.small_height + 8 * m.scale));
    area.cut_top(std::round(5 * m.scale));
  } else {
    chart = experiment::TimingChart::bars;
  }
  // The sentence is placed below only if the rows of the bars can still be a little higher; else it is a
  // tooltip.
  const float rows = (least_bars - m.small_height) / (m.small_height + std::round(m.scale));
  const float needed =
      chart == experiment::TimingChart::bars ? least_bars + rows * 4 * m.scale : kLowChart * m.scale;
  if (area.height() - needed > sentence_height(m) + 4 * m.scale) place_sentence(parts, area, m);
  (chart == experiment::TimingChart::bars   ? parts.bars
   : chart == experiment::TimingChart::time ? parts.strip
                                            : parts.roofline) = area;
}

}  // namespace

TimingParts arrange_timings(const Contest& contest, experiment::TimingChart chart, Rect area,
                            const SceneMetrics& m) {
  TimingParts parts;
  area = place_heading(parts, contest, area, m);
  const float least_bars = least_bars_height(contest, m);
  const float beside = sentence_height(m) + 12 * m.scale + least_bars + kLowChart * m.scale;
  if (area.width() > 860 * m.scale && area.height() > std::max(192 * m.scale, 13 * m.small_height))
    place_beside(parts, area, least_bars, m);
  else if (area.width() > 380 * m.scale && area.height() > beside)
    place_below(parts, area, least_bars, m);
  else
    place_tabbed(parts, chart, area, least_bars, m);
  return parts;
}

}  // namespace gemmscope::scenes
