// The charts of the timings beside the bars: over time, and the roofline.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "drawing/widgets.h"
#include "scenes/strip_scene.h"
#include "views/scene_metrics.h"
#include "views/timing_view.h"

namespace gemmscope::views {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;
using scenes::Contender;

namespace {
constexpr double kLiveSeconds = 60;  // shown by the strip chart
}

void TimingView::draw_strip(Canvas& canvas, const Rect& area) {
  const bool live = contest().provenance == experiment::Provenance::measured;
  const scenes::StripScene scene = scenes::layout_strip(
      shown_.timings(), contest(), focus(), live ? kLiveSeconds : HUGE_VAL, area, scene_metrics(canvas));
  canvas.text(scene.title, scene.title_text, color(Role::text), {FontRole::small});
  if (scene.empty) {
    canvas.text_wrapped({area.left, scene.title.bottom + canvas.px(6), area.right, area.bottom},
                        scene.empty_text, color(Role::text_dim), FontRole::small);
    return;
  }
  for (size_t i = 0; i < scene.value_ticks.size(); ++i) {
    const float y = std::round(scene.value_ticks[i].position);
    canvas.line({scene.plot.left, y}, {scene.plot.right, y}, color(Role::grid), canvas.px(1));
    canvas.text(scene.value_labels[i], scene.value_ticks[i].text, color(Role::text_dim),
                {FontRole::small, AlignX::right});
  }
  for (size_t i = 0; i < scene.time_ticks.size(); ++i)
    if (!scene.time_labels[i].empty())  // there was room for it
      canvas.text(scene.time_labels[i], scene.time_ticks[i].text, color(Role::text_dim),
                  {FontRole::small, AlignX::center});
  for (const scenes::StripLine& line : scene.lines) {
    const Contender& c = contest().contenders[static_cast<size_t>(line.contender)];
    const bool strong = line.contender == focus() || c.current;
    const drawing::Color ink = with_opacity(ink_of(c), strong || c.previous || c.library ? 1.0f : 0.75f);
    for (size_t i = 0; i < line.starts.size(); ++i) {
      const size_t end = i + 1 < line.starts.size() ? line.starts[i + 1] : line.points.size();
      const std::span piece = std::span(line.points).subspan(line.starts[i], end - line.starts[i]);
      canvas.polyline(piece, ink, canvas.px(strong ? 2.5f : 1.5f));
      if (piece.size() == 1) canvas.fill_circle(piece[0], canvas.px(2.5f), ink);
    }
    if (line.label.empty()) continue;
    canvas.line({line.end.x + canvas.px(1), line.end.y},
                {line.label.left - canvas.px(3), line.label.center().y}, with_opacity(ink, 0.5f),
                canvas.px(1));
    canvas.text(line.label, line.text,
                strong ? color(Role::text_strong) : mix(ink_of(c), color(Role::text), 0.4f),
                {FontRole::small});
  }
  if (canvas.hovered())
    if (const int at = scenes::line_at(scene, canvas.mouse(), canvas.px(10)); at >= 0) next_hovered_ = at;
}

void TimingView::draw_roofline(const session::ViewState& state, Canvas& canvas, const Rect& area) {
  const scenes::RooflineScene scene =
      scenes::layout_roofline(shown_.timings(), contest(), focus(), state.timings.counted,
                              state.timings.choice.compulsory_traffic, area, scene_metrics(canvas));
  canvas.text(scene.title, scene.title_text, color(Role::text), {FontRole::small});
  if (scene.empty) {
    canvas.text_wrapped({area.left, scene.title.bottom + canvas.px(6), area.right, area.bottom},
                        scene.empty_text, color(Role::text_dim), FontRole::small);
    return;
  }
  const auto tick = [&](const scenes::Tick& t, const Rect& label, bool upright) {
    const float at = std::round(t.position);
    if (upright)
      canvas.line({at, scene.plot.top}, {at, scene.plot.bottom}, color(Role::grid), canvas.px(1));
    else
      canvas.line({scene.plot.left, at}, {scene.plot.right, at}, color(Role::grid), canvas.px(1));
    canvas.text(label, t.text, color(Role::text_dim),
                {FontRole::small, upright ? AlignX::center : AlignX::right});
  };
  for (size_t i = 0; i < scene.x_ticks.size(); ++i) tick(scene.x_ticks[i], scene.x_labels[i], true);
  for (size_t i = 0; i < scene.y_ticks.size(); ++i) tick(scene.y_ticks[i], scene.y_labels[i], false);
  canvas.text(scene.x_title, scene.x_text, color(Role::text_dim), {FontRole::small, AlignX::right});
  const drawing::Color roof = color(Role::text);
  if (!scene.slant_text.empty()) {
    canvas.line(scene.slant_from, scene.slant_to, roof, canvas.px(1.5f));
    canvas.text(scene.slant_label, scene.slant_text, color(Role::text_dim), {FontRole::small, AlignX::right});
  }
  for (const scenes::Roofing& r : scene.roofs) {
    canvas.line(r.ridge, r.level_end, roof, canvas.px(1.5f));
    if (r.label.empty()) continue;
    canvas.text(r.label, r.text, color(Role::text_dim), {FontRole::small, AlignX::right});
  }
  for (const scenes::RoofPoint& p : scene.points) {
    const Contender& c = contest().contenders[static_cast<size_t>(p.contender)];
    const bool strong = p.contender == focus() || c.current;
    const drawing::Color ink = p.modelled ? color(Role::modelled) : ink_of(c);
    const float radius = canvas.px(strong ? 5.0f : 3.5f);
    if (p.modelled)
      canvas.stroke_rect({p.at.x - radius, p.at.y - radius, p.at.x + radius, p.at.y + radius}, ink,
                         canvas.px(1.5f));
    else if (p.counted)
      canvas.fill_circle(p.at, radius, ink);
    else
      canvas.stroke_circle(p.at, radius, ink, canvas.px(1.5f));
    if (p.label.empty()) continue;  // no room for it
    canvas.text(p.label, p.text, strong ? color(Role::text_strong) : color(Role::text_dim),
                {FontRole::small});
  }
  if (!canvas.hovered()) return;
  if (const int at = scenes::point_at(scene, canvas.mouse(), canvas.px(10)); at >= 0) {
    next_hovered_ = at;
    for (const scenes::RoofPoint& p : scene.points)
      if (p.contender == at)
        drawing::tooltip(fmt::format(
            "{}: {} TFLOP/s at {} FLOP per byte, {}", contest().contenders[static_cast<size_t>(at)].label,
            scenes::figure_text(p.tflops), scenes::figure_text(p.flop_per_byte),
            p.counted ? "counted exactly from the machine code's global memory traffic (filled)"
                      : "the most possible, with A, B and C moved once (ring)"));
  }
}

}  // namespace gemmscope::views
