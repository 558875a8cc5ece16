#include "drawing/focus.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "drawing/session.h"
#include "drawing/theme.h"

namespace gemmscope::drawing {
namespace {

struct Stop {
  ImGuiID id = 0;
  StopKind kind = StopKind::control;
  std::string name;
};

// Only the UI thread draws, and only one target at a time.
struct Focus {
  std::vector<Stop> stops, drawing;     // of the last frame, and of this one so far
  size_t first = 0, first_drawing = 0;  // at which Tab begins
  ImGuiID focused = 0;
  StopKind kind = StopKind::control;
  int move = 0;
  std::string wanted;
  bool just_moved = false;
};
Focus& focus() {
  static Focus state;
  return state;
}

bool pressed(ImGuiKey key, bool repeats = false) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeats);
}

bool list_is_open() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.OpenPopupStack.Size > 0 && g.OpenPopupStack.back().Window != nullptr &&
         (g.OpenPopupStack.back().Window->Flags & ImGuiWindowFlags_Modal) == 0;
}

void activate(ImGuiID id, ImGuiActivateFlags flags) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  g.NavNextActivateId = id;
  g.NavNextActivateFlags = flags;
}

void focus_on(const Stop& stop) {
  Focus& f = focus();
  ImGui::ClearActiveID();  // a field that is left takes effect
  f.focused = stop.id;
  f.kind = stop.kind;
  f.just_moved = true;
  if (stop.kind == StopKind::field) activate(stop.id, ImGuiActivateFlags_PreferInput);
}

void follow_move() {
  Focus& f = focus();
  const int by = std::exchange(f.move, 0), count = static_cast<int>(f.stops.size());
  if (by == 0 || count == 0) return;
  const ImGuiID from = ImGui::GetActiveID() != 0 ? ImGui::GetActiveID() : f.focused;
  auto at = std::ranges::find(f.stops, from, &Stop::id);
  if (at == f.stops.end()) at = std::ranges::find(f.stops, f.focused, &Stop::id);
  const int first = static_cast<int>(f.first);
  const int index =
      at == f.stops.end() ? (by > 0 ? first - 1 : first) : static_cast<int>(at - f.stops.begin());
  focus_on(f.stops[static_cast<size_t>(((index + by) % count + count) % count)]);
}

void follow_name() {
  Focus& f = focus();
  const std::string name = std::exchange(f.wanted, {});
  const auto at = std::ranges::find(f.stops, name, &Stop::name);
  if (!name.empty() && at != f.stops.end()) focus_on(*at);
}

void draw_mark(ImVec2 min, ImVec2 max, bool inside) {
  const float width = px(2), out = inside ? -px(1) : px(2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImRect host = ImGui::GetCurrentWindow()->OuterRectClipped;
  list.PushClipRect(host.Min, host.Max);
  list.AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, packed(color(Role::accent)),
               inside ? ImGui::GetStyle().ChildRounding : ImGui::GetStyle().FrameRounding, 0, width);
  list.PopClipRect();
}

void show_item() {
  const ImRect item(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!ImGui::GetCurrentWindow()->InnerClipRect.Contains(item)) ImGui::SetScrollHereY();
}

// Dear ImGui moves from field to field of a window by Tab, whatever stop has the focus: two would be marked.
void leave_tab_to_the_stops() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!g.NavMoveSubmitted || (g.NavMoveFlags & ImGuiNavMoveFlags_Tabbing) == 0) return;
  if (g.OpenPopupStack.Size > 0) return;
  ImGui::NavMoveRequestCancel();
  g.NavTabbingDir = g.NavTabbingCounter = 0;
}

int arrow_step() {
  if (pressed(ImGuiKey_RightArrow, true) || pressed(ImGuiKey_DownArrow, true)) return 1;
  return pressed(ImGuiKey_LeftArrow, true) || pressed(ImGuiKey_UpArrow, true) ? -1 : 0;
}

bool pressed_enter() { return pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter); }

}  // namespace

void move_focus(int by) { focus().move += by; }
void tab_begins_here() { focus().first_drawing = focus().drawing.size(); }
void focus_named(std::string name) { focus().wanted = std::move(name); }
void drop_focus() { focus().focused = 0; }

bool field_is_coming() {
  const Focus& f = focus();
  const bool activates = f.kind == StopKind::field && f.focused != 0 &&
                         ImGui::GetCurrentContext()->NavNextActivateId == f.focused;
  return f.move != 0 || !f.wanted.empty() || activates;
}

bool control_has_focus() {
  const Focus& f = focus();
  return f.focused != 0 && f.kind == StopKind::control &&
         std::ranges::find(f.stops, f.focused, &Stop::id) != f.stops.end();
}

StopUse tab_stop(StopKind kind, std::string_view name) { return tab_stop_of(ImGui::GetItemID(), kind, name); }

StopUse tab_stop_of(unsigned id, StopKind kind, std::string_view name) {
  Focus& f = focus();
  if (id == 0) return {};
  f.drawing.push_back({id, kind, std::string(name)});
  const auto mark = [] { draw_mark(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false); };
  // A field is marked exactly as long as it takes what is typed: after Enter, letters are commands again.
  if (kind == StopKind::field && ImGui::IsItemActive()) mark();
  if (f.focused != id) return {};
  if (std::exchange(f.just_moved, false)) show_item();
  StopUse use{true};
  if (kind == StopKind::field) return use;
  mark();
  if (list_is_open() || ImGui::GetIO().WantTextInput) return use;
  if (pressed_enter() || pressed(ImGuiKey_Space)) activate(id, ImGuiActivateFlags_None);
  use.step = arrow_step();
  return use;
}

bool spot_stop(Rect screen, std::string_view name) {
  Focus& f = focus();
  const ImGuiID id = ImGui::GetID(name.data(), name.data() + name.size());
  f.drawing.push_back({id, StopKind::control, {}});
  if (f.focused != id) return false;
  f.just_moved = false;
  draw_mark({screen.left, screen.top}, {screen.right, screen.bottom}, false);
  if (list_is_open() || ImGui::GetIO().WantTextInput) return false;
  return pressed_enter() || pressed(ImGuiKey_Space);
}

StopUse panel_stop(Rect screen) {
  Focus& f = focus();
  const ImGuiID id = ImGui::GetID("##panel_stop");
  f.drawing.push_back({id, StopKind::panel, {}});
  if (f.focused != id) return {};
  f.just_moved = false;
  draw_mark({screen.left, screen.top}, {screen.right, screen.bottom}, true);
  return {true, !ImGui::GetIO().WantTextInput && !list_is_open() && pressed_enter(), 0};
}

// Menus and lists follow the arrows, Enter and Escape by Dear ImGui's own navigation.
void prepare_focus_frame() {
  ImGuiIO& io = ImGui::GetIO();
  if (list_is_open())
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

void begin_focus_frame() {
  Focus& f = focus();
  leave_tab_to_the_stops();
  f.stops = std::exchange(f.drawing, {});
  f.first = std::exchange(f.first_drawing, 0);
  if (list_is_open() && pressed_enter())
    if (const ImGuiID chosen = ImGui::GetCurrentContext()->NavId; chosen != 0)
      activate(chosen, ImGuiActivateFlags_None);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) f.focused = 0;
  if (!list_is_open() && pressed(ImGuiKey_Escape) && !ImGui::GetIO().WantTextInput) f.focused = 0;
  follow_name();
  follow_move();
}

}  // namespace gemmscope::drawing
