#include "views/pipeline_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "scenes/cursor.h"
#include "scenes/pipeline_story.h"
#include "scenes/text.h"
#include "views/pipeline_parts.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

constexpr double kWheelZoom = 0.8;
constexpr float kDragPixels = 4;

scenes::PipelineInput input_of(const session::ViewState& state) {
  scenes::PipelineInput input;
  input.model = state.model.get();
  input.visible = state.pipeline.visible;
  input.cycle = state.pipeline.cycle;
  input.block = state.pipeline.block;
  input.followed_warp = state.playback.warp;
  input.step = state.pipeline.selected;
  const auto pinned = state.pinned.side == nullptr ? nullptr : state.pinned.side->model;
  if (pinned != nullptr && pinned != state.model) {
    input.pinned = pinned.get();
    input.pinned_shift =
        scenes::timeline_shift(*state.model, input.block, input.cycle, *pinned, state.pipeline.align_at_pass);
  }
  return input;
}

std::string waiting_text(const session::ViewState& state) {
  if (!state.no_model.empty()) return "No modelled time: " + state.no_model;
  return state.failure ? "Nothing to show yet." : "Modelling the cycles\u2026";
}

session::PipelineState& asked(const session::ViewState& state, session::Requests& requests) {
  if (!requests.pipeline) requests.pipeline = state.pipeline;
  return *requests.pipeline;
}

// The tile whose math is at the cursor.
int tile_at_cursor(const scenes::PipelineInput& input) {
  if (input.block >= input.model->stages.size()) return -1;
  for (const experiment::StageBar& bar : input.model->stages[input.block].bars)
    if (bar.stage == experiment::TileStage::math && input.cycle >= bar.begin && input.cycle < bar.end)
      return bar.tile;
  return -1;
}

void draw_headline(Canvas& canvas, const session::ViewState& state, const scenes::PipelineInput& input,
                   const scenes::PipelineScene& scene) {
  Rect line = scene.headline;
  std::string text = scenes::pipeline_headline(*input.model, input.block);
  const std::string caveat = scenes::pipeline_caveat(*input.model);
  const float width = canvas.text_width(caveat, FontRole::small) + canvas.px(16);
  if (!caveat.empty() && width + canvas.text_width(text, FontRole::body_strong) < line.width())
    canvas.text(line.cut_right(width), caveat, color(Role::warning),
                {FontRole::small, AlignX::right, AlignY::center});
  else if (!caveat.empty() && !scene.titles.empty()) {
    Rect beside = scene.titles[0];
    beside.left += canvas.text_width(scene.title_texts[0], FontRole::small) + canvas.px(12);
    canvas.text(beside, caveat, color(Role::warning), {FontRole::small, AlignX::right, AlignY::center});
  }
  if (state.places == nullptr) text = "The timeline of the code before; the new one is being modelled\u2026";
  const bool fits = canvas.text_width(text, FontRole::body_strong) <= line.width();
  if (!fits && canvas.text_width(text, FontRole::small) > line.width())
    if (const size_t share = text.rfind("; "); share != std::string::npos) text = text.substr(0, share) + ".";
  canvas.text(line, text, color(Role::modelled),
              {fits ? FontRole::body_strong : FontRole::small, AlignX::left, AlignY::center});
}

}  // namespace

void PipelineView::update(const session::ViewState& state, const scenes::PipelineInput& input,
                          const scenes::PipelineScene& scene, const scenes::SceneMetrics& metrics) {
  const Key key{input.pinned,     state.model_version, scene.visible.from,
                scene.visible.to, input.pinned_shift,  input.block,
                scene.plot,       scene.rows.size(),   drawing::current_theme()};
  if (version_ > 0 && key == key_) return;
  key_ = key;
  ++version_;
  laid_out_ = scenes::layout_pipeline_bars(input, scene, metrics);
  densities_.resize(laid_out_.densities.size());
  for (size_t i = 0; i < densities_.size(); ++i) {
    const scenes::DensityCells& cells = laid_out_.densities[i];
    // This cannot fail, because a sub-core has at most 16 warps and a row for the pinned ones.
    (void)densities_[i].update(cells.columns, cells.rows, cells.cells, version_);
  }
}

void PipelineView::update_hotspots(const session::ViewState& state, scenes::CycleRange visible) {
  const scenes::CycleRange range = state.pipeline.measure.value_or(visible);
  if (hotspots_version_ == state.model_version && hotspots_range_ == range) return;
  hotspots_version_ = state.model_version;
  hotspots_range_ = range;
  hotspots_ = state.model->index.hotspots(static_cast<uint32_t>(range.from),
                                          static_cast<uint32_t>(std::ceil(range.to)));
}

void PipelineView::draw_warps_and_pipes(Canvas& canvas, const scenes::PipelineScene& scene) {
  for (size_t i = 0; i < densities_.size(); ++i) canvas.cells(densities_[i], laid_out_.densities[i].rect);
  bars_.draw(canvas, scene.plot, laid_out_.bars, version_);
  overview_.draw(canvas, scene.overview, laid_out_.overview, version_);
  for (const auto& [rect, text] : laid_out_.opcodes)
    canvas.text(rect.intersected(scene.plot), text, drawing::readable_on(color(Role::math)),
                {FontRole::mono_small, AlignX::left, AlignY::top});
}

