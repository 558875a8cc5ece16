// The picture of a contest: where its parts stand, and the bars of medians and spreads with every figure
// beside them. Pure layout; timing_view.h draws it.
#pragma once

#include "drawing/geometry.h"
#include "scenes/contest.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// Bars to the left of the charts where the area is wide, else above them; where that leaves the charts too
// low to be read, `chart` alone is shown, under tabs. What has no room is empty.
struct TimingParts {
  drawing::Rect badge, detail, remark;  // lines
  drawing::Rect tabs;                   // empty: all charts are shown
  drawing::Rect bars, sentence, strip, roofline;
};
TimingParts arrange_timings(const Contest& contest, experiment::TimingChart chart, drawing::Rect area,
                            const SceneMetrics& metrics);

struct BarColumn {  // of figures, right-aligned
  drawing::Rect head;
  std::string title;
};
struct ContenderBar {
  int contender = 0;
  drawing::Rect row;     // all of it, for the mouse
  drawing::Rect swatch;  // its colour in the other charts
  drawing::Rect label, track, bar;
  drawing::Rect whisker;             // from quartile to quartile; empty without a spread
  std::vector<drawing::Rect> cells;  // as BarScene::columns
  std::vector<std::string> figures;
  std::string trouble;         // instead of a bar
  bool same_as_focus = false;  // not distinguishable from it
};
// A line through all bars of a grade.
struct BarLine {
  float x = 0, top = 0, bottom = 0;
  drawing::Rect label;
  drawing::AlignX align = drawing::AlignX::left;
  std::string text;  // "cuBLAS 51.4", "peak 66.9"
};
struct BarGroup {
  experiment::Grade grade = experiment::Grade::fp32;
  drawing::Rect title;
  std::string text;       // "FP32"
  BarLine library, peak;  // empty text: not known
};
// Neighbouring bars whose spreads overlap.
struct Bracket {
  float x = 0, top = 0, bottom = 0, reach = 0;  // `reach` pixels to the left at both ends
};
struct BarScene {
  drawing::Rect area;
  std::vector<BarColumn> columns;
  std::vector<BarGroup> groups;
  std::vector<ContenderBar> bars;
  std::vector<Bracket> brackets;
  bool thin = false;            // rows have room for small text alone
  bool stacked = false;         // each label stands above its bar
  int first_row = 0, rows = 0;  // shown from here, of so many
  int hidden_rows = 0;
  drawing::Rect more;  // a line that tells of hidden rows
  std::string more_text;
};
// `focus`: the contender that is pointed at, else the current one; -1: none.
BarScene layout_timing_bars(const Contest& contest, int focus, int first_row, drawing::Rect area,
                            const SceneMetrics& metrics);
// The contender whose row is under a point, or -1.
int contender_at(const BarScene& scene, drawing::Point point);

// With rows as low as small text allows, in pixels.
float least_bars_height(const Contest& contest, const SceneMetrics& metrics);

// An upper estimate of the width of small text, in pixels.
float small_text_width(const SceneMetrics& metrics, std::string_view text);

}  // namespace gemmscope::scenes
