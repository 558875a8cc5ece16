// Draws how long the variants take: bars, strip chart and roofline (scenes/contest.h and the scenes made from
// it).
#pragma once

#include "drawing/canvas.h"
#include "scenes/contest.h"
#include "scenes/timing_scene.h"
#include "session/view_state.h"
#include "views/shown_contest.h"

namespace gemmscope::views {

class TimingView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel

 private:
  void draw_toolbar(const session::ViewState& state, session::Requests& requests);
  void draw_race_popup(const session::ViewState& state, session::Requests& requests);
  void draw_recording_popup(const session::ViewState& state, session::Requests& requests);
  void draw_modelled_menu(const session::ViewState& state, session::Requests& requests);
  void draw_heading(drawing::Canvas& canvas, const scenes::TimingParts& parts);
  void draw_tabs_of_charts(const session::ViewState& state, session::Requests& requests,
                           drawing::Canvas& canvas, drawing::Rect row);
  void draw_bars(drawing::Canvas& canvas, const scenes::BarScene& scene, bool with_tooltip);
  void draw_bar(drawing::Canvas& canvas, const scenes::BarScene& scene, const scenes::ContenderBar& bar);
  void draw_group(drawing::Canvas& canvas, const scenes::BarScene& scene, const scenes::BarGroup& group);
  void choose_pointed(const session::ViewState& state, session::Requests& requests) const;
  void draw_strip(drawing::Canvas& canvas, const drawing::Rect& area);
  void draw_roofline(const session::ViewState& state, drawing::Canvas& canvas, const drawing::Rect& area);
  drawing::Color ink_of(const scenes::Contender& c) const;

  ShownContest shown_;
  int hovered_ = -1;  // the contender pointed at in the last frame
  int next_hovered_ = -1;
  const scenes::Contest& contest() const { return shown_.contest(); }
  int focus() const { return hovered_ >= 0 ? hovered_ : contest().current; }
};

}  // namespace gemmscope::views
