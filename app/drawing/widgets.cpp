#include "drawing/widgets.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "drawing/extra_glyphs.h"
#include "drawing/focus.h"
#include "drawing/session.h"
#include "drawing/solid_fill.h"
#include "drawing/spotlight.h"
#include "drawing/text_fit.h"
#include "drawing/theme.h"
#include "language/current_language.h"

namespace gemmscope::drawing {
namespace {

// Parts of a printed chord: "Ctrl+P" -> Ctrl, P. A final "+" is a key.
std::vector<std::string_view> chord_parts(std::string_view chord) {
  std::vector<std::string_view> parts;
  while (!chord.empty()) {
    const std::size_t plus = chord.find('+', 1);
    parts.push_back(chord.substr(0, plus));
    chord = plus == std::string_view::npos ? std::string_view{} : chord.substr(plus + 1);
  }
  return parts;
}

float cap_width(std::string_view key) {
  const ImFont* const face = font(FontRole::small);
  const float text = face->CalcTextSizeA(face->FontSize, FLT_MAX, 0, key.data(), key.data() + key.size()).x;
  return std::max(std::round(text) + px(10), line_height(FontRole::small) + px(3));
}

// In the font that is in use.
float measure_in_use(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

// The text as it is drawn in the font that is in use.
std::string_view text_in_use(std::string_view text) {
  const FontRole role = font_in_use();
  text = shown_text(text, role);
  want_glyphs(text, role);
  return text;
}

Rect item_rect() {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  return {min.x, min.y, max.x, max.y};
}

// Aligns text that follows on the line as if it stood beside a button.
void align_following_text() {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  window.DC.PrevLineTextBaseOffset =
      std::max(window.DC.PrevLineTextBaseOffset, ImGui::GetStyle().FramePadding.y);
}

// Makes room for a small item, centred vertically in the current line (beside a title, a button or plain
// text).
Canvas line_item(Size size) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float line = std::max(ImGui::GetCurrentWindow()->DC.CurrLineSize.y, ImGui::GetTextLineHeight());
  ImGui::Dummy({size.width, std::max(line, size.height)});
  return Canvas(
      Rect::at({corner.x, std::round(corner.y + (std::max(line, size.height) - size.height) / 2)}, size));
}

void draw_panel_frame() {
  const ImGuiStyle& style = ImGui::GetStyle();
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const Rect rect = Rect::at({corner.x, corner.y}, {size.x, size.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Dear ImGui clips content inside the border. The frame itself is clipped only to the parent window.
  const ImRect host = ImGui::GetCurrentWindow()->ParentWindow->ClipRect;
  list.PushClipRect(host.Min, host.Max);
  fill_solid_rounded(list, rect, color(Role::panel), style.ChildRounding);
  list.AddRect({rect.left, rect.top}, {rect.right, rect.bottom}, packed(color(Role::panel_border)),
               style.ChildRounding, 0, style.ChildBorderSize);
  list.PopClipRect();
}

struct ButtonLook {
  Color fill, fill_hover, fill_active, text;
};

bool styled_button(const char* label, bool enabled, const ButtonLook& look) {
  ImGui::BeginDisabled(!enabled);
  ImGui::PushStyleColor(ImGuiCol_Button, to_imgui(look.fill));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, to_imgui(look.fill_hover));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, to_imgui(look.fill_active));
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(look.text));
  const bool pressed = ImGui::Button(item_label(label).c_str());
  if (enabled) tab_stop(StopKind::control);
  ImGui::PopStyleColor(4);
  ImGui::EndDisabled();
  return pressed;
}

}  // namespace

std::string item_label(std::string_view english) {
  const FontRole role = font_in_use();
  const std::string_view words = english.substr(0, english.find("##")), shown = shown_text(words, role);
  want_glyphs(shown, role);
  return shown == words ? std::string(english) : std::string(shown).append("###").append(english);
}

