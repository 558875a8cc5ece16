// Draws the modelled timeline (scenes/pipeline_scene.h): stages, warps and pipes on one axis of time. The
// wheel zooms around the mouse, the middle button and the strip above pan, dragging measures, a click moves
// the cursor.
#pragma once

#include "drawing/instanced_bars.h"
#include "scenes/pipeline_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

class PipelineView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel

 private:
  // What the bars were laid out from.
  struct Key {
    const void* pinned = nullptr;
    uint64_t model_version = 0;
    double from = 0, to = 0, shift = 0;
    uint32_t block = 0;
    drawing::Rect plot;
    size_t rows = 0;
    drawing::Theme theme = drawing::Theme::dark;
    friend bool operator==(const Key&, const Key&) = default;
  };
  enum class Grip : uint8_t { none, measure, pan, overview };

  void update(const session::ViewState& state, const scenes::PipelineInput& input,
              const scenes::PipelineScene& scene, const scenes::SceneMetrics& metrics);
  void update_hotspots(const session::ViewState& state, scenes::CycleRange visible);
  void draw_warps_and_pipes(drawing::Canvas& canvas, const scenes::PipelineScene& scene);
  void use_mouse(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas,
                 const scenes::PipelineInput& input, const scenes::PipelineScene& scene);
  void drag(const session::ViewState& state, session::Requests& requests, const drawing::Canvas& canvas,
            const scenes::PipelineScene& scene);
  void point_at(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas,
                const scenes::PipelineInput& input, const scenes::PipelineScene& scene);

  Key key_;
  uint64_t version_ = 0;
  scenes::PipelineBars laid_out_;
  std::vector<sm::InstructionStalls> hotspots_;  // of the measured range, else of the visible one
  uint64_t hotspots_version_ = 0;                // of the model
  scenes::CycleRange hotspots_range_;
  drawing::InstancedBars bars_, overview_;
  std::vector<drawing::CellTexture> densities_;
  std::optional<scenes::StepId> hovered_;  // of the model of this version
  uint64_t hovered_version_ = 0;
  Grip grip_ = Grip::none;
  float grip_x_ = 0;
  scenes::CycleRange grip_range_;
};

}  // namespace gemmscope::views
