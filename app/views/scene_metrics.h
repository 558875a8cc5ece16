// The lengths that scenes ask for, from the current canvas.
#pragma once

#include "drawing/canvas.h"
#include "scenes/bank_scene.h"

namespace gemmscope::views {

inline scenes::SceneMetrics scene_metrics(const drawing::Canvas& canvas) {
  return {canvas.scale(), canvas.line_height(drawing::FontRole::body), canvas.line_height(drawing::FontRole::small)};
}

// The sentence in the middle of a view that has nothing to show.
inline void draw_empty(drawing::Canvas& canvas, std::string_view sentence) {
  canvas.text(canvas.area().inset(canvas.px(16), 0), sentence, drawing::color(drawing::Role::text_dim),
              {drawing::FontRole::body, drawing::AlignX::center, drawing::AlignY::center});
}

}  // namespace gemmscope::views
