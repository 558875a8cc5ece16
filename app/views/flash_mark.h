// Marks the figure that the user searched for.
#pragma once

#include "drawing/canvas.h"
#include "scenes/figure_names.h"
#include "session/view_state.h"

namespace gemmscope::views {

// Draws the mark behind the figure at `rect`, if it is the one.
inline void mark_flash(drawing::Canvas& canvas, drawing::Rect rect, const session::ViewState& state,
                       const scenes::FigureName& figure) {
  if (!state.flash.marks(figure.id)) return;
  const float strength = state.flash.strength();
  const drawing::Color accent = drawing::color(drawing::Role::accent);
  const drawing::Rect area = rect.inset(-canvas.px(1));
  canvas.fill_round_rect(area, with_opacity(accent, 0.45f * strength), canvas.px(4));
  canvas.stroke_round_rect(area, with_opacity(accent, 0.4f + 0.6f * strength), canvas.px(4), canvas.px(2));
}

}  // namespace gemmscope::views
