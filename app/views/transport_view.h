// Play, pause, step, speed, scrub: the controls of the time cursor.
#pragma once

#include "drawing/canvas.h"
#include "scenes/timeline_scene.h"
#include "views/view_state.h"

namespace gemmscope::views {

class TransportView {
 public:
  void draw(ViewState& state);  // into the current panel

 private:
  void draw_buttons(ViewState& state);
  void draw_strip(ViewState& state);
  void name_step_under_mouse(ViewState& state, drawing::Canvas& canvas, drawing::Rect area);

  scenes::Timeline timeline_;
  uint64_t timeline_version_ = 0;  // of the block it was made from
  int timeline_warp_ = 0, timeline_width_ = 0;
};

}  // namespace gemmscope::views
