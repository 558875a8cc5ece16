// The picture of a contest: the arrangement of its parts, and the bars of medians and spreads with the
// figures beside them. Pure layout; views/timing_view.h draws it.
#pragma once

#include "drawing/geometry.h"
#include "scenes/contest.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// The bars are to the left of the charts if the area is wide, else above them. If the charts would then be
// too low to be read, only `chart` is shown, under tabs. Parts without room are empty.
struct TimingParts {
  drawing::Rect badge, detail, remark;  // one line each
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
  drawing::Rect swatch;  // a plate with its mark, in its colour in the other charts
  drawing::Rect label, track, bar;
  drawing::Rect whisker;             // from quartile to quartile; empty without a spread
  std::vector<drawing::Rect> cells;  // parallel to BarScene::columns
  std::vector<std::string> figures;
  std::vector<float> marks;    // where the library's and the peak's lines cross it, beside its label
  std::string trouble;         // shown instead of a bar
  bool same_as_focus = false;  // not distinguishable from the focus
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
  bool thin = false;            // rows have room for small text only
  bool overlaid = false;        // labels lie on the bars
  int first_row = 0, rows = 0;  // the first visible row; the number of all rows
  int hidden_rows = 0;
  drawing::Rect more;  // a line that says how many rows are hidden
  std::string more_text;
};
inline constexpr int kWithCurrent = -1;  // as first row: the topmost ones with the current variant among them
// `focus`: the contender that is pointed at, else the current one; -1: none.
BarScene layout_timing_bars(const Contest& contest, int focus, int first_row, drawing::Rect area,
                            const SceneMetrics& metrics);
// The contender whose row is under a point, or -1.
int contender_at(const BarScene& scene, drawing::Point point);

// The height of the bars in pixels with rows as low as small text allows.
float least_bars_height(const Contest& contest, const SceneMetrics& metrics);

// An upper estimate of the width of small text, in pixels.
float small_text_width(const SceneMetrics& metrics, std::string_view text);

}  // namespace gemmscope::scenes
