// The timings of a recording of many sizes: a chart in place of the bars of one size.
#include <cmath>

#include "drawing/widgets.h"
#include "scenes/sweep_scene.h"
#include "views/chart_axes.h"
#include "views/scene_metrics.h"
#include "views/timing_view.h"

namespace gemmscope::views {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Point;
using drawing::Rect;
using drawing::Role;
using experiment::SizeShape;

namespace {

drawing::Color ink_of_mark(bool slower) {
  return color(slower ? Role::warning : scenes::provenance_role(experiment::Provenance::recorded));
}

// The shape says what the size is like, so that a grey print does, too.
void draw_mark(Canvas& canvas, Point at, SizeShape shape, drawing::Color ink, bool strong) {
  const float r = canvas.px(strong ? 6.5f : 5.0f);
  switch (shape) {
    case SizeShape::square:
      return canvas.fill_rect({at.x - r * 0.85f, at.y - r * 0.85f, at.x + r * 0.85f, at.y + r * 0.85f}, ink);
    case SizeShape::tall_or_wide:
      return canvas.fill_rect({at.x - r * 0.5f, at.y - r * 1.4f, at.x + r * 0.5f, at.y + r * 1.4f}, ink);
    case SizeShape::deep:
      return canvas.fill_circle(at, r, ink);
    case SizeShape::ragged:
      canvas.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, ink, canvas.px(2));
      return canvas.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, ink, canvas.px(2));
  }
}

}  // namespace

void TimingView::draw_sweep(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                            const Rect& area) {
  const auto index = static_cast<size_t>(session::shown_recording(state.timings, state.experiment.problem));
  const experiment::SizeSweep sweep =
      experiment::size_sweep(experiment::sweep_around(state.timings.recordings, index));
  const scenes::SweepScene scene = scenes::layout_sweep(sweep, area, scene_metrics(canvas));
  if (scene.empty) {
    canvas.text_wrapped(area, scene.empty_text, color(Role::text_dim), FontRole::small);
    return;
  }
  canvas.text(scene.title, scene.title_text, color(Role::text_strong), {FontRole::body_strong});
  canvas.text(scene.summary, scene.summary_text, color(Role::text), {FontRole::small});
  for (const scenes::SweepLegend& entry : scene.legend) {
    draw_mark(canvas, entry.mark, entry.shape, color(Role::text), false);
    canvas.text(entry.label, entry.text, color(Role::text), {FontRole::small});
  }
  draw_chart_axes(canvas, scene.plot, {scene.x_ticks, scene.x_labels}, {scene.y_ticks, scene.y_labels});
  canvas.text(scene.x_title, scene.x_text, color(Role::text_dim), {FontRole::small, AlignX::right});
  canvas.line({scene.plot.left, scene.library_y}, {scene.plot.right, scene.library_y},
              color(Role::text_strong), canvas.px(1.5f));
  canvas.text(scene.library_label, "cuBLAS", color(Role::text_strong), {FontRole::small});
  const int pointed = canvas.hovered() ? scenes::sweep_point_at(scene, canvas.mouse(), canvas.px(10)) : -1;
  for (const scenes::SweepMark& mark : scene.marks) {
    const bool strong = pointed == static_cast<int>(mark.point);
    draw_mark(canvas, mark.at, mark.shape, ink_of_mark(mark.slower), strong);
    canvas.text(mark.label.rect, mark.text, color(strong ? Role::text_strong : Role::text),
                {FontRole::small});
  }
  if (pointed < 0) return;
  const experiment::SizePoint& point = sweep.points[static_cast<size_t>(pointed)];
  drawing::tooltip(scenes::describe(point), "click: makes it the experiment");
  if (!canvas.clicked() || state.catalog->find(point.key.kernel) == nullptr) return;
  experiment::Experiment next = experiment::with_kernel(state.experiment, point.key.kernel);
  next.toggles = point.key.toggles;
  next.problem = point.problem;
  next.block = {0, 0, 0};
  requests.experiment = next;
}

}  // namespace gemmscope::views
