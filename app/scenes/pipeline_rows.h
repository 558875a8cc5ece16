// The parts of layout_pipeline_bars, one for each band.
#pragma once

#include "scenes/pipeline_scene.h"

namespace gemmscope::scenes {

void add_stage_bars(const PipelineInput& input, const PipelineScene& scene, const SceneMetrics& metrics,
                    PipelineBars& bars);
void add_warp_bars(const PipelineInput& input, const PipelineScene& scene, const SceneMetrics& metrics,
                   PipelineBars& bars);
void add_pipe_bars(const PipelineInput& input, const PipelineScene& scene, PipelineBars& bars);
void add_overview(const PipelineInput& input, const PipelineScene& scene, PipelineBars& bars);

// The stretches of [begin, end) in which the math pipes of the SM are idle.
std::vector<std::pair<uint32_t, uint32_t>> idle_math(const experiment::ModelResult& model, uint32_t begin,
                                                     uint32_t end);
// The pipe that does the kernel's math.
sm::Pipe math_pipe(const experiment::ModelResult& model);

}  // namespace gemmscope::scenes
