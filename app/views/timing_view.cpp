#include "views/timing_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "scenes/strip_scene.h"
#include "views/panel_tabs.h"
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
using scenes::Contender;

constexpr double kLiveSeconds = 60;  // of the strip chart

}  // namespace

bool TimingView::derive(const ViewState& state) {
  const TimingState& t = state.timings;
  const experiment::Timings* shown = shown_timings(t, state.experiment.problem);
  const bool same = shown == timings_ && t.version == version_ && t.choice.race == race_ &&
                    t.choice.ticked.size() == ticked_;
  if (same) return shown != nullptr;
  timings_ = shown;
  kept_ = shown == t.live.get() ? t.live : nullptr;
  version_ = t.version;
  race_ = t.choice.race;
  ticked_ = t.choice.ticked.size();
  if (shown == nullptr) return false;
  // A recording has a ladder of its own, whatever the catalogue has by now.
  const bool all =
      t.choice.race == scenes::Race::ladder && shown->provenance != experiment::Provenance::measured;
  contest_ = scenes::make_contest(*shown, t.history, all ? std::vector<scenes::VariantKey>{} : t.racers);
  if (contest_.provenance == experiment::Provenance::recorded && contest_.remark.empty())
    contest_.remark = scenes::size_remark(t.recordings, static_cast<size_t>(shown - t.recordings.data()),
                                          state.experiment.problem);
  if (hovered_ >= static_cast<int>(contest_.contenders.size())) hovered_ = -1;
  return true;
}

// The current variant speaks with the accent, the one before with its own colour, the others step back.
drawing::Color TimingView::ink_of(const Contender& c) const {
  if (c.current) return color(Role::accent);
  if (c.library) return color(Role::text);
  return drawing::category_color(c.color);
}

void TimingView::draw_toolbar(ViewState& state) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  Canvas canvas(Rect{from.x, from.y - 1, to.x, to.y + 1});
  Rect row = canvas.area();
  row.cut_left(tabs_width(canvas));
  TimingState& t = state.timings;
  const auto word = [&](std::string_view text, bool on, std::string_view hint, std::string_view key) {
    return word_button(canvas, row, text, color(on ? Role::text_strong : Role::text), on, hint, key);
  };
  if (word(t.wide ? "narrow" : "wide", t.wide, "Over all of the window but the experiment.", "Shift+T"))
    state.requests.command = "timing.wide";
  if (word(fmt::format("race: {}", scenes::race_name(t.choice.race)), false,
           "Which variants are measured and shown.", "R"))
    ImGui::OpenPopup("race");
  if (!t.recordings.empty() &&
      word(t.choice.recording >= 0 ? "recording: picked" : "recordings", t.choice.recording >= 0,
           "Figures that were recorded elsewhere.", "Alt+R"))
    ImGui::OpenPopup("recordings");
  if (word(t.choice.flush_l2 ? "L2 flushed" : "L2 warm", t.choice.flush_l2,
           "Whether the L2 cache is overwritten before each launch that is measured.", "Alt+L"))
    state.requests.command = "timing.flush_cache";
  if (word(t.choice.measure ? "measure: on" : "measure: off", t.choice.measure,
           t.trouble.empty() ? "Measure the race on this machine's GPU, in turn and for ever."
                             : std::string_view(t.trouble),
           "M"))
    state.requests.command = "timing.measure";
  draw_race_popup(state);
  draw_recording_popup(state);
}

void TimingView::draw_race_popup(ViewState& state) {
  if (!ImGui::BeginPopup("race")) return;
  scenes::TimingChoice& choice = state.timings.choice;
  constexpr const char* kCommands[] = {"timing.race_before", "timing.race_recent", "timing.race_ladder",
                                       "timing.race_chosen"};
  for (int i = 0; i < scenes::kRaces; ++i)
    if (ImGui::MenuItem(scenes::race_name(static_cast<scenes::Race>(i)), fmt::format("Alt+{}", i + 1).c_str(),
                        static_cast<int>(choice.race) == i))
      state.requests.command = kCommands[i];
  ImGui::Separator();
  for (const catalog::Kernel& kernel : state.catalog->kernels) {
    bool on = choice.race == scenes::Race::ladder || choice.ticked.count(kernel.id) > 0;
    if (!ImGui::Checkbox(fmt::format("{}##{}", kernel.title, kernel.id).c_str(), &on)) continue;
    // The first tick starts from what was in the race.
    if (choice.race == scenes::Race::ladder)
      for (const catalog::Kernel& other : state.catalog->kernels) choice.ticked.insert(other.id);
    choice.race = scenes::Race::chosen;
    if (on)
      choice.ticked.insert(kernel.id);
    else
      choice.ticked.erase(kernel.id);
  }
  ImGui::EndPopup();
}

