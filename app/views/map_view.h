// Draws the map of C = A·B (scenes/map_scene.h).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "drawing/canvas.h"
#include "drawing/cell_texture.h"
#include "session/view_state.h"

namespace gemmscope::views {

class MapView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel
  // Without a title. Returns the headline where the picture had no room for it.
  std::string draw_picture(const session::ViewState& state, session::Requests& requests);

 private:
  static void draw_note(const session::ViewState& state, const std::string& headline, drawing::Rect title);
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
