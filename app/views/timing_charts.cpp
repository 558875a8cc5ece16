// The charts of the timings beside the bars: over time, and the staircase (timing_roofline.cpp has the
// roofline).
#include <algorithm>
#include <cmath>
#include <span>

#include "drawing/widgets.h"
#include "scenes/stair_scene.h"
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
constexpr int kLibraryDash = 3;      // of draw_dashed

// The title, and the upward axis or why there is none.
void draw_frame(Canvas& canvas, const scenes::ChartFrame& frame, const Rect& area) {
  canvas.text(frame.title, frame.title_text, color(Role::text), {FontRole::small});
  if (frame.empty) {
    canvas.text_wrapped({area.left, frame.title.bottom + canvas.px(6), area.right, area.bottom},
                        frame.empty_text, color(Role::text_dim), FontRole::small);
    return;
  }
  for (size_t i = 0; i < frame.value_ticks.size(); ++i) {
    const float y = std::round(frame.value_ticks[i].position);
    canvas.line({frame.plot.left, y}, {frame.plot.right, y}, color(Role::grid), canvas.px(1));
    canvas.text(frame.value_labels[i], frame.value_ticks[i].text, color(Role::text_dim),
                {FontRole::small, AlignX::right});
  }
}

// `dash` 0: solid; 1, 2 …: shorter and shorter dashes.
void draw_dashed(Canvas& canvas, std::span<const drawing::Point> points, int dash, drawing::Color ink,
                 float thickness) {
  if (dash == 0) return canvas.polyline(points, ink, thickness);
  const float on = canvas.px(12 / static_cast<float>(dash)), off = canvas.px(4);
  float at = 0;  // along the period
  for (size_t i = 1; i < points.size(); ++i) {
    const drawing::Point a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    for (float done = 0; done < length;) {
      const float left = std::min(length - done, at < on ? on - at : on + off - at);
      const float from = done / length, to = (done + left) / length;
      if (at < on)
        canvas.line({std::lerp(a.x, b.x, from), std::lerp(a.y, b.y, from)},
                    {std::lerp(a.x, b.x, to), std::lerp(a.y, b.y, to)}, ink, thickness);
      done += std::max(left, 0.01f);
      at = at + left >= on + off - 0.01f ? 0 : at + left;
    }
  }
}

}  // namespace

void TimingView::draw_strip(Canvas& canvas, const Rect& area) {
  const bool live = contest().provenance == experiment::Provenance::measured;
  const scenes::StripScene scene = scenes::layout_strip(
      shown_.timings(), contest(), focus(), live ? kLiveSeconds : HUGE_VAL, area, scene_metrics(canvas));
  draw_frame(canvas, scene, area);
  if (scene.empty) return;
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
      draw_dashed(canvas, piece, c.dash, ink, canvas.px(strong ? 2.5f : 1.5f));
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

// A step is a translucent body under a thick tread; one that is modelled beside others is hatched.
void TimingView::draw_stair(Canvas& canvas, const scenes::Stair& stair) const {
  const Contender& c = contest().contenders[static_cast<size_t>(stair.contender)];
  const bool strong = stair.contender == focus() || c.current;
  const drawing::Color tint = stair.modelled ? color(Role::modelled)
                              : c.current    ? color(Role::accent)
                                             : color(scenes::provenance_role(contest().provenance));
  const Rect body{stair.body.left + canvas.px(1), stair.body.top, stair.body.right - canvas.px(1),
                  stair.body.bottom};
  if (stair.contender == hovered_) canvas.fill_rect(stair.slot, color(Role::control));
  if (stair.modelled)
    canvas.hatch(body, with_opacity(tint, 0.5f));
  else
    canvas.fill_rect(body, with_opacity(tint, strong ? 0.38f : 0.2f));
  canvas.fill_rect({body.left, body.top, body.right, std::min(body.top + canvas.px(4), body.bottom)}, tint);
  if (!stair.mark.empty())
    canvas.text(stair.mark, c.mark, color(strong ? Role::text_strong : Role::text),
                {FontRole::small, AlignX::center});
  // Where there is no room the scene leaves a text out.
  if (!stair.value.empty())
    canvas.text(stair.value, stair.value_text, color(strong ? Role::text_strong : Role::text_dim),
                {FontRole::small, AlignX::center});
  if (!stair.modelled_label.empty())
    canvas.text(stair.modelled_label, "modelled", color(Role::modelled), {FontRole::small, AlignX::center});
}

void TimingView::draw_stair_marks(Canvas& canvas, const scenes::StairScene& scene) const {
  for (const scenes::StairLibrary& library : scene.libraries) {
    const drawing::Point ends[] = {{library.left, library.y}, {library.right, library.y}};
    draw_dashed(canvas, ends, kLibraryDash, color(Role::text), canvas.px(1.5f));
    if (!library.label.empty())
      canvas.text(library.label, library.text, color(Role::text), {FontRole::small});
  }
  for (const scenes::Riser& riser : scene.risers) {
    if (riser.label.has_leader())
      canvas.line(riser.label.leader_from, riser.label.leader_to, color(Role::text_dim), canvas.px(1));
    if (!riser.label.rect.empty())
      canvas.text(riser.label.rect, riser.text, color(riser.down ? Role::warning : Role::text_strong),
                  {FontRole::small, AlignX::center});
  }
  for (const scenes::StairVariant& variant : scene.variants) {
    const Contender& c = contest().contenders[static_cast<size_t>(variant.contender)];
    const bool strong = variant.contender == focus() || c.current;
    const drawing::Color ink = variant.modelled ? color(Role::modelled)
                               : c.current      ? color(Role::accent)
                                                : color(Role::text);
    const float r = canvas.px(strong ? 5.0f : 4.0f);
    const drawing::Point p = variant.at;
    canvas.line({p.x - r, p.y}, {p.x + r, p.y}, ink, canvas.px(2));
    canvas.line({p.x, p.y - r}, {p.x, p.y + r}, ink, canvas.px(2));
    if (variant.label.has_leader())
      canvas.line(variant.label.leader_from, variant.label.leader_to, color(Role::text_dim), canvas.px(1));
    if (!variant.label.rect.empty())
      canvas.text(variant.label.rect, c.mark, color(strong ? Role::text_strong : Role::text),
                  {FontRole::small});
  }
}

void TimingView::draw_stairs(Canvas& canvas, const Rect& area) {
  const scenes::StairScene scene = scenes::layout_stairs(contest(), focus(), area, scene_metrics(canvas));
  draw_frame(canvas, scene, area);
  if (scene.empty) return;
  for (const scenes::Stair& stair : scene.stairs) draw_stair(canvas, stair);
  draw_stair_marks(canvas, scene);
  if (canvas.hovered())
    if (const int at = scenes::stair_at(scene, canvas.mouse(), canvas.px(8)); at >= 0) {
      next_hovered_ = at;
      drawing::tooltip(scenes::describe(contest(), at));
    }
}

}  // namespace gemmscope::views