void TimingView::draw_recording_popup(ViewState& state) {
  if (!ImGui::BeginPopup("recordings")) return;
  TimingState& t = state.timings;
  const char* const automatic =
      t.live != nullptr && t.measuring ? "What is measured now" : "The nearest to this problem";
  if (ImGui::MenuItem(automatic, "Alt+0", t.choice.recording < 0)) t.choice.recording = -1;
  ImGui::Separator();
  for (size_t i = 0; i < t.recordings.size(); ++i) {
    const experiment::Timings& r = t.recordings[i];
    const std::string text =
        fmt::format("{}, {}##{}", r.title.empty() ? r.device.name : r.title, scenes::size_text(r.problem), i);
    if (ImGui::MenuItem(text.c_str(), r.date.c_str(), t.choice.recording == static_cast<int>(i)))
      t.choice.recording = static_cast<int>(i);
  }
  ImGui::EndPopup();
}

// The badge is what the eye meets first: a filled plate in the colour of its provenance.
void TimingView::draw_heading(Canvas& canvas, const scenes::TimingParts& parts) {
  bool size_fits = false;
  if (!parts.badge.empty()) {
    Rect row = parts.badge.inset(0, canvas.px(2));
    const drawing::Color tint = color(scenes::provenance_role(contest_.provenance));
    const float width = std::ceil(canvas.text_width(contest_.badge, FontRole::title)) + canvas.px(20);
    const Rect plate = row.cut_left(width);
    canvas.fill_round_rect(plate, tint, canvas.px(5));
    canvas.text(plate, contest_.badge, drawing::readable_on(tint), {FontRole::title, AlignX::center});
    row.cut_left(canvas.px(10));
    // The size stands here where there is room for it, else it leads the next line.
    const float size_width = std::ceil(canvas.text_width(contest_.size, FontRole::body)) + canvas.px(10);
    const FontRole face =
        canvas.text_width(contest_.device, FontRole::title) + size_width <= row.width() ||
                canvas.text_width(contest_.device, FontRole::body_strong) + size_width > row.width()
            ? FontRole::title
            : FontRole::body_strong;
    size_fits = canvas.text_width(contest_.device, face) + size_width <= row.width();
    if (size_fits)
      canvas.text(row.cut_right(size_width), contest_.size, color(Role::text),
                  {FontRole::body, AlignX::right});
    canvas.text(row, contest_.device, color(Role::text_strong), {face});
  }
  if (!parts.detail.empty())
    canvas.text(parts.detail,
                size_fits ? contest_.detail : fmt::format("{} \u00b7 {}", contest_.size, contest_.detail),
                color(Role::text_dim), {FontRole::small});
  if (!parts.remark.empty())
    canvas.text(parts.remark, contest_.remark, color(Role::warning), {FontRole::small});
}

