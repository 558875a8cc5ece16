// The device board (scenes/board_scene.h): knobs to the left, variants on two devices to the right.
#pragma once

#include "drawing/canvas.h"
#include "scenes/board_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

class BoardPanel {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  void draw_head(const session::ViewState& state, session::Requests& requests);
  void draw_devices(const session::ViewState& state, session::Requests& requests,
                    std::string session::BoardChoice::*which, const char* label);
  void draw_progress(const session::ViewState& state, session::Requests& requests);
  void draw_knobs(const session::ViewState& state, session::Requests& requests);
  void draw_bars(drawing::Canvas& canvas, const std::vector<scenes::BoardBar>& bars,
                 const std::vector<experiment::ModelledVariant>& variants, session::Requests& requests,
                 const session::ViewState& state);

  double idle_at_ = 0;  // when nothing was being modelled last, in the seconds of Dear ImGui
};

}  // namespace gemmscope::views
