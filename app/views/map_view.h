// Draws the map of C = A·B (scenes/map_scene.h).
#pragma once

#include <array>

#include "drawing/cell_texture.h"
#include "views/view_state.h"

namespace gemmscope::views {

class MapView {
 public:
  void draw(ViewState& state);  // into the current panel

 private:
  std::array<drawing::CellTexture, 3> textures_;  // A, B, C
};

}  // namespace gemmscope::views
