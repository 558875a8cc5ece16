// The parts of the pipeline view that need nothing of it.
#pragma once

#include <span>

#include "drawing/canvas.h"
#include "scenes/pipeline_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

void draw_pipeline_frame(drawing::Canvas& canvas, const scenes::PipelineScene& scene,
                         const scenes::PipelineBars& bars, double cycle);
void draw_pipeline_stages(drawing::Canvas& canvas, const scenes::PipelineScene& scene,
                          const scenes::PipelineBars& bars, int marked_tile);
void draw_pipeline_marks(drawing::Canvas& canvas, const session::ViewState& state,
                         const scenes::PipelineInput& input, const scenes::PipelineScene& scene);
// The panel at the side: stalls of the visible or the measured range, hotspots, the step, one pass against
// the mean.
void draw_pipeline_side(drawing::Canvas& canvas, drawing::Rect area, const session::ViewState& state,
                        session::Requests& requests, const scenes::PipelineInput& input,
                        std::span<const sm::InstructionStalls> hotspots);

}  // namespace gemmscope::views
