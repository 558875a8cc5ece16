// Draws the ablation lattice (scenes/lattice_scene.h). A click on a row, or on
// a cell of its heat map, makes that variant the experiment.
#pragma once

#include "scenes/lattice_map.h"
#include "scenes/lattice_scene.h"
#include "session/view_state.h"

namespace gemmscope::drawing {
class Canvas;
}

namespace gemmscope::views {

class LatticeView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel

 private:
  void update(const session::ViewState& state, const drawing::Canvas& canvas);
  void draw_table(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas);
  void draw_map(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas);

  scenes::LatticeScene scene_;
  scenes::LatticeMap map_;  // instead of the scene's rows, if it is chosen
  // What the scene was made from: sorting a thousand points in every frame would be wasted.
  uint64_t version_ = 0;
  session::LatticeChoice choice_;
  drawing::Rect area_;
  float line_height_ = 0;
};

}  // namespace gemmscope::views
