// Draws one shared-memory access, wavefront by wavefront (scenes/bank_scene.h).
#pragma once

#include <optional>

#include "drawing/canvas.h"
#include "scenes/bank_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

void draw_banks_picture(const session::ViewState& state, session::Requests& requests);

// The tile, the lanes and the banks, without the heading.
void draw_bank_scene(drawing::Canvas& canvas, const scenes::BankScene& scene);
// Highlights what the mouse points at; returns the wavefront that was clicked.
std::optional<int> point_at_bank_scene(session::Requests& requests, drawing::Canvas& canvas,
                                       const scenes::BankScene& scene);

}  // namespace gemmscope::views
