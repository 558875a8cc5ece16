#include "views/timing_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "experiment/size_sweep.h"
#include "session/measuring.h"
#include "views/command_hint.h"
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

// The choice that the user asks for in this frame; later requests of the frame change it further.
experiment::TimingChoice& asked(const session::ViewState& state, session::Requests& requests) {
  if (!requests.timing_choice) requests.timing_choice = state.timings.choice;
  return *requests.timing_choice;
}

// A word of the head, and its short form where the panel is narrow.
struct Word {
  std::string text, brief, hint;
  Role role;
  bool on;
  std::string command, popup;  // a click runs the command or opens the popup; the command's key is shown
};

}  // namespace

// The current variant has the accent colour, the library the text's, all others a colour of their own.
drawing::Color TimingView::ink_of(const Contender& c) const {
  if (c.current) return color(Role::accent);
  if (c.library) return color(Role::text);
  return drawing::category_color(c.color);
}

void TimingView::draw_toolbar(const session::ViewState& state, session::Requests& requests) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  Canvas canvas(Rect{from.x, from.y - 1, to.x, to.y + 1});
  Rect row = canvas.area();
  row.cut_left(tabs_width(canvas));
  const float row_width = row.width();
  const session::TimingState& t = state.timings;
  const session::MeasuringSwitch measuring = session::measuring_switch(t);
  const auto role = [](bool on) { return on ? Role::text_strong : Role::text; };
  // The words are placed from the right; the last ones are dropped where there is no room.
  std::vector<Word> words = {
      {t.wide ? "narrow" : "wide", t.wide ? "narrow" : "wide",
       "Show the timings over everything but the experiment.", role(t.wide), t.wide, "timing.wide", ""},
      {measuring.word, measuring.word, measuring.hint, measuring.role, measuring.on,
       measuring.asks_for_runner ? "timing.gpu_runner" : "timing.measure", ""},
      {fmt::format("race: {}", experiment::race_name(t.choice.race)), "race",
       fmt::format("Which variants are measured and shown; now: {}.", experiment::race_name(t.choice.race)),
       Role::text, false, "timing.next_race", "race"},
      {t.choice.flush_l2 ? "L2 flushed" : "L2 warm", t.choice.flush_l2 ? "L2 flushed" : "L2 warm",
       "Whether the L2 cache is overwritten before each launch that is measured.", role(t.choice.flush_l2),
       t.choice.flush_l2, "timing.flush_cache", ""}};
  const bool picked = t.choice.recording >= 0 || t.choice.modelled;
  if (!t.recordings.empty())
    words.insert(words.begin() + 3,
                 {t.choice.modelled ? "modelled: picked"
                  : picked          ? "recording: picked"
                                    : "recordings",
                  "recordings", "Choose recorded or modelled times in place of measured ones.", role(picked),
                  picked, "timing.next_recording", "recordings"});
  float width = 0;
  for (const Word& word : words) width += word_button_width(canvas, word.text);
  for (const Word& word : words) {
    if (!word_button(canvas, row, width <= row_width ? word.text : word.brief, color(word.role), word.on,
                     word.hint, command_key(state, word.command)))
      continue;
    if (!word.popup.empty())
      ImGui::OpenPopup(word.popup.c_str());
    else
      requests.command = word.command;
  }
  draw_race_popup(state, requests);
  draw_recording_popup(state, requests);
}

