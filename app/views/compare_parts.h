// What the views of two experiments have in common.
#pragma once

#include "catalog/product.h"
#include "drawing/canvas.h"
#include "session/view_state.h"

namespace gemmscope::views {

// The choice that the user asks for in this frame; later requests of the frame change it further.
inline session::CompareChoice& asked_compare(const session::ViewState& state, session::Requests& requests) {
  if (!requests.compare) requests.compare = state.pinned.choice;
  return *requests.compare;
}

// Both kernels have matrices to map.
inline bool has_maps(const session::ViewState& state) {
  return !catalog::is_lab(state.block->compiled->kernel) &&
         !catalog::is_lab(state.pinned.side->block->compiled->kernel);
}
inline bool shows_maps(const session::ViewState& state) { return state.pinned.choice.map && has_maps(state); }

// The letter of a side in a box: A's is a frame, B's is filled.
inline void draw_letter(drawing::Canvas& canvas, drawing::Rect box, bool pinned) {
  using drawing::Role;
  const drawing::Rect square = box.inset(canvas.px(1));
  if (pinned)
    canvas.stroke_round_rect(square, drawing::color(Role::text_strong), canvas.px(4), canvas.px(1.5f));
  else
    canvas.fill_round_rect(square, drawing::color(Role::accent), canvas.px(4));
  canvas.text(box, pinned ? "A" : "B", drawing::color(pinned ? Role::text_strong : Role::text_on_accent),
              {drawing::FontRole::body_strong, drawing::AlignX::center, drawing::AlignY::center});
}

}  // namespace gemmscope::views
