// Play, pause, step, speed, scrub: the controls of the time cursor.
#pragma once

#include "drawing/canvas.h"
#include "scenes/timeline_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

class TransportView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel
  // The strip alone, where keys do what the buttons do; `words`: with the step and what the colours mean.
  void draw_strip(const session::ViewState& state, session::Requests& requests, bool words);

 private:
  void draw_buttons(const session::ViewState& state, session::Requests& requests);
  void name_step_under_mouse(const session::ViewState& state, session::Requests& requests,
                             drawing::Canvas& canvas, drawing::Rect area);

  scenes::Timeline timeline_;
  uint64_t timeline_version_ = 0;  // of the block it was made from
  int timeline_warp_ = 0, timeline_width_ = 0;
  bool note_below_ = false;  // the line of buttons has no room for the note
};

}  // namespace gemmscope::views