void TimingView::draw_bars(Canvas& canvas, const scenes::BarScene& scene) {
  const drawing::Color tint = color(scenes::provenance_role(contest_.provenance));
  const drawing::Color panel = color(Role::panel);
  for (const scenes::BarColumn& column : scene.columns)
    canvas.text(column.head, column.title, color(Role::text_dim), {FontRole::small, AlignX::right});
  for (const scenes::ContenderBar& bar : scene.bars) {
    const Contender& c = contest_.contenders[static_cast<size_t>(bar.contender)];
    if (c.current)
      canvas.fill_round_rect(bar.row, color(Role::accent_subtle), canvas.px(3));
    else if (bar.contender == hovered_)
      canvas.fill_round_rect(bar.row, color(Role::control), canvas.px(3));
    if (c.library)
      canvas.stroke_rect(bar.swatch, ink_of(c), canvas.px(1.5f));
    else
      canvas.fill_round_rect(bar.swatch, ink_of(c), canvas.px(2));
    const bool strong = c.current || c.previous;
    canvas.text(bar.label, c.label, color(strong ? Role::text_strong : Role::text),
                {scene.thin ? FontRole::small : FontRole::body});
    if (!bar.trouble.empty()) {
      Rect room = bar.track;
      if (!bar.cells.empty()) room.right = bar.cells.back().right;
      canvas.text({room.left, bar.row.top, room.right, bar.row.bottom}, bar.trouble,
                  color(c.trouble.empty() ? Role::text_dim : Role::warning), {FontRole::small});
      continue;
    }
    canvas.fill_rect(bar.track, color(Role::control));
    const drawing::Color fill = c.library    ? mix(panel, color(Role::text), 0.45f)
                                : c.current  ? tint
                                : c.previous ? mix(panel, tint, 0.8f)
                                             : mix(panel, tint, 0.55f);
    canvas.fill_rect(bar.bar, fill);
    if (!bar.whisker.empty()) {
      const float middle = std::floor(bar.whisker.center().y), cap = std::round(bar.whisker.height() * 0.28f);
      const drawing::Color ink = color(Role::text_strong);
      canvas.line({bar.whisker.left, middle}, {bar.whisker.right, middle}, ink, canvas.px(1.5f));
      for (const float x : {bar.whisker.left, bar.whisker.right})
        canvas.line({x, middle - cap}, {x, middle + cap}, ink, canvas.px(1.5f));
    }
    for (size_t i = 0; i < bar.cells.size(); ++i)
      canvas.text(bar.cells[i], bar.figures[i], color(i == 0 || strong ? Role::text_strong : Role::text),
                  {strong && !scene.thin ? FontRole::mono_strong
                   : scene.thin          ? FontRole::mono_small
                                         : FontRole::mono,
                   AlignX::right});
  }
  for (const scenes::BarGroup& group : scene.groups) {
    canvas.text(group.title, group.text, color(Role::text_strong),
                {scene.thin ? FontRole::small : FontRole::body_strong});
    const auto line = [&](const scenes::BarLine& l, drawing::Color ink) {
      if (l.text.empty()) return;
      canvas.text(l.label, l.text, ink, {FontRole::small, l.align});
      const float dash = canvas.px(3);
      for (float y = l.top; y < l.bottom; y += 2 * dash)
        canvas.line({l.x, y}, {l.x, std::min(y + dash, l.bottom)}, ink, canvas.px(1.5f));
    };
    line(group.library, color(Role::text));
    line(group.peak, color(Role::text_dim));
  }
  for (const scenes::Bracket& b : scene.brackets) {
    const drawing::Color ink = color(Role::text_dim);
    canvas.line({b.x, b.top}, {b.x, b.bottom}, ink, canvas.px(1.5f));
    canvas.line({b.x - b.reach, b.top}, {b.x, b.top}, ink, canvas.px(1.5f));
    canvas.line({b.x - b.reach, b.bottom}, {b.x, b.bottom}, ink, canvas.px(1.5f));
  }
  if (canvas.hovered()) {
    if (const int at = scenes::contender_at(scene, canvas.mouse()); at >= 0) next_hovered_ = at;
  }
}

void TimingView::draw_strip(Canvas& canvas, const Rect& area) {
  const bool live = contest_.provenance == experiment::Provenance::measured;
  const scenes::StripScene scene = scenes::layout_strip(
      *timings_, contest_, focus(), live ? kLiveSeconds : HUGE_VAL, area, scene_metrics(canvas));
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
    canvas.text(scene.time_labels[i], scene.time_ticks[i].text, color(Role::text_dim),
                {FontRole::small, AlignX::center});
  for (const scenes::StripLine& line : scene.lines) {
    const Contender& c = contest_.contenders[static_cast<size_t>(line.contender)];
    const bool strong = line.contender == focus() || c.current;
    const drawing::Color ink = with_opacity(ink_of(c), strong || c.previous || c.library ? 1.0f : 0.75f);
    canvas.polyline(line.points, ink, canvas.px(strong ? 2.5f : 1.5f));
    if (line.points.size() == 1) canvas.fill_circle(line.points[0], canvas.px(2.5f), ink);
    if (line.label.empty()) continue;
    canvas.line({line.end.x + canvas.px(1), line.end.y},
                {line.label.left - canvas.px(3), line.label.center().y}, with_opacity(ink, 0.5f),
                canvas.px(1));
    canvas.text(line.label, line.text, strong ? color(Role::text_strong) : ink, {FontRole::small});
  }
  if (canvas.hovered())
    if (const int at = scenes::line_at(scene, canvas.mouse(), canvas.px(10)); at >= 0) next_hovered_ = at;
}

