// Draws the map of C = A·B (scenes/map_scene.h).
#pragma once

#include <array>
#include <optional>

#include "drawing/canvas.h"
#include "drawing/cell_texture.h"
#include "session/view_state.h"

namespace gemmscope::views {

class MapView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);          // into the current panel
  void draw_picture(const session::ViewState& state, session::Requests& requests);  // without a heading

 private:
  void drag(const session::ViewState& state, session::Requests& requests, const drawing::Canvas& canvas,
            const scenes::MapScene& scene);

  std::array<drawing::CellTexture, 3> textures_;  // A, B, C
  struct Grab {
    drawing::Point mouse;
    scenes::MapView view;
  };
  std::optional<Grab> grabbed_;  // where the mouse went down, and what was shown then
};

}  // namespace gemmscope::views