void TimingView::draw_race_popup(const session::ViewState& state, session::Requests& requests) {
  if (!ImGui::BeginPopup("race")) return;
  const experiment::TimingChoice& choice = state.timings.choice;
  constexpr const char* kCommands[] = {"timing.race_before", "timing.race_recent", "timing.race_ladder",
                                       "timing.race_chosen"};
  for (int i = 0; i < experiment::kRaces; ++i)
    if (ImGui::MenuItem(drawing::item_label(experiment::race_name(static_cast<experiment::Race>(i))).c_str(),
                        command_key(state, kCommands[i]).c_str(), static_cast<int>(choice.race) == i))
      requests.command = kCommands[i];
  ImGui::Separator();
  for (const catalog::Kernel& kernel : state.catalog->kernels) {
    bool on = experiment::is_racing(choice, kernel);
    if (!ImGui::Checkbox(drawing::item_label(fmt::format("{}##{}", kernel.title, kernel.id)).c_str(), &on))
      continue;
    experiment::TimingChoice& next = asked(state, requests);
    // The first tick starts from the kernels that were in the race.
    if (next.race == experiment::Race::ladder)
      for (const catalog::Kernel& other : state.catalog->kernels)
        if (experiment::is_racing(next, other)) next.ticked.insert(other.id);
    next.race = experiment::Race::chosen;
    if (on)
      next.ticked.insert(kernel.id);
    else
      next.ticked.erase(kernel.id);
  }
  ImGui::EndPopup();
}

// Modelled times have the user's own size, on any device that has a file.
void TimingView::draw_modelled_menu(const session::ViewState& state, session::Requests& requests) {
  const session::TimingState& t = state.timings;
  if (t.devices.empty()) return;
  ImGui::Separator();
  for (const session::ModelDevice& device : t.devices) {
    const std::string text = fmt::format("Modelled: {}, {}##{}", device.name,
                                         experiment::size_text(state.experiment.problem), device.id);
    if (!ImGui::MenuItem(drawing::item_label(text).c_str(), nullptr,
                         t.choice.modelled && t.choice.model_device == device.id))
      continue;
    asked(state, requests).modelled = true;
    asked(state, requests).model_device = device.id;
  }
}

void TimingView::draw_recording_popup(const session::ViewState& state, session::Requests& requests) {
  if (!ImGui::BeginPopup("recordings")) return;
  const session::TimingState& t = state.timings;
  const char* const automatic =
      t.live != nullptr && t.measuring ? "What is measured now" : "The recording nearest to this problem";
  if (ImGui::MenuItem(drawing::item_label(automatic).c_str(),
                      command_key(state, "timing.nearest_recording").c_str(),
                      t.choice.recording < 0 && !t.choice.modelled)) {
    asked(state, requests).recording = -1;
    asked(state, requests).modelled = false;
  }
  ImGui::Separator();
  for (const int i : experiment::choosable_recordings(t.recordings)) {
    const experiment::Timings& r = t.recordings[static_cast<size_t>(i)];
    const std::string text =
        fmt::format("{}##{}", experiment::recording_title(t.recordings, static_cast<size_t>(i)), i);
    if (ImGui::MenuItem(drawing::item_label(text).c_str(), r.date.c_str(),
                        !t.choice.modelled && t.choice.recording == i)) {
      asked(state, requests).recording = i;
      asked(state, requests).modelled = false;
    }
  }
  draw_modelled_menu(state, requests);
  ImGui::EndPopup();
}

// The badge catches the eye first: a filled plate in the colour of its provenance.
void TimingView::draw_heading(Canvas& canvas, const scenes::TimingParts& parts) {
  bool size_fits = false;
  if (!parts.badge.empty()) {
    Rect row = parts.badge.inset(0, canvas.px(2));
    const drawing::Color tint = color(scenes::provenance_role(contest().provenance));
    const float width = std::ceil(canvas.text_width(contest().badge, FontRole::title)) + canvas.px(20);
    const Rect plate = row.cut_left(width);
    canvas.fill_round_rect(plate, tint, canvas.px(5));
    canvas.text(plate, contest().badge, drawing::readable_on(tint), {FontRole::title, AlignX::center});
    row.cut_left(canvas.px(10));
    // The size is here where there is room for it, else at the start of the next line.
    const float size_width = std::ceil(canvas.text_width(contest().size, FontRole::body)) + canvas.px(10);
    const FontRole face =
        canvas.text_width(contest().device, FontRole::title) + size_width <= row.width() ||
                canvas.text_width(contest().device, FontRole::body_strong) + size_width > row.width()
            ? FontRole::title
            : FontRole::body_strong;
    size_fits = canvas.text_width(contest().device, face) + size_width <= row.width();
    if (size_fits)
      canvas.text(row.cut_right(size_width), contest().size, color(Role::text),
                  {FontRole::body, AlignX::right});
    canvas.text(row, contest().device, color(Role::text_strong), {face});
  }
  if (!parts.detail.empty())
    canvas.text(parts.detail,
                size_fits ? contest().detail : fmt::format("{} \u00b7 {}", contest().size, contest().detail),
                color(Role::text_dim), {FontRole::small});
  if (!parts.remark.empty())
    canvas.text(parts.remark, contest().remark, color(Role::warning), {FontRole::small});
}

