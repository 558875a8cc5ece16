// The occupancy calculator: the answer, the SM's slots and limits, the three cliff curves, and what the SM
// does per clock.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/occupancy_presets.h"
#include "scenes/occupancy_chart.h"
#include "scenes/occupancy_scene.h"

namespace gemmscope::scenes {

struct OccupancyQuestion {
  metrics::OccupancyPoint point;
  std::optional<metrics::OccupancyPoint> before;  // before the last change
  std::string remark;                             // of a preset: what to look for
};

struct LimitRow {
  drawing::Rect row, name, bar, amount, exact, textbook;
  std::vector<drawing::Rect> blocks;  // within `bar`
  std::string name_text, amount_text, exact_text, textbook_text;
  bool decides = false, textbook_decides = false;
};
struct RateCell {
  drawing::Rect value, label;
  std::string value_text, label_text;
  bool known = true;
};
struct TextLine {
  drawing::Rect rect;
  std::string text;
};

struct OccupancyPanelScene {
  bool empty = true;
  std::string empty_text;
  int blocks = 0;
  TextLine plate, headline;  // "67 %"; "32 of 48 warps: 4 blocks of 8"
  TextLine limiter;          // which limit decides, wrapped
  TextLine change, remark;   // wrapped; empty: nothing to say
  TextLine slots_title;      // the slots and the textbook's sentence are left out where there is no room
  std::vector<WarpSlot> slots;
  drawing::Rect amount_head, exact_head, textbook_head;
  std::vector<LimitRow> limits;
  LimitRow total;     // the smallest of them: what fits
  TextLine textbook;  // what the simpler rule says, wrapped
  TextLine charts_title;
  drawing::Rect legend_exact, legend_textbook;  // a stroke and its word, in each
  std::vector<CliffChart> charts;               // empty: no room
  TextLine rates_title, rates_note;
  std::vector<RateCell> rates;  // empty: no room
};
// The width of a text in pixels, in the small font or in that of the body.
using MeasureText = std::function<float(std::string_view text, bool small)>;
OccupancyPanelScene layout_occupancy_panel(const OccupancyQuestion& question, drawing::Rect area,
                                           const SceneMetrics& metrics, const MeasureText& measure);

// The throughput table of a compute capability: figures and their labels.
struct RateText {
  std::string value, label;
  bool known = true;
};
std::vector<RateText> rate_texts(int compute_capability);

}  // namespace gemmscope::scenes
