// The roofline chart of the timings, with the switch of the memory whose bytes are on its axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "scenes/roofline_step.h"
#include "views/chart_axes.h"
#include "views/command_hint.h"
#include "views/scene_metrics.h"
#include "views/timing_view.h"

namespace gemmscope::views {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;
using experiment::MemoryLevel;
using scenes::Contender;

namespace {

void draw_dashes(Canvas& canvas, drawing::Point from, drawing::Point to, drawing::Color ink) {
  const float dash = canvas.px(4), length = std::hypot(to.x - from.x, to.y - from.y);
  for (float at = 0; at < length; at += 2 * dash) {
    const float a = at / length, b = std::min(at + dash, length) / length;
    canvas.line({std::lerp(from.x, to.x, a), std::lerp(from.y, to.y, a)},
                {std::lerp(from.x, to.x, b), std::lerp(from.y, to.y, b)}, ink, canvas.px(1.5f));
  }
}

// Text on a plate, so that a faint roof behind it does not cross it.
void draw_label(Canvas& canvas, const Rect& place, const std::string& text, Role role) {
  if (place.empty()) return;
  canvas.fill_rect(place, with_opacity(color(Role::panel), 0.8f));
  canvas.text(place, text, color(role), {FontRole::small});
}

std::string bytes_text(const scenes::RoofPoint& point, MemoryLevel level) {
  if (point.least_bytes) return "the most possible, with A, B and C moved once (ring)";
  return level == MemoryLevel::l1 ? "counted exactly from what its machine code moves"
                                  : "from the bytes that the timing model has between L1 and L2";
}

}  // namespace

void TimingView::draw_roof_switch(const session::ViewState& state, session::Requests& requests,
                                  Canvas& canvas, const scenes::RooflineScene& scene) {
  constexpr const char* kCommands[] = {"timing.roof_shared", "timing.roof_cache", "timing.roof_dram"};
  for (const MemoryLevel level : {MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::dram}) {
    const Rect& place = scene.switches[static_cast<size_t>(level)];
    if (place.empty()) continue;
    const bool open = state.timings.choice.roof == level;
    const bool pointed = canvas.hovered() && place.contains(canvas.mouse());
    if (open || pointed)
      canvas.fill_round_rect(place, color(open ? Role::accent_subtle : Role::control_hover), canvas.px(5));
    canvas.text(place, experiment::memory_name(level),
                color(open || pointed ? Role::text_strong : Role::text), {FontRole::small, AlignX::center});
    const char* const command = kCommands[static_cast<size_t>(level)];
    if (pointed) drawing::tooltip(command_title(state, command), command_key(state, "timing.next_roof"));
    if (canvas.spot(place, command).pressed) requests.command = command;
  }
}

// The roof that bounds the points is thick, the others are there to compare.
void TimingView::draw_roofs(Canvas& canvas, const scenes::RooflineScene& scene) const {
  for (const scenes::RoofIntensity& line : scene.intensities) {
    draw_dashes(canvas, {line.x, scene.plot.top}, {line.x, scene.plot.bottom}, color(Role::text_dim));
    draw_label(canvas, line.label, line.text, Role::text_dim);
  }
  for (const scenes::SlantedRoof& roof : scene.slants) {
    canvas.line(roof.from, roof.to, color(roof.bounds ? Role::text_strong : Role::grid_strong),
                canvas.px(roof.bounds ? 2.5f : 1.5f));
    draw_label(canvas, roof.label, roof.text, roof.bounds ? Role::text_strong : Role::text_dim);
  }
  for (const scenes::Roofing& roof : scene.roofs) {
    canvas.line(roof.ridge, roof.level_end, color(Role::text_strong), canvas.px(2.5f));
    draw_label(canvas, roof.label, roof.text, Role::text_strong);
  }
  for (const scenes::RoofRate& rate : scene.rates) {
    draw_dashes(canvas, {scene.plot.left, rate.y}, {scene.plot.right, rate.y}, color(Role::text_dim));
    draw_label(canvas, rate.label, rate.text, Role::text);
  }
}

// Plates lie under the leaders, and those under the points and texts.
void TimingView::draw_roof_points(Canvas& canvas, const scenes::RooflineScene& scene) const {
  for (const scenes::RoofPoint& p : scene.points)
    canvas.fill_rect(p.label.rect, with_opacity(color(Role::panel), 0.8f));
  for (const scenes::RoofPoint& p : scene.points)
    if (p.label.has_leader())
      canvas.line(p.label.leader_from, p.label.leader_to, with_opacity(color(Role::text_dim), 0.8f),
                  canvas.px(1));
  if (const auto step = scenes::step_before(scene, contest(), canvas.px(9)))
    canvas.arrow(step->from, step->to, color(Role::accent), canvas.px(1.5f), canvas.px(6));
  for (const scenes::RoofPoint& p : scene.points) {
    const Contender& c = contest().contenders[static_cast<size_t>(p.contender)];
    const bool strong = p.contender == focus() || c.current;
    const drawing::Color ink = p.modelled ? color(Role::modelled) : ink_of(c);
    const float radius = canvas.px(strong ? 5.5f : 4.0f);
    if (p.modelled)
      canvas.stroke_rect({p.at.x - radius, p.at.y - radius, p.at.x + radius, p.at.y + radius}, ink,
                         canvas.px(2));
    else if (p.least_bytes)
      canvas.stroke_circle(p.at, radius, ink, canvas.px(2));
    else
      canvas.fill_circle(p.at, radius, ink);
    if (p.above) canvas.stroke_circle(p.at, radius + canvas.px(3), color(Role::warning), canvas.px(1.5f));
    canvas.text(p.label.rect, p.text, color(strong ? Role::text_strong : Role::text), {FontRole::small});
  }
}

void TimingView::point_at_roofline(Canvas& canvas, const scenes::RooflineScene& scene, MemoryLevel level) {
  if (!canvas.hovered()) return;
  const int at = scenes::point_at(scene, canvas.mouse(), canvas.px(10));
  if (at < 0) return;
  next_hovered_ = at;
  for (const scenes::RoofPoint& p : scene.points)
    if (p.contender == at)
      drawing::tooltip(fmt::format("{}: {} TFLOP/s at {} FLOP per byte of {}, {}",
                                   contest().contenders[static_cast<size_t>(at)].label,
                                   scenes::figure_text(p.tflops), scenes::figure_text(p.flop_per_byte),
                                   experiment::memory_name(level), bytes_text(p, level)));
}

void TimingView::draw_roofline(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                               const Rect& area) {
  const session::TimingState& t = state.timings;
  requests.roofline_shown = true;
  const scenes::RooflineScene scene = scenes::layout_roofline(
      shown_.timings(), contest(), focus(), {t.choice.roof, t.rates, t.counted, t.counting, t.modelled_count},
      area, scene_metrics(canvas));
  canvas.text(scene.title, scene.title_text, color(Role::text), {FontRole::small});
  draw_roof_switch(state, requests, canvas, scene);
  if (scene.empty) {
    canvas.text_wrapped({area.left, area.top + canvas.px(26), area.right, area.bottom}, scene.empty_text,
                        color(Role::text_dim), FontRole::small);
    return;
  }
  const Role note = scene.trouble ? Role::warning : scene.working ? Role::accent : Role::text_dim;
  canvas.text(scene.note, scene.note_text, color(note), {FontRole::small});
  draw_chart_axes(canvas, scene.plot, {scene.x_ticks, scene.x_labels}, {scene.y_ticks, scene.y_labels});
  canvas.text(scene.x_title, scene.x_text, color(Role::text_dim), {FontRole::small, AlignX::right});
  draw_roofs(canvas, scene);
  draw_roof_points(canvas, scene);
  point_at_roofline(canvas, scene, t.choice.roof);
}

}  // namespace gemmscope::views