void plain_text(std::string_view text) {
  text = text_in_use(text);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

std::string hint(std::string_view text) { return std::string(text_in_use(text)); }

bool begin_combo(const char* id, std::string_view shown, int flags) {
  const float room = ImGui::CalcItemWidth() - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  return ImGui::BeginCombo(id, fit_text(text_in_use(shown), room, measure_in_use).c_str(), flags);
}

bool list_item(const char* label, bool chosen, int flags) {
  const bool pressed = ImGui::Selectable(label, chosen, flags);
  if (chosen) ImGui::SetItemDefaultFocus();
  return pressed;
}

bool icon_button(const char* id, Icon icon, std::string_view hint, std::string_view key, bool enabled,
                 bool chosen) {
  const float side = ImGui::GetFrameHeight();
  const bool pressed = ImGui::InvisibleButton(id, {side, side});
  const bool hovered = ImGui::IsItemHovered() && enabled, held = ImGui::IsItemActive();
  tab_stop(StopKind::control);
  Canvas canvas(item_rect());
  const float radius = ImGui::GetStyle().FrameRounding;
  if (chosen) canvas.fill_round_rect(canvas.area(), color(Role::accent_subtle), radius);
  if (hovered)
    canvas.fill_round_rect(canvas.area(), color(held ? Role::control_active : Role::control_hover), radius);
  const Color ink = !enabled ? with_opacity(color(Role::text_dim), 0.45f)
                             : color(chosen    ? Role::accent
                                     : hovered ? Role::text_strong
                                               : Role::text);
  draw_icon(canvas, icon, canvas.area().inset(std::round(side * 0.22f)), ink);
  tooltip(hint, key);
  align_following_text();
  return pressed && enabled;
}

bool primary_button(const char* label, bool enabled) {
  const Color accent = color(Role::accent), strong = color(Role::text_strong);
  const ScopedFont strong_font(FontRole::body_strong);
  return styled_button(label, enabled,
                       {accent, mix(accent, strong, 0.18f), mix(accent, color(Role::background), 0.2f),
                        color(Role::text_on_accent)});
}

bool quiet_button(const char* label, bool enabled, bool chosen) {
  return styled_button(label, enabled,
                       {chosen ? color(Role::control_hover) : with_opacity(color(Role::control), 0),
                        color(Role::control_hover), color(Role::control_active), color(Role::text)});
}

namespace {

// Goes by one step to the next value that can be chosen; at the ends it stays.
bool step_choice(int step, size_t count, std::span<const std::string> why_not, int& chosen) {
  if (step == 0) return false;
  for (int next = chosen + step; next >= 0 && next < static_cast<int>(count); next += step)
    if (static_cast<size_t>(next) >= why_not.size() || why_not[static_cast<size_t>(next)].empty())
      return chosen = next, true;
  return false;
}

// Lists the values one above the other, for where they do not fit side by side.
bool dropdown(const char* id, std::span<const std::string> labels, std::span<const std::string> why_not,
              int& chosen) {
  ImGui::PushID(id);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  bool changed = false;
  // What is shown may be none of the values: a picture that the kernel no longer has.
  const auto at = static_cast<size_t>(chosen);
  const std::string now = at < labels.size() ? labels[at] : "";
  const bool open = begin_combo("##values", now);
  if (!open) changed = step_choice(tab_stop(StopKind::control).step, labels.size(), why_not, chosen);
  if (open) {
    for (size_t i = 0; i < labels.size(); ++i) {
      const std::string_view reason = i < why_not.size() ? why_not[i] : std::string_view();
      const bool current = chosen == static_cast<int>(i);
      if (list_item(item_label(labels[i]).c_str(), current,
                    reason.empty() ? 0 : ImGuiSelectableFlags_Disabled) &&
          !current)
        chosen = static_cast<int>(i), changed = true;
      tooltip(reason);
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  return changed;
}

}  // namespace

bool segmented(const char* id, std::span<const std::string> labels, int& chosen) {
  return segmented(id, labels, {}, chosen);
}

bool segmented(const char* id, std::span<const std::string> labels, std::span<const std::string> why_not,
               int& chosen) {
  const float height = ImGui::GetFrameHeight(), inner = px(2);
  float width = 2 * inner;
  for (const std::string& label : labels) width += std::round(text_width(FontRole::body, label));
  // The padding shrinks where the panel is narrow.
  const float spare = (ImGui::GetContentRegionAvail().x - width) / (2.0f * static_cast<float>(labels.size()));
  if (spare < px(2) && !labels.empty() && chosen >= 0) return dropdown(id, labels, why_not, chosen);
  ImGui::PushID(id);
  const float padding = std::clamp(std::floor(spare), px(2), px(12));
  width += 2 * padding * static_cast<float>(labels.size());
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  Canvas canvas(Rect::at({corner.x, corner.y}, {width, height}));
  const float radius = ImGui::GetStyle().FrameRounding;
  canvas.fill_round_rect(canvas.area(), color(Role::control), radius);
  bool changed = false;
  Rect rest = canvas.area().inset(inner);
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const std::string_view reason = static_cast<size_t>(i) < why_not.size() ? why_not[i] : std::string_view();
    const Rect part = rest.cut_left(std::round(text_width(FontRole::body, labels[i])) + 2 * padding);
    ImGui::SetCursorScreenPos(canvas.to_screen(part.top_left()));
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("part", {part.width(), part.height()}) && chosen != i && reason.empty())
      chosen = i, changed = true;
    const bool hovered = ImGui::IsItemHovered() && reason.empty();
    tooltip(reason);
    ImGui::PopID();
    if (chosen == i)
      canvas.fill_round_rect(part, color(Role::accent_subtle), radius - inner / 2);
    else if (hovered)
      canvas.fill_round_rect(part, color(Role::control_hover), radius - inner / 2);
    const Color ink = color(chosen == i ? Role::text_strong : Role::text_dim);
    canvas.text(part, labels[i], reason.empty() ? ink : with_opacity(ink, 0.4f),
                {FontRole::body, AlignX::center});
  }
  ImGui::SetCursorScreenPos(corner);
  ImGui::Dummy({width, height});
  // The parts together are one stop.
  ImGui::GetCurrentContext()->LastItemData.ID = ImGui::GetID("##stop");
  changed |= step_choice(tab_stop(StopKind::control).step, labels.size(), why_not, chosen);
  align_following_text();
  ImGui::PopID();
  return changed;
}

bool toggle_switch(const char* label, bool& on) {
  const float height = ImGui::GetFrameHeight(), track_height = px(16), track_width = px(28);
  const float text = std::ceil(text_width(FontRole::body, label));
  const bool pressed = ImGui::InvisibleButton(label, {track_width + px(8) + text, height});
  if (pressed) on = !on;
  tab_stop(StopKind::control);
  const bool hovered = ImGui::IsItemHovered();
  Canvas canvas(item_rect());
  Rect row = canvas.area();
  Rect track = row.cut_left(track_width);
  track.top = std::round(track.center().y - track_height / 2);
  track.bottom = track.top + track_height;
  const Color fill = color(on ? Role::accent : hovered ? Role::control_active : Role::control_hover);
  canvas.fill_round_rect(track, fill, track_height / 2);
  const float radius = track_height / 2 - px(2.5f);
  const Point knob{on ? track.right - track_height / 2 : track.left + track_height / 2, track.center().y};
  canvas.fill_circle(knob, radius, color(on ? Role::text_on_accent : Role::text));
  row.cut_left(px(8));
  canvas.text(row, label, color(on || hovered ? Role::text_strong : Role::text), {FontRole::body});
  align_following_text();
  return pressed;
}

bool slider(const char* id, float& value, float min, float max, float width, float key_step) {
  const float height = ImGui::GetFrameHeight();
  const bool known = max > min;
  ImGui::InvisibleButton(id, {width > 0 ? width : ImGui::GetContentRegionAvail().x, height});
  const int step = tab_stop(StopKind::control).step;
  align_following_text();
  Canvas canvas(item_rect());
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  const float radius = px(7), before = value;
  if (step != 0 && known)
    value =
        std::clamp(value + static_cast<float>(step) * (key_step > 0 ? key_step : (max - min) / 20), min, max);
  const Rect area = canvas.area().inset(radius, 0);
  if (held && known && area.width() > 0) {
    value = std::lerp(min, max, std::clamp((canvas.mouse().x - area.left) / area.width(), 0.0f, 1.0f));
  }
  const float t = known ? std::clamp((value - min) / (max - min), 0.0f, 1.0f) : 0;
  const Point knob{std::round(std::lerp(area.left, area.right, t)), std::round(area.center().y)};
  const float half = px(2);
  canvas.fill_round_rect({area.left - half, knob.y - half, area.right + half, knob.y + half},
                         color(Role::control_hover), half);
  canvas.fill_round_rect({area.left - half, knob.y - half, knob.x, knob.y + half}, color(Role::accent), half);
  canvas.fill_circle(knob, held ? radius : radius - px(1),
                     color(held || hovered ? Role::text_strong : Role::text));
  return value != before;
}

void chip(std::string_view text, Color tint) {
  const float width = std::round(text_width(FontRole::small, text)) + px(14);
  const float height = line_height(FontRole::small) + px(3);
  Canvas canvas = line_item({width, height});
  const Tinted look = tinted(tint);
  canvas.fill_round_rect(canvas.area(), look.fill, height / 2);
  canvas.text(canvas.area(), text, look.text, {FontRole::small, AlignX::center});
}

float key_caps_width(std::string_view chord) {
  float width = 0;
  for (const std::string_view key : chord_parts(chord)) width += cap_width(key) + px(3);
  return std::max(0.0f, width - px(3));
}

void key_caps(std::string_view chord) {
  Canvas canvas = line_item({key_caps_width(chord), line_height(FontRole::small) + px(3)});
  Rect rest = canvas.area();
  for (const std::string_view key : chord_parts(chord)) {
    const Rect cap = rest.cut_left(cap_width(key));
    rest.cut_left(px(3));
    canvas.fill_round_rect(cap, color(Role::control), px(4));
    canvas.stroke_round_rect(cap, color(Role::grid_strong), px(4), px(1));
    canvas.text(cap, key, color(Role::text),
                {.font = FontRole::small, .align_x = AlignX::center, .verbatim = true});
  }
}

void heading(std::string_view title, std::string_view note) {
  const float width = ImGui::GetContentRegionAvail().x, height = line_height(FontRole::body_strong) + px(2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  Canvas canvas(Rect::at({corner.x, corner.y}, {width, height}));
  Rect row = canvas.area();
  const float title_width = std::ceil(canvas.text_width(title, FontRole::body_strong)) + px(12);
  canvas.text(row.cut_left(title_width), title, color(Role::text_strong), {FontRole::body_strong});
  canvas.text(row, note, color(Role::text_dim), {FontRole::small, AlignX::right});
}

void dim_text(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, packed(color(Role::text_dim)));
  body_text(text);
  ImGui::PopStyleColor();
}

void body_text(std::string_view text) {
  text = text_in_use(text);
  const std::string lines = wrap_words(text, ImGui::GetContentRegionAvail().x, measure_in_use);
  ImGui::PushTextWrapPos(0);  // for a word that is wider than the panel
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopTextWrapPos();
}

float wrapped_height(std::string_view text, FontRole role, float width) {
  if (text.empty()) return 0;
  const ScopedFont scoped(role);
  const std::string lines = wrap_words(text_in_use(text), width, measure_in_use);
  return ImGui::CalcTextSize(lines.data(), lines.data() + lines.size(), false, width).y;
}

namespace {

// Dear ImGui puts a tooltip beside the mouse, where it would cover the value behind a name.
void place_tooltip(ImVec2 size) {
  const Rect item = item_rect();
  const ImVec2 display = ImGui::GetIO().DisplaySize, mouse = ImGui::GetMousePos();
  const bool is_picture = item.height() > px(64);
  const float below = (is_picture ? mouse.y + px(20) : item.bottom + px(4));
  const float above = (is_picture ? mouse.y - px(8) : item.top - px(4)) - size.y;
  const float y = below + size.y <= display.y || above < 0 ? below : above;
  const float x = is_picture || item.width() > px(400) ? mouse.x + px(8) : item.left;
  ImGui::SetNextWindowPos({std::clamp(x, 0.0f, std::max(0.0f, display.x - size.x)),
                           std::clamp(y, 0.0f, std::max(0.0f, display.y - size.y))});
}

}  // namespace

void tooltip(std::string_view text, std::string_view key) {
  if (text.empty()) return;
  // Who types into a field wants to see what stands below it.
  const bool typing = ImGui::IsItemActive() && ImGui::GetIO().WantTextInput;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || tooltips_hidden() || typing)
    return language::note(text);
  const ScopedFont scoped(FontRole::body);
  const std::string lines = wrap_words(text_in_use(text), px(360), measure_in_use);
  const ImVec2 padding(px(10), px(7)), words = ImGui::CalcTextSize(lines.data(), lines.data() + lines.size());
  const float keys = key.empty() ? 0 : key_caps_width(key) + px(12);
  place_tooltip({words.x + keys + 2 * padding.x, words.y + 2 * padding.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  if (!key.empty()) {
    same_line(12);
    key_caps(key);
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void begin_root(bool menu_bar) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("##root", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse | (menu_bar ? ImGuiWindowFlags_MenuBar : 0));
}

void end_root() { ImGui::End(); }

bool begin_panel(const char* id, Size size, bool scroll) {
  const ImGuiWindowFlags flags =
      scroll ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(with_opacity(color(Role::panel), 0)));
  ImGui::PushStyleColor(ImGuiCol_Border, packed(with_opacity(color(Role::panel), 0)));
  const bool visible = ImGui::BeginChild(id, {size.width, size.height}, true, flags);
  ImGui::PopStyleColor(2);
  if (visible) draw_panel_frame();
  return visible;
}

void end_panel() { ImGui::EndChild(); }

void same_line(float points) { ImGui::SameLine(0, px(points)); }

void gap(float points) {
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::max(0.0f, px(points) - spacing));
}

}  // namespace gemmscope::drawing