void TimingView::draw_plate(Canvas& canvas, const Rect& plate, const Contender& c) const {
  if (c.library) {
    const float side = canvas.px(8);
    const drawing::Point middle = plate.center();
    canvas.stroke_rect(
        Rect::at({std::round(middle.x - side / 2), std::round(middle.y - side / 2)}, {side, side}), ink_of(c),
        canvas.px(1.5f));
    return;
  }
  canvas.fill_round_rect(plate, ink_of(c), canvas.px(3));
  canvas.text(plate, c.mark, drawing::readable_on(ink_of(c)), {FontRole::small, AlignX::center});
}

// Bars under labels are darker, so that the label can be read on them.
void TimingView::fill_bar(Canvas& canvas, const scenes::BarScene& scene, const scenes::ContenderBar& bar,
                          const Contender& c) const {
  const drawing::Color tint =
      color(c.modelled ? Role::modelled : scenes::provenance_role(contest().provenance));
  const drawing::Color panel = color(Role::panel);
  const float most = scene.overlaid ? 0.68f : 1.0f;
  canvas.fill_rect(bar.track, color(Role::control));
  canvas.fill_rect(bar.bar, c.library ? mix(panel, color(Role::text), 0.4f * most)
                                      : mix(panel, tint,
                                            (c.current    ? 1.0f
                                             : c.previous ? 0.8f
                                                          : 0.6f) *
                                                most));
  for (const float x : bar.marks)
    canvas.line({x, bar.row.top}, {x, bar.row.bottom}, color(Role::text), canvas.px(1.5f));
  if (bar.whisker.empty()) return;
  const float middle = std::floor(bar.whisker.center().y);
  const float cap = std::round(bar.whisker.height() * (scene.overlaid ? 0.5f : 0.28f));
  const drawing::Color ink = color(Role::text_strong);
  canvas.line({bar.whisker.left, middle}, {bar.whisker.right, middle}, ink, canvas.px(1.5f));
  for (const float x : {bar.whisker.left, bar.whisker.right})
    canvas.line({x, middle - cap}, {x, middle + cap}, ink, canvas.px(1.5f));
}