void TimingView::draw_roofline(ViewState& state, Canvas& canvas, const Rect& area) {
  const scenes::RooflineScene scene =
      scenes::layout_roofline(*timings_, contest_, focus(), state.timings.counted,
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
    canvas.text(r.label, r.text, color(Role::text_dim), {FontRole::small, AlignX::right});
  }
  for (const scenes::RoofPoint& p : scene.points) {
    const Contender& c = contest_.contenders[static_cast<size_t>(p.contender)];
    const bool strong = p.contender == focus() || c.current;
    const drawing::Color ink = ink_of(c);
    const float radius = canvas.px(strong ? 5.0f : 3.5f);
    if (p.counted)
      canvas.fill_circle(p.at, radius, ink);
    else
      canvas.stroke_circle(p.at, radius, ink, canvas.px(1.5f));
    canvas.text(p.label, p.text, strong ? color(Role::text_strong) : color(Role::text_dim),
                {FontRole::small});
  }
  if (!canvas.hovered()) return;
  if (const int at = scenes::point_at(scene, canvas.mouse(), canvas.px(10)); at >= 0) {
    next_hovered_ = at;
    for (const scenes::RoofPoint& p : scene.points)
      if (p.contender == at)
        drawing::tooltip(fmt::format(
            "{}: {} TFLOP/s at {} FLOP per byte, {}", contest_.contenders[static_cast<size_t>(at)].label,
            scenes::figure_text(p.tflops), scenes::figure_text(p.flop_per_byte),
            p.counted ? "of what its machine code asks of global memory, counted exactly (filled)"
                      : "of A, B and C moved once: the most there can be (ring)"));
  }
}

void TimingView::draw(ViewState& state) {
  draw_tabs(state);
  const bool any = derive(state);
  draw_toolbar(state);
  Canvas canvas("timings");
  if (!any)
    return draw_empty(canvas, state.timings.trouble.empty()
                                  ? "Nothing is measured, and there is no recording."
                                  : state.timings.trouble);
  Rect area = canvas.area();
  area.cut_top(canvas.px(4));
  next_hovered_ = -1;
  const scenes::SceneMetrics metrics = scene_metrics(canvas);
  const scenes::TimingParts parts = scenes::arrange_timings(contest_, area, metrics);
  draw_heading(canvas, parts);
  scenes::TimingChoice& choice = state.timings.choice;
  const scenes::BarScene bars =
      scenes::layout_timing_bars(contest_, focus(), choice.first_row, parts.bars, metrics);
  if (canvas.hovered() && parts.bars.contains(canvas.mouse()))
    choice.first_row =
        std::clamp(bars.first_row - static_cast<int>(canvas.wheel()), 0, std::max(0, bars.hidden_rows));
  draw_bars(canvas, bars);
  if (!parts.strip.empty()) draw_strip(canvas, parts.strip);
  if (!parts.roofline.empty()) draw_roofline(state, canvas, parts.roofline);
  if (!parts.sentence.empty() && focus() >= 0)
    canvas.text_wrapped(parts.sentence, scenes::describe(contest_, focus()), color(Role::text),
                        FontRole::small);
  if (canvas.hovered() && canvas.clicked() && next_hovered_ >= 0) {
    const Contender& c = contest_.contenders[static_cast<size_t>(next_hovered_)];
    if (!c.library && state.catalog->find(c.key.kernel) != nullptr) {
      experiment::Experiment next = state.experiment;
      next.kernel = c.key.kernel;
      next.toggles = c.key.toggles;
      next.block = {0, 0, 0};
      state.requests.experiment = next;
    }
  }
  hovered_ = next_hovered_;
}

}  // namespace gemmscope::views
