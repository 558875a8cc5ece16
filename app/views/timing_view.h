// Draws how long the variants take: bars, strip chart or staircase, and roofline (scenes/contest.h and the
// scenes made from it); of a recording of many sizes, how fast at which size (scenes/sweep_scene.h).
#pragma once

#include <string>

#include "drawing/canvas.h"
#include "scenes/contest.h"
#include "scenes/roofline_scene.h"
#include "scenes/stair_scene.h"
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
  void fill_bar(drawing::Canvas& canvas, const scenes::BarScene& scene, const scenes::ContenderBar& bar,
                const scenes::Contender& c) const;
  void draw_bar(drawing::Canvas& canvas, const scenes::BarScene& scene, const scenes::ContenderBar& bar);
  void draw_group(drawing::Canvas& canvas, const scenes::BarScene& scene, const scenes::BarGroup& group);
  void choose_pointed(const session::ViewState& state, session::Requests& requests) const;
  void draw_strip(drawing::Canvas& canvas, const drawing::Rect& area);
  void draw_stairs(drawing::Canvas& canvas, const drawing::Rect& area);
  void draw_stair(drawing::Canvas& canvas, const scenes::Stair& stair) const;
  void draw_stair_marks(drawing::Canvas& canvas, const scenes::StairScene& scene) const;
  void draw_sweep(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas,
                  const drawing::Rect& area);
  void draw_roofline(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas,
                     const drawing::Rect& area);
  void draw_roof_switch(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas,
                        const scenes::RooflineScene& scene);
  void draw_roofs(drawing::Canvas& canvas, const scenes::RooflineScene& scene) const;
  void draw_roof_points(drawing::Canvas& canvas, const scenes::RooflineScene& scene) const;
  void point_at_roofline(drawing::Canvas& canvas, const scenes::RooflineScene& scene,
                         experiment::MemoryLevel level);
  // A plate in the contender's colour with its mark, or the library's empty square.
  void draw_plate(drawing::Canvas& canvas, const drawing::Rect& plate, const scenes::Contender& c) const;
  drawing::Color ink_of(const scenes::Contender& c) const;

  ShownContest shown_;
  int hovered_ = -1;  // the contender pointed at in the last frame
  int next_hovered_ = -1;
  std::string current_;    // the label of the current variant in the last frame
  bool scrolled_ = false;  // the rows, since it is the current one
  const scenes::Contest& contest() const { return shown_.contest(); }
  int focus() const { return hovered_ >= 0 ? hovered_ : contest().current; }
};

}  // namespace gemmscope::views