void TimingView::draw_bar(Canvas& canvas, const scenes::BarScene& scene, const scenes::ContenderBar& bar) {
  const Contender& c = contest().contenders[static_cast<size_t>(bar.contender)];
  if (c.current)
    canvas.fill_round_rect(bar.row, color(Role::accent_subtle), canvas.px(3));
  else if (bar.contender == hovered_)
    canvas.fill_round_rect(bar.row, color(Role::control), canvas.px(3));
  draw_plate(canvas, bar.swatch, c);
  const bool strong = c.current || c.previous;
  const auto write_label = [&] {
    const FontRole face = scene.thin ? FontRole::small : FontRole::body;
    const std::string_view all = c.name;
    const std::string head(drawing::shown_text(all.substr(0, c.name_length), face));
    const std::string name =
        head + std::string(drawing::shown_text(all.substr(head.empty() ? 0 : c.name_length), face));
    const std::string label =
        drawing::fit_head(name, head.size(), bar.label.width(),
                          [&](std::string_view text) { return canvas.text_width(text, face); });
    canvas.text(bar.label, label, color(strong || scene.overlaid ? Role::text_strong : Role::text), {face});
    return bar.label.left + canvas.text_width(label, face);  // where it ends
  };
  if (!bar.trouble.empty()) {
    const float label_end = write_label();
    Rect room = scene.overlaid ? Rect{} : bar.track;
    if (scene.overlaid && !bar.cells.empty()) room.left = bar.cells.front().left;
    if (!bar.cells.empty()) room.right = bar.cells.back().right;
    // Columns that hold nothing yet are narrow; the label leaves room to the left of them.
    if (scene.overlaid) {
      const float needed = room.right - std::ceil(canvas.text_width(bar.trouble, FontRole::small));
      room.left = std::min(
          room.left, std::max(needed, label_end + std::round(canvas.text_width(" ", FontRole::small) * 2)));
    }
    canvas.text({room.left, bar.row.top, room.right, bar.row.bottom}, bar.trouble,
                color(c.trouble.empty() ? Role::text_dim : Role::warning), {FontRole::small});
    return;
  }
  fill_bar(canvas, scene, bar, c);
  write_label();
  for (size_t i = 0; i < bar.cells.size(); ++i)
    canvas.text(bar.cells[i], bar.figures[i], color(i == 0 || strong ? Role::text_strong : Role::text),
                {strong && !scene.thin ? FontRole::mono_strong
                 : scene.thin          ? FontRole::mono_small
                                       : FontRole::mono,
                 AlignX::right});
}

// The names of the lines through the bars of a grade.
void TimingView::draw_group(Canvas& canvas, const scenes::BarScene& scene, const scenes::BarGroup& group) {
  canvas.text(group.title, group.text, color(Role::text_strong),
              {scene.thin ? FontRole::small : FontRole::body_strong});
  const auto name_line = [&](const scenes::BarLine& line, Role role) {
    if (!line.text.empty()) canvas.text(line.label, line.text, color(role), {FontRole::small, line.align});
  };
  name_line(group.library, Role::text);
  name_line(group.peak, Role::text_dim);
}

// With `with_tooltip` a bar's tooltip says what the sentence below would say.
void TimingView::draw_bars(Canvas& canvas, const scenes::BarScene& scene, bool with_tooltip) {
  for (const scenes::BarColumn& column : scene.columns)
    canvas.text(column.head, column.title, color(Role::text_dim), {FontRole::small, AlignX::right});
  canvas.text(scene.more, scene.more_text, color(Role::text_dim), {FontRole::small});
  for (const scenes::ContenderBar& bar : scene.bars) draw_bar(canvas, scene, bar);
  for (const scenes::BarGroup& group : scene.groups) draw_group(canvas, scene, group);
  for (const scenes::Bracket& b : scene.brackets) {
    const drawing::Color ink = color(Role::text_dim);
    canvas.line({b.x, b.top}, {b.x, b.bottom}, ink, canvas.px(1.5f));
    canvas.line({b.x - b.reach, b.top}, {b.x, b.top}, ink, canvas.px(1.5f));
    canvas.line({b.x - b.reach, b.bottom}, {b.x, b.bottom}, ink, canvas.px(1.5f));
  }
  if (!canvas.hovered()) return;
  if (const int at = scenes::contender_at(scene, canvas.mouse()); at >= 0) {
    next_hovered_ = at;
    if (with_tooltip) drawing::tooltip(scenes::describe(contest(), at));
  }
}