void PipelineView::drag(const session::ViewState& state, session::Requests& requests, const Canvas& canvas,
                        const scenes::PipelineScene& scene) {
  const float x = canvas.mouse().x;
  const double cycle = scene.cycle_at(std::clamp(x, scene.plot.left, scene.plot.right));
  switch (grip_) {
    case Grip::none:
      return;
    case Grip::measure:
      if (std::abs(x - grip_x_) >= kDragPixels * canvas.scale()) {
        const double start = scene.cycle_at(grip_x_);
        asked(state, requests).measure = scenes::CycleRange{std::min(start, cycle), std::max(start, cycle)};
      }
      return;
    case Grip::pan: {
      const double by = static_cast<double>(grip_x_ - x) / scene.plot.width() * grip_range_.length();
      asked(state, requests).visible = scenes::moved(*state.model, grip_range_, by);
      return;
    }
    case Grip::overview: {
      const double share = std::clamp((x - scene.overview.left) / scene.overview.width(), 0.0f, 1.0f);
      const scenes::CycleRange whole = scenes::whole_range(*state.model);
      const double middle = scene.visible.from + scene.visible.length() / 2;
      asked(state, requests).visible = scenes::moved(*state.model, scene.visible, share * whole.to - middle);
      return;
    }
  }
}

void PipelineView::point_at(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                            const scenes::PipelineInput& input, const scenes::PipelineScene& scene) {
  hovered_.reset();
  hovered_version_ = state.model_version;
  const drawing::Point mouse = canvas.mouse();
  if (!canvas.hovered() || !scene.plot.contains(mouse)) return;
  const scenes::PipelineRow* row = scene.row_at(mouse);
  if (row == nullptr) return;
  if (row->band == scenes::PipelineBand::stages) {
    if (const scenes::TileRect* tile = scenes::tile_at(laid_out_, mouse))
      drawing::tooltip(scenes::describe_tile(*tile));
    return;
  }
  if (row->band != scenes::PipelineBand::warps) return;
  hovered_ = scenes::step_in_row(input, *row, scene.cycle_at(mouse.x));
  if (!hovered_) return;
  requests.hover.instruction = input.model->timeline.warps[hovered_->warp].steps[hovered_->step].instruction;
  std::string text;
  for (const std::string& line : scenes::describe_step(*state.model, *hovered_))
    text += (text.empty() ? "" : "\n") + line;
  drawing::tooltip(text);
}

void PipelineView::use_mouse(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                             const scenes::PipelineInput& input, const scenes::PipelineScene& scene) {
  point_at(state, requests, canvas, input, scene);
  const drawing::Point mouse = canvas.mouse();
  const bool over = canvas.hovered() && !scene.side.contains(mouse);
  if (const float wheel = canvas.wheel(); wheel != 0 && over && scene.plot.contains(mouse)) {
    const bool sideways = ImGui::GetIO().KeyShift;
    asked(state, requests).visible =
        sideways ? scenes::moved(*state.model, scene.visible, -0.15 * wheel * scene.visible.length())
                 : scenes::zoomed(*state.model, scene.visible, scene.cycle_at(mouse.x),
                                  std::pow(kWheelZoom, static_cast<double>(wheel)));
  }
  if (over && grip_ == Grip::none) {
    const bool middle = ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
    if (canvas.clicked() || middle) {
      grip_x_ = mouse.x;
      grip_range_ = scene.visible;
      grip_ = scene.overview.contains(mouse)         ? Grip::overview
              : middle || scene.axis.contains(mouse) ? Grip::pan
              : scene.plot.contains(mouse)           ? Grip::measure
                                                     : Grip::none;
    }
  }
  if (grip_ == Grip::none) return;
  // Also where it is let go: a slow frame may see the whole way at once.
  drag(state, requests, canvas, scene);
  if (canvas.held()) return;
  // Let go: without a drag it was a click.
  const bool clicked = std::abs(mouse.x - grip_x_) < kDragPixels * canvas.scale();
  if (grip_ == Grip::measure && clicked && state.places != nullptr) {
    asked(state, requests).measure.reset();
    if (hovered_)
      requests.step = hovered_;
    else
      requests.cycle = scene.cycle_at(mouse.x);
    if (hovered_ && state.playback.warp != scenes::kAllWarps)
      requests.follow_warp = state.model->timeline.warps[hovered_->warp].warp;
  }
  grip_ = Grip::none;
}

void PipelineView::draw(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("pipeline");
  if (state.model == nullptr) return draw_empty(canvas, waiting_text(state));
  scenes::PipelineInput input = input_of(state);
  // What was pointed at in the last frame may be a step that the timeline of another kernel does not have.
  if (hovered_version_ != state.model_version) hovered_.reset();
  if (hovered_) input.step = hovered_;
  const scenes::SceneMetrics metrics = scene_metrics(canvas);
  const scenes::PipelineScene scene = scenes::layout_pipeline(input, canvas.area(), metrics);
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  update(state, input, scene, metrics);
  update_hotspots(state, scene.visible);
  draw_headline(canvas, state, input, scene);
  draw_pipeline_frame(canvas, scene, laid_out_, input.cycle);
  draw_pipeline_stages(canvas, scene, laid_out_, tile_at_cursor(input));
  draw_warps_and_pipes(canvas, scene);
  draw_pipeline_marks(canvas, state, input, scene);
  if (!scene.side.empty()) draw_pipeline_side(canvas, scene.side, state, requests, input, hotspots_);
  use_mouse(state, requests, canvas, input, scene);
}

}  // namespace gemmscope::views
