// The few controls that Dear ImGui lacks. Lengths follow the UI scale; colours follow the theme.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "drawing/icons.h"

namespace gemmscope::drawing {

// ---- Dear ImGui's own items in the language of the screen
// What Dear ImGui takes as a label: the translation is shown, the English stays the id. In the monospaced
// font it is code and is left alone.
std::string item_label(std::string_view english);
void plain_text(std::string_view text);   // as ImGui::TextUnformatted
std::string hint(std::string_view text);  // of an empty text field
// As ImGui::BeginCombo; `flags` are ImGuiComboFlags. What does not fit is shortened; the list has it whole.
bool begin_combo(const char* id, std::string_view shown, int flags = 0);
// As ImGui::Selectable; `flags` are ImGuiSelectableFlags. A list opens at its chosen item: it is in sight,
// and the arrow keys and Enter begin there.
bool list_item(const char* label, bool chosen, int flags = 0);

// A square button. `tooltip` names it on hover; with `key` its shortcut is shown beside.
bool icon_button(const char* id, Icon icon, std::string_view tooltip, std::string_view key = {},
                 bool enabled = true, bool chosen = false);
// Filled with the accent: at most one or two on a screen.
bool primary_button(const char* label, bool enabled = true);
bool quiet_button(const char* label, bool enabled = true, bool chosen = false);  // no fill until hovered

// Chooses one of several values, shown side by side, or in a list that opens where they do not fit. Returns
// true when `chosen` changed.
bool segmented(const char* id, std::span<const std::string> labels, int& chosen);
// As above, with values that cannot be chosen: a value whose `why_not` is not empty is greyed out, and its
// tooltip gives the reason.
bool segmented(const char* id, std::span<const std::string> labels, std::span<const std::string> why_not,
               int& chosen);
// An on/off switch with its label to the right. Returns true when it changed.
bool toggle_switch(const char* label, bool& on);

// A thin track with a knob. `width` is in pixels; 0 takes the remaining space. An arrow key moves it by
// `key_step`; 0: a twentieth of the track. Returns true when value changed.
bool slider(const char* id, float& value, float min, float max, float width = 0, float key_step = 0);

// A word in a rounded frame tinted with color; advances the cursor like text.
void chip(std::string_view text, Color color);
// A key as it is printed on a keyboard: "Ctrl+P" becomes two caps.
void key_caps(std::string_view chord);
float key_caps_width(std::string_view chord);

// A panel's heading: strong text, and a dim note at the right end, shortened to fit.
void heading(std::string_view title, std::string_view note = {});
// Both texts wrap at the panel's edge, between words.
void dim_text(std::string_view text);
void body_text(std::string_view text);
// The height in pixels of a text that wraps at this width.
float wrapped_height(std::string_view text, FontRole font, float width);
// Adds a tooltip to the item drawn last: below it, so that it covers neither name nor value; beside the mouse
// where the item is a picture.
void tooltip(std::string_view text, std::string_view key = {});

// Begins the window that fills the screen. Behind the panels is only the background colour that the frame
// starts with.
void begin_root(bool menu_bar = false);
void end_root();

// A panel's frame: rounded, with border, padding and the panel colour. end_panel always follows.
bool begin_panel(const char* id, Size size = {}, bool scroll = false);
void end_panel();

void same_line(float points = 8);  // spacing × UI scale
void gap(float points);            // vertical space

}  // namespace gemmscope::drawing