void TimingView::draw_tabs_of_charts(const session::ViewState& state, session::Requests& requests,
                                     Canvas& canvas, Rect row) {
  for (int i = 0; i < experiment::kTimingCharts; ++i) {
    const auto chart = static_cast<experiment::TimingChart>(i);
    const std::string name =
        experiment::timing_chart_name(chart, contest().provenance == experiment::Provenance::measured);
    const Rect tab = row.cut_left(std::ceil(canvas.text_width(name, FontRole::small)) + canvas.px(20));
    row.cut_left(canvas.px(2));
    const bool open = state.timings.choice.chart == chart;
    const bool pointed = canvas.hovered() && tab.contains(canvas.mouse());
    if (open || pointed)
      canvas.fill_round_rect(tab, color(open ? Role::accent_subtle : Role::control_hover), canvas.px(5));
    canvas.text(tab, name, color(open || pointed ? Role::text_strong : Role::text),
                {FontRole::small, AlignX::center});
    if (pointed) drawing::tooltip("Show this chart", command_key(state, "timing.next_chart"));
    if (pointed && canvas.clicked()) asked(state, requests).chart = chart;
  }
}

// A click on a variant makes it the experiment.
void TimingView::choose_pointed(const session::ViewState& state, session::Requests& requests) const {
  const Contender& c = contest().contenders[static_cast<size_t>(next_hovered_)];
  if (c.library || state.catalog->find(c.key.kernel) == nullptr) return;
  experiment::Experiment next = experiment::with_kernel(state.experiment, c.key.kernel);
  next.toggles = c.key.toggles;
  next.block = {0, 0, 0};
  requests.experiment = next;
}

void TimingView::draw(const session::ViewState& state, session::Requests& requests) {
  draw_tabs(state, requests);
  const bool any = shown_.update(state.timings, state.experiment.problem);
  draw_toolbar(state, requests);
  Canvas canvas("timings");
  if (!any)
    return draw_empty(canvas, state.timings.trouble.empty()
                                  ? "Nothing is measured, and there is no recording to show."
                                  : state.timings.trouble);
  if (hovered_ >= static_cast<int>(contest().contenders.size())) hovered_ = -1;
  Rect area = canvas.area();
  area.cut_top(canvas.px(4));
  next_hovered_ = -1;
  const scenes::SceneMetrics metrics = scene_metrics(canvas);
  const experiment::TimingChoice& choice = state.timings.choice;
  const scenes::TimingParts parts = scenes::arrange_timings(contest(), choice.chart, area, metrics);
  draw_heading(canvas, parts);
  if (shown_.timings().of_sweep) {
    area.top = std::max({parts.badge.bottom, parts.detail.bottom, parts.remark.bottom}) + canvas.px(4);
    return draw_sweep(state, requests, canvas, area);
  }
  if (!parts.tabs.empty()) draw_tabs_of_charts(state, requests, canvas, parts.tabs);
  if (!parts.bars.empty()) {
    // The current variant is in view until the rows are scrolled, and again once there is another one.
    const std::string current =
        contest().current < 0 ? "" : contest().contenders[static_cast<size_t>(contest().current)].label;
    if (std::exchange(current_, current) != current) scrolled_ = false;
    const scenes::BarScene bars = scenes::layout_timing_bars(
        contest(), focus(), scrolled_ ? choice.first_row : scenes::kWithCurrent, parts.bars, metrics);
    if (const auto wheel = static_cast<int>(canvas.wheel());
        wheel != 0 && canvas.hovered() && parts.bars.contains(canvas.mouse())) {
      asked(state, requests).first_row = std::clamp(bars.first_row - wheel, 0, std::max(0, bars.hidden_rows));
      scrolled_ = true;
    }
    draw_bars(canvas, bars, parts.sentence.empty());
  }
  if (!parts.strip.empty()) {
    if (contest().provenance == experiment::Provenance::measured)
      draw_strip(canvas, parts.strip);
    else
      draw_stairs(canvas, parts.strip);
  }
  if (!parts.roofline.empty()) draw_roofline(state, requests, canvas, parts.roofline);
  if (!parts.sentence.empty() && focus() >= 0)
    canvas.text_wrapped(parts.sentence, scenes::describe(contest(), focus()), color(Role::text),
                        FontRole::small);
  if (canvas.hovered() && canvas.clicked() && next_hovered_ >= 0) choose_pointed(state, requests);
  hovered_ = next_hovered_;
}

}  // namespace gemmscope::views
