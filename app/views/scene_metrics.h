// The lengths that scenes ask for, measured on the current canvas.
#pragma once

#include "drawing/canvas.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::views {

inline scenes::SceneMetrics scene_metrics(const drawing::Canvas& canvas) {
  return {canvas.scale(),
          canvas.line_height(drawing::FontRole::body),
          canvas.line_height(drawing::FontRole::small),
          canvas.text_width("0", drawing::FontRole::small),
          canvas.text_width("0", drawing::FontRole::mono_small),
          canvas.line_height(drawing::FontRole::mono_small)};
}

// Draws a sentence in the middle of a view that has nothing to show.
inline void draw_empty(drawing::Canvas& canvas, std::string_view sentence) {
  const drawing::Color ink = drawing::color(drawing::Role::text_dim);
  if (canvas.text_width(sentence) <= canvas.area().width()) {
    canvas.text(canvas.area(), sentence, ink,
                {drawing::FontRole::body, drawing::AlignX::center, drawing::AlignY::center});
  } else {
    canvas.text_wrapped(canvas.area(), sentence, ink);
  }
}

}  // namespace gemmscope::views
