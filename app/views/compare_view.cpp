#include "views/compare_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "session/device_choice.h"
#include "views/command_hint.h"
#include "views/compare_parts.h"

namespace gemmscope::views {
namespace {

using catalog::Picture;
using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

constexpr float kLowHalves = 220;  // points

void draw_pairing(const session::ViewState& state, session::Requests& requests) {
  const std::vector<std::string> names = {"access", "pass", "cycle"};
  const std::string why = session::why_no_cycles(state);
  const std::vector<std::string> why_not = {"", "", why};
  drawing::same_line(18);
  float needed = drawing::text_width(FontRole::body, "A follows by") + px(8);
  for (const std::string& name : names) needed += drawing::text_width(FontRole::body, name) + px(24);
  if (ImGui::GetContentRegionAvail().x < needed) {
    // Where they have no room beside the tabs, pictures need the room below them more.
    ImGui::NewLine();
    if (ImGui::GetContentRegionAvail().y < px(kLowHalves)) return;
  }
  drawing::dim_text("A follows by");
  drawing::same_line(8);
  int chosen = static_cast<int>(session::pairing_of(state));
  if (drawing::segmented("pairing", names, why_not, chosen))
    asked_compare(state, requests).pairing = static_cast<scenes::Pairing>(chosen);
}

// The tabs of the pictures, with the map as the first where the kernels have one.
Picture draw_compare_tabs(const session::ViewState& state, session::Requests& requests) {
  PictureTabs tabs = offered_pictures(state);
  const bool map = shows_maps(state);
  if (has_maps(state)) {
    tabs.names.insert(tabs.names.begin(), "Map");
    tabs.pictures.insert(tabs.pictures.begin(), Picture::none);
    tabs.chosen = map ? 0 : tabs.chosen + 1;
  }
  if (!drawing::segmented("pictures", tabs.names, tabs.chosen)) return shown_picture(state);
  const bool map_now = has_maps(state) && tabs.chosen == 0;
  asked_compare(state, requests).map = map_now;
  if (!map_now) requests.picture = tabs.pictures[static_cast<size_t>(tabs.chosen)];
  return shown_picture(state);
}

// The heading of a half: its letter, what it has that the other has not, and whether it is pinned.
void draw_half_heading(Rect line, bool pinned, const std::string& name, const std::string& key) {
  Canvas canvas(line);
  Rect row = canvas.area();
  draw_letter(canvas, row.cut_left(row.height()), pinned);
  row.cut_left(canvas.px(8));
  std::string remark = pinned ? "pinned" : "live";
  if (!key.empty()) remark += fmt::format("  \u00b7  {} {}", key, pinned ? "unpins" : "swaps");
  const float width = canvas.text_width(remark, FontRole::small);
  if (canvas.text_width(name, FontRole::body_strong) + width + canvas.px(16) <= row.width())
    canvas.text(row.cut_right(width), remark, color(Role::text_dim),
                {FontRole::small, AlignX::right, AlignY::center});
  canvas.text(row, name, color(Role::text_strong), {FontRole::body_strong, AlignX::left, AlignY::center});
}

template <typename F>
void draw_half(const char* id, Rect area, F content) {
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  if (ImGui::BeginChild(id, {area.width(), area.height()}, false,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse))
    content();
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

// What the user points at in A is pointed at in B; where they click, both cursors go.
void pass_on(session::Requests&& of_a, session::Requests& requests) {
  of_a.hover.instruction.reset();
  of_a.hover.source_line.reset();
  if (!(of_a.hover == scenes::Selection{})) requests.hover = of_a.hover;
  if (of_a.cursor) requests.pinned_cursor = of_a.cursor;
  if (!of_a.command.empty()) requests.command = of_a.command;
}

}  // namespace

ComparedResults results_of(const session::ViewState& state) {
  const session::ViewState& side = *state.pinned.side;
  return {side.block.get(),         state.block.get(),         side.grid.get(),         state.grid.get(),
          side.modelled_time.get(), state.modelled_time.get(), state.timings.live.get()};
}

void ComparePictures::draw(const session::ViewState& state, session::Requests& requests,
                           PictureView& pictures) {
  const Picture picture = draw_compare_tabs(state, requests);
  const bool map = shows_maps(state);
  if (picture == Picture::pipeline && !map) return pictures.draw_pipeline(state, requests);
  draw_pairing(state, requests);
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  Rect area = Rect::at({corner.x, corner.y}, {room.x, room.y});
  const float gap = px(16);
  // Ports are rows of instructions, so before and after stand one over the other.
  const bool over = picture == Picture::ports && !map;
  const Rect first = over ? area.cut_top(std::round((area.height() - gap) / 2))
                          : area.cut_left(std::round((area.width() - gap) / 2));
  const Rect between = over ? area.cut_top(gap) : area.cut_left(gap);
  auto names = scenes::compared_names(*state.pinned.side->block, *state.block);
  const session::RunnableDevice *a = session::device_shown(*state.pinned.side),
                                *b = session::device_shown(state);
  if (a != b && a != nullptr && b != nullptr) {
    names.first += " \u00b7 " + session::short_name(*a);
    names.second += " \u00b7 " + session::short_name(*b);
  }
  const auto draw_side = [&](const session::ViewState& side, session::Requests& asked, MapView& map_view) {
    if (map)
      map_view.draw_picture(side, asked);
    else
      pictures.draw_picture(side, asked, picture);
  };
  const auto half = [&](const char* id, Rect place, bool pinned) {
    const float height = std::round(drawing::line_height(FontRole::body_strong) * 1.25f);
    draw_half_heading(place.cut_top(height), pinned, pinned ? names.first : names.second,
                      command_key(state, pinned ? "compare.pin" : "compare.swap"));
    if (pinned && !state.pinned.note.empty()) {
      Canvas note(place.cut_top(drawing::line_height(FontRole::small)));
      note.text(note.area(), state.pinned.note, color(Role::warning), {FontRole::small});
    }
    place.cut_top(px(2));
    draw_half(id, place, [&] {
      if (!pinned) return draw_side(state, requests, map_b_);
      session::Requests of_a;
      draw_side(*state.pinned.side, of_a, map_a_);
      pass_on(std::move(of_a), requests);
    });
  };
  half("A", first, true);
  Canvas line(between);
  const float thin = std::max(1.0f, px(1));
  line.fill_rect(over ? Rect{0, gap / 2, between.width(), gap / 2 + thin}
                      : Rect{gap / 2, 0, gap / 2 + thin, between.height()},
                 color(Role::panel_border));
  half("B", area, false);
}

}  // namespace gemmscope::views
