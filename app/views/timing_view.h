// Draws how long the variants take: bars, strip chart and roofline (scenes/contest.h and the scenes that are
// made of it).
#pragma once

#include "drawing/canvas.h"
#include "scenes/contest.h"
#include "scenes/timing_scene.h"
#include "views/view_state.h"

namespace gemmscope::views {

class TimingView {
 public:
  void draw(ViewState& state);  // into the current panel

 private:
  bool derive(const ViewState& state);  // false: there is nothing to show
  void draw_toolbar(ViewState& state);
  void draw_race_popup(ViewState& state);
  void draw_recording_popup(ViewState& state);
  void draw_heading(drawing::Canvas& canvas, const scenes::TimingParts& parts);
  void draw_bars(drawing::Canvas& canvas, const scenes::BarScene& scene);
  void draw_strip(drawing::Canvas& canvas, const drawing::Rect& area);
  void draw_roofline(ViewState& state, drawing::Canvas& canvas, const drawing::Rect& area);
  drawing::Color ink_of(const scenes::Contender& c) const;

  // Derived from the state, and what it was derived from.
  const experiment::Timings* timings_ = nullptr;
  std::shared_ptr<const experiment::Timings> kept_;  // while `timings_` is measured
  uint64_t version_ = 0;
  scenes::Race race_ = scenes::Race::ladder;
  size_t ticked_ = 0;
  std::string remark_;
  scenes::Contest contest_;
  int hovered_ = -1;  // the contender pointed at in the last frame
  int next_hovered_ = -1;
  int focus() const { return hovered_ >= 0 ? hovered_ : contest_.current; }
};

}  // namespace gemmscope::views
