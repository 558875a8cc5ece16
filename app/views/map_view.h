// Draws the map of C = A·B (scenes/map_scene.h).
#pragma once

#include <array>

#include "drawing/cell_texture.h"
#include "session/view_state.h"

namespace gemmscope::views {

class MapView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);          // into the current panel
  void draw_picture(const session::ViewState& state, session::Requests& requests);  // without a heading

 private:
  std::array<drawing::CellTexture, 3> textures_;  // A, B, C
};

}  // namespace gemmscope::views
