// The occupancy calculator: any compute capability and any needs of a block, by hand or from the kernel
// (scenes/occupancy_panel_scene.h).
#pragma once

#include <optional>

#include "drawing/canvas.h"
#include "scenes/occupancy_panel_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

class OccupancyPanel {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  // ---- occupancy_controls.cpp
  void draw_controls(const session::ViewState& state, session::Requests& requests);
  void draw_source(const session::ViewState& state, session::Requests& requests);
  void draw_presets(const session::ViewState& state, session::Requests& requests, float width);
  void draw_capability(session::OccupancyChoice& choice, bool& changed);
  void draw_field(const char* label, const char* hint, int& value, int step, int most, float width,
                  bool& changed);

  // ---- occupancy_charts.cpp
  void draw_charts(drawing::Canvas& canvas, const session::ViewState& state, session::Requests& requests,
                   const scenes::OccupancyPanelScene& scene);
  void drag_chart(drawing::Canvas& canvas, const session::ViewState& state, session::Requests& requests,
                  const scenes::CliffChart& chart);

  std::optional<int> dragged_;  // chart whose point is being dragged
};

}  // namespace gemmscope::views
