#include "shell/frame.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "catalog/product.h"
#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "scenes/text.h"
#include "session/explorer_state.h"
#include "session/measuring.h"
#include "shell/dialog.h"
#include "shell/film.h"
#include "shell/note_line.h"
#include "shell/notice_bar.h"
#include "shell/panel.h"
#include "shell/present_view.h"
#include "shell/splitter.h"
#include "shell/start_cards.h"
#include "shell/status_line.h"
#include "shell/tour_card.h"
#include "views/failure_view.h"
#include "views/launch_form_view.h"
#include "views/lesson_cover.h"
#include "views/lesson_strip_view.h"
#include "views/number_strip_view.h"

namespace gemmscope::shell {
namespace {

using drawing::px;
using drawing::Rect;

// For example "compiled by NVRTC 13.0 in 41 ms · 1,234 warp instructions … executed on the CPU".
std::string status_text(const session::Workspace& workspace) {
  if (std::string progress = progress_text(workspace); !progress.empty()) return progress;
  const session::ViewState& state = workspace.state();
  if (state.compiled == nullptr) return "";
  std::string text;
  switch (state.compiled->origin) {
    case compile::CubinSource::compiled:
      text = state.compiled->compiler.empty()  // nothing was compiled
                 ? "machine code of your cubin"
                 : fmt::format("compiled by {} in {:.0f} ms", state.compiled->compiler,
                               state.compiled->compile_ms);
      break;
    case compile::CubinSource::disk_cache:
      text = fmt::format("machine code of {}, cached", state.compiled->compiler);
      break;
    case compile::CubinSource::prebuilt_pack:
      text = fmt::format("prebuilt machine code of {}", state.compiled->compiler);
      break;
  }
  if (const auto& changed = state.compiled->changed; changed != nullptr && changed->refused.empty())
    text += "  \u00b7  " + experiment::changes_text(changed->changes);
  if (state.block != nullptr && !state.lesson.hides().counts)
    text += fmt::format("  \u00b7  {} warp instructions of this block executed on the CPU, lane by lane",
                        scenes::grouped(state.block->trace.records.size()));
  return text;
}

constexpr double kSecondsOfTrouble = 12;

// Why nothing is measured: always while the timings are open, else only for a while after it became so.
std::string trouble_to_show(const session::ViewState& state, StatusTime& time) {
  std::string line = session::measuring_line(state.timings, state.experiment.problem);
  if (line != time.trouble) time = {line, ImGui::GetTime()};
  const bool recent = ImGui::GetTime() - time.since < kSecondsOfTrouble;
  return recent || state.timings.visible ? line : "";
}

// While the timings are open, the reason why nothing is measured replaces the line on compiling, or is beside
// it where there is room for both.
void draw_status(drawing::Canvas& canvas, const session::Workspace& workspace, StatusTime& time) {
  using drawing::FontRole;
  const session::ViewState& state = workspace.state();
  Rect row = canvas.area();
  const drawing::TextStyle style{FontRole::small, drawing::AlignX::right, drawing::AlignY::center};
  const std::string full = trouble_to_show(state, time);
  std::string text = status_text(workspace);
  // Where there is no room for the whole line, its end is left out: first the aside, then what was executed;
  // at last its beginning.
  for (const std::string_view end : {", lane by lane", "  \u00b7  ", ", cached"})
    if (const size_t at = text.rfind(end);
        at != std::string::npos && canvas.text_width(text, FontRole::small) > row.width())
      text.resize(at);
  for (const std::string_view verb : {"executing the ", "machine code of "})
    if (text.starts_with(verb) && canvas.text_width(text, FontRole::small) > row.width())
      text.erase(0, verb.size());
  if (!full.empty()) {
    // Where there is no room, the advice is left out; the tooltip has the whole line.
    const bool fits = canvas.text_width(full, FontRole::small) <= row.width();
    std::string trouble =
        fits ? full : session::measuring_line(state.timings, state.experiment.problem, false);
    for (const std::string_view end : {" (", ": "})
      if (const size_t at = trouble.find(end);
          at != std::string::npos && canvas.text_width(trouble, FontRole::small) > row.width())
        trouble.resize(at);
    const float width = std::ceil(canvas.text_width(trouble, FontRole::small));
    if (!fits) drawing::tooltip(full);
    const bool both = width + canvas.text_width(text, FontRole::small) + px(24) <= row.width();
    if (both || state.timings.visible)
      canvas.text(row.cut_right(width), trouble, drawing::color(drawing::Role::warning), style);
    if (!both && state.timings.visible) return;
    if (both) row.cut_right(px(24));
  }
  canvas.text(row, text, drawing::color(drawing::Role::text_dim), style);
}

void draw_form_dialog(const session::ViewState& state, session::Requests& requests) {
  if (!state.form) return;
  const drawing::Size size = views::launch_form_size(*state.form);
  place_popup(size.width, size.height, ImGui::GetIO().DisplaySize.y * 0.08f);
  if (!begin_dialog("##launch_form", 16, true, true)) return;
  const bool refused = dialog_dismissed();
  views::draw_launch_form(state, requests, refused, key_pressed(ImGuiKey_Enter));
  if (requests.form && requests.form->action == session::FormRequest::Action::close)
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace

void Frame::draw_top_bar(session::Workspace& workspace, const session::CommandTable& commands, Rect area) {
  const session::ViewState& state = workspace.state();
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  ImGui::BeginChild("##top", {area.width(), area.height()}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  const std::string name = "GEMMscope";
  drawing::Canvas bar(area);
  bar.text(bar.area().inset(px(8), 0), name, drawing::color(drawing::Role::text_strong),
           {drawing::FontRole::title});
  ImGui::SetCursorScreenPos(
      {area.left + px(18) + drawing::text_width(drawing::FontRole::title, name), area.top});
  if (std::string id = menu_.draw(commands); !id.empty()) workspace.requests().command = std::move(id);
  drawing::same_line(16);
  const float left = ImGui::GetCursorScreenPos().x;
  ImGui::SetCursorScreenPos({left, area.top});
  drawing::Canvas canvas("status", {std::max(1.0f, area.right - px(10) - left), area.height()});
  const bool note = !state.note.empty() && !note_has_place_;
  if (note)
    draw_note_line(canvas, canvas.area(), state.note, drawing::FontRole::small);
  else {
    draw_status(canvas, workspace, status_time_);
    if (cancel_by_click(canvas, workspace, commands)) workspace.requests().command = kCancelCommand;
  }
  ImGui::EndChild();
}

void Frame::draw_one(const session::ViewState& state, session::Requests& requests, FrameContent content) {
  switch (content) {
    case FrameContent::map:
      return map_.draw(state, requests);
    case FrameContent::banks:
      return pictures_.draw(state, requests);
    case FrameContent::code:
      return code_.draw(state, requests);
    case FrameContent::transport:
      return transport_.draw(state, requests);
    case FrameContent::experiment:
      return experiment_.draw(state, requests);
    case FrameContent::timings:
      return timing_.draw(state, requests);
    case FrameContent::lattice:
      return lattice_.draw(state, requests);
    case FrameContent::occupancy:
      return occupancy_.draw(state, requests);
    case FrameContent::explorer:
      return explorer_.draw(state, requests);
    case FrameContent::pipeline:
      return pictures_.draw_pipeline(state, requests);
    case FrameContent::board:
      return board_.draw(state, requests);
    case FrameContent::all:
      return;
  }
}

bool Frame::opens_field(const session::AppFlags& flags) const {
  return palette_.is_open() || open_.is_open() || runner_.is_open() || flags.show_palette ||
         flags.show_open || flags.show_runner;
}

bool Frame::takes_keys(const session::AppFlags& flags) const {
  return opens_field(flags) || export_.is_open() || flags.exports.show_dialog || flags.show_help ||
         flags.show_menu ||
         ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

namespace {

// The switch between lesson and experiment, and what closes the lesson; cuts their row off `area`. Returns
// true where the lesson is shown.
bool draw_lesson_tabs(const session::ViewState& state, session::Requests& requests, Rect& area) {
  const Rect row = area.cut_top(px(30));
  area.cut_top(px(4));
  ImGui::SetCursorScreenPos({row.left, row.top});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  ImGui::BeginChild("##lesson tabs", {row.width(), row.height()}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  int shown = state.lesson.experiment ? 1 : 0;
  static const std::string kTabs[] = {"Lesson", "Experiment"};
  if (drawing::segmented("lesson or experiment", kTabs, shown)) requests.command = "lesson.experiment";
  drawing::same_line(10);
  if (drawing::quiet_button("Close")) requests.command = "lesson.open";
  ImGui::EndChild();
  return !state.lesson.experiment;
}

}  // namespace

void Frame::draw_experiment(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  const float message = views::failure_panel_height(state, area.width(), std::round(area.height() * 0.4f));
  if (message > 0) {
    panel("failure", area.cut_bottom(message), true, [&] { views::draw_failure(state); });
    area.cut_bottom(px(6));
  }
  if (state.lesson.visible && draw_lesson_tabs(state, workspace.requests(), area)) {
    panel("lesson", area, true, [&] { lesson_.draw(state, workspace.requests()); });
    return;
  }
  if (panel("experiment", area, true, [&] { experiment_.draw(state, workspace.requests()); }))
    flags.enlarged =
        flags.enlarged == session::Panel::experiment ? session::Panel::none : session::Panel::experiment;
}

namespace {

void enlarge_or_not(session::AppFlags& flags, session::Panel panel) {
  flags.enlarged = flags.enlarged == panel ? session::Panel::none : panel;
}

}  // namespace

void Frame::draw_code(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  bool enlarge = false;
  if ((state.lattice.visible || state.timings.visible) && state.lesson.hides().timings)
    enlarge = panel("timings", area, false, [&] { views::draw_lesson_cover(); });
  else if (state.lattice.visible)
    enlarge = panel("lattice", area, false, [&] { lattice_.draw(state, requests); });
  else if (state.timings.visible)
    enlarge = panel("timings", area, false, [&] { timing_.draw(state, requests); });
  else if (state.compares() && state.pinned.choice.diff)
    enlarge = panel("code diff", area, false, [&] { compared_code_.draw(state, requests); });
  else
    enlarge = panel("code", area, false, [&] { code_.draw(state, requests); });
  if (enlarge) enlarge_or_not(flags, session::Panel::code);
}

void Frame::draw_pictures(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  const auto draw = [&] {
    const auto hides = state.lesson.hides();
    if (hides.pictures || (state.compares() && hides.map))
      views::draw_lesson_cover();
    else if (state.compares())
      compared_pictures_.draw(state, requests, pictures_);
    else
      pictures_.draw(state, requests);
  };
  if (panel("pictures", area, false, draw)) enlarge_or_not(flags, session::Panel::pictures);
}

void Frame::draw_map(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  const auto draw = [&] {
    if (state.lesson.hides().map)
      views::draw_lesson_cover();
    else
      map_.draw(state, workspace.requests());
  };
  if (panel("map", area, false, draw)) enlarge_or_not(flags, session::Panel::map);
}

void Frame::draw_enlarged(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  switch (flags.enlarged) {
    case session::Panel::experiment:
      return draw_experiment(workspace, flags, area);
    case session::Panel::map:
      return draw_map(workspace, flags, area);
    case session::Panel::pictures:
      return draw_pictures(workspace, flags, area);
    case session::Panel::code:
      return draw_code(workspace, flags, area);
    case session::Panel::none:
      return;
  }
}

// What has no time, or is wanted alone, over everything but the experiment. Returns false when there is no
// such thing.
bool Frame::draw_wide(session::Workspace& workspace, Rect area) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  const auto hides = state.lesson.hides();
  const bool explorer = session::explorer_is_wide(state);
  const bool timed = state.board.wide || (state.timings.visible && state.timings.wide) ||
                     (state.lattice.visible && state.lattice.wide);
  if ((hides.calculator && state.occupancy.wide) || (hides.pictures && explorer) ||
      (hides.timings && timed && !state.occupancy.wide && !explorer))
    panel("covered", area, false, [&] { views::draw_lesson_cover(); });
  else if (state.occupancy.wide)
    panel("occupancy", area, false, [&] { occupancy_.draw(state, requests); });
  else if (explorer)
    panel("explorer", area, false, [&] { explorer_.draw(state, requests); });
  else if (state.board.wide)
    panel("board", area, false, [&] { board_.draw(state, requests); });
  else if (state.timings.visible && state.timings.wide)
    panel("timings", area, false, [&] { timing_.draw(state, requests); });
  else if (state.lattice.visible && state.lattice.wide)
    panel("lattice", area, false, [&] { lattice_.draw(state, requests); });
  else
    return false;
  return true;
}

namespace {

// Of the picture below the map. In a low window it has more, so that the grid of a tile has room. In one
// that is narrow, too, the map's titles need the rest.
float usual_pictures_share(Rect area) {
  const float most = area.width() < px(430) ? 0.42f : 0.48f;
  return std::clamp(0.38f + (px(600) - area.height()) / px(1500), 0.38f, most);
}

// A window that is higher than wide has the code below the pictures, where a line of it fits.
bool is_portrait(Rect area) { return area.height() > area.width() * 1.25f && area.height() > px(620); }

}  // namespace

// Above both pictures, side by side over the whole width; below what changed, and the code of both.
void Frame::draw_compared(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  if (area.height() < px(360) || (state.pipeline.open && state.pipeline.wide))
    return draw_pictures(workspace, flags, area);
  Rect below = cut_share("compared gap", area, false, flags.panels.compared);
  draw_pictures(workspace, flags, area);
  if (below.width() > px(760))
    draw_code(workspace, flags, cut_share("compared code gap", below, true, flags.panels.compared_code));
  const auto hides = state.lesson.hides();
  panel("what changed", below, true, [&] {
    hides.numbers || hides.counts || hides.timings ? views::draw_lesson_cover() : compared_table_.draw(state);
  });
}

void Frame::draw_panels(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  if (state.compares()) return draw_compared(workspace, flags, area);
  // The timeline takes the whole width, since time is what it shows.
  if (state.pipeline.open) {
    const bool alone = state.pipeline.wide || area.height() < px(360);
    if (alone) return draw_pictures(workspace, flags, area);
    draw_pictures(workspace, flags, cut_share("pipeline gap", area, false, flags.panels.pipeline));
  }
  const bool lab = state.compiled != nullptr && catalog::is_lab(state.compiled->kernel);  // without a map
  const bool portrait = is_portrait(area) && !state.pipeline.open;
  // A screen three times as wide as high has map, picture and code side by side.
  const bool columns = area.width() > 2.4f * area.height() && area.width() > px(1300) && !lab;
  if (area.width() > px(520) || portrait)
    draw_code(workspace, flags, cut_share("code gap", area, !portrait, flags.panels.code));
  if (lab) {
    if (!state.pipeline.open) draw_pictures(workspace, flags, area);
    return;
  }
  const float least = px(flags.present.on ? 240 : 300);  // presenting has no panels above and below
  if (!state.pipeline.open && (area.height() > least || columns)) {
    if (columns) {
      draw_pictures(workspace, flags, cut_share("columns gap", area, true, flags.panels.columns));
    } else {
      float& chosen = flags.panels.pictures;
      const float before = chosen > 0 ? chosen : usual_pictures_share(area);
      float share = before;
      const Rect below = cut_share("pictures gap", area, false, share);
      if (share != before) chosen = share;
      draw_pictures(workspace, flags, below);
    }
  }
  draw_map(workspace, flags, area);
}

// Where the window is too small for all panels, the least needed ones are left out first.
void Frame::draw_all(session::Workspace& workspace, const session::CommandTable& commands,
                     session::AppFlags& flags, drawing::Size size) {
  const float gap = px(6);
  Rect area = Rect{0, 0, size.width, size.height}.inset(gap);
  if (area.height() > px(160)) {
    draw_top_bar(workspace, commands, area.cut_top(px(30)));
    area.cut_top(gap / 2);
  }
  // While a film is taken, the bars lie over the panels, which stay where they are.
  const std::vector<std::string>& notices = workspace.state().notices;
  Rect left = area;
  const auto bar = [&](float height) {
    if (height <= 0 || area.height() <= px(220)) return Rect{};
    const Rect place = left.cut_top(std::min(height, area.height() * 0.4f));
    left.cut_top(gap);
    return place;
  };
  const Rect sentences = bar(sentences_height(commands, notices, area.width()));
  const Rect notice = bar(notice_bar_height(commands, flags, area.width()));
  draw_content(workspace, flags, is_filming() ? area : left);
  std::string id;
  if (!sentences.empty()) id = draw_sentences(commands, notices, sentences);
  if (!notice.empty())
    if (std::string chosen = draw_notice_bar(commands, flags, notice); !chosen.empty()) id = chosen;
  if (!id.empty()) workspace.requests().command = std::move(id);
}

// All below the menus.
void Frame::draw_content(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  const float gap = px(6);
  if (area.height() > px(300)) {
    const Rect numbers = area.cut_top(views::number_strip_panel_height(area.width()));
    area.cut_top(gap);
    panel("numbers", numbers, false, [&] {
      if (state.lesson.hides().numbers)
        views::draw_lesson_cover();
      else
        views::draw_number_strip(state, requests);
    });
  }
  // In a low window the tour's card stands in its place.
  const bool room_for_time = area.height() > px(flags.tour.running ? 560 : 220);
  note_has_place_ =
      room_for_time && !state.occupancy.wide && !state.board.wide && !session::explorer_is_wide(state);
  if (note_has_place_) {  // these have no time
    const Rect transport = area.cut_bottom(px(area.height() > px(700) ? 104 : 92));
    area.cut_bottom(gap);
    panel("transport", transport, false, [&] { transport_.draw(state, requests); });
  }
  if (flags.enlarged != session::Panel::none) return draw_enlarged(workspace, flags, area);
  if (area.width() > px(760)) {
    const float points = px(100) / 100, chosen = flags.panels.experiment * points;
    // A page of a lesson is read, so its lines are longer; at a small scale the letters are larger than it
    // says.
    const float page = std::max(px(320), 34 * drawing::text_width(drawing::FontRole::body, "0"));
    const float usual = state.lesson.visible
                            ? std::clamp(area.width() * 0.286f, page, std::max(page, px(440)))
                            : std::clamp(area.width() * 0.185f, px(226), px(290));
    const Rect left = area.cut_left(std::round(std::min(state.lesson.visible ? std::max(chosen, usual)
                                                        : chosen > 0         ? chosen
                                                                             : usual,
                                                        area.width() * 0.5f)));
    if (const float moved = drag_gap("experiment gap", area.cut_left(gap), true); moved != 0)
      flags.panels.experiment =
          std::clamp((left.width() + moved) / points, session::kLeastPanelWidth, session::kMostPanelWidth);
    draw_experiment(workspace, flags, left);
  } else if (const float message = views::failure_panel_height(state, area.width(), area.height() * 0.3f);
             message > 0) {
    panel("failure", area.cut_bottom(message), true, [&] { views::draw_failure(state); });
    area.cut_bottom(gap);
  }
  if (draw_wide(workspace, area)) return;
  if (const float room = area.height(), height = views::lesson_strip_panel_height(state, area.width(), room);
      height > 0 && !state.lesson.visible && !flags.tour.running &&
      room - height > px(state.compares() ? 620 : 260) && !(state.pipeline.open && room < px(560))) {
    panel("lesson strip", area.cut_top(height), false,
          [&] { views::draw_lesson_strip(state, requests, room); });
    area.cut_top(gap);
  }
  draw_panels(workspace, flags, area);
}

void Frame::draw_palette(session::Workspace& workspace, const session::CommandTable& commands,
                         session::AppFlags& flags) {
  const auto things = [&] { return session::things_to_find(workspace, flags, commands); };
  std::optional<session::FoundThing> chosen = palette_.draw(things, flags.recently_found);
  if (!chosen) return;
  session::note_found(flags.recently_found, chosen->id);
  if (chosen->needs.empty())
    flags.then = std::move(chosen->choose);
  else
    workspace.state().note = chosen->needs;
}

void Frame::draw(session::Workspace& workspace, const session::CommandTable& commands,
                 session::AppFlags& flags, FrameContent content, drawing::Size size,
                 const FrameTimes& times) {
  if (flags.present.black && content == FrameContent::all) return draw_black_screen(flags.present);
  panel_places().clear();
  drawing::begin_root();
  if (content == FrameContent::all) {
    if (std::exchange(flags.show_menu, false)) menu_.open();
    if (flags.tour.running) size.height -= tour_card_room();
    flags.present.on ? draw_presenting(workspace, flags, size) : draw_all(workspace, commands, flags, size);
  } else {
    panel("one", Rect{0, 0, size.width, size.height}.inset(px(6)), content == FrameContent::experiment,
          [&] { draw_one(workspace.state(), workspace.requests(), content); });
  }
  drawing::end_root();
  if (flags.show_start && content == FrameContent::all)
    if (std::string id = draw_start_cards(commands, flags.show_start); !id.empty())
      workspace.requests().command = std::move(id);
  if (flags.tour.running && content == FrameContent::all)
    if (std::string id = draw_tour_card(commands, flags); !id.empty())
      workspace.requests().command = std::move(id);
  if (flags.show_palette) palette_.open();
  flags.show_palette = false;
  draw_palette(workspace, commands, flags);
  if (flags.show_open) open_.open();
  flags.show_open = false;
  if (const std::string path = open_.draw(); !path.empty()) workspace.requests().open_file = path;
  draw_form_dialog(workspace.state(), workspace.requests());
  if (std::exchange(flags.exports.show_dialog, false)) export_.open(workspace.state());
  if (std::optional<session::ExportWish> wish = export_.draw(workspace.state()))
    flags.exports.wish = std::move(wish);
  if (flags.show_runner) runner_.open(workspace.state().timings);
  flags.show_runner = false;
  if (std::optional<std::string> command = runner_.draw(workspace.state()))
    workspace.requests().gpu_runner = std::move(command);
  if (flags.show_help) draw_help(commands, flags.show_help);
  if (flags.show_frame_time) draw_frame_time_overlay(times);
  draw_over_everything(flags.present);
}

}  // namespace gemmscope::shell
