// The keyboard's focus. Every control and panel that the keyboard can reach calls tab_stop() when it is
// drawn; Tab goes from one to the next in that order. (Dear ImGui's own navigation would take the arrows and
// Space, which move time here, so it is on only inside of menus and lists.)
#pragma once

#include <string>
#include <string_view>

#include "drawing/geometry.h"

namespace gemmscope::drawing {

enum class StopKind : unsigned char {
  control,  // Enter and Space press it, the arrows change its value
  field,    // text is typed at once
  panel     // Enter acts on it; arrows and Space go on to mean time
};

struct StopUse {
  bool focused = false;
  bool entered = false;  // Enter on a panel, in this frame
  int step = 0;          // −1 or 1: an arrow on a control, in this frame
};

// Moves the focus by so many stops, from the next frame on.
void move_focus(int by);
// Where nothing has the focus, Tab begins at the stop that is drawn next, not at the window's first.
void tab_begins_here();
// Moves it to the stop of this name, and forgets the wish when no such stop is drawn.
void focus_named(std::string name);
void drop_focus();
// A field was asked for and is not active yet: what is typed is meant for it.
bool field_is_coming();
// A control has the focus: Enter, Space and the arrows are its own.
bool control_has_focus();

// Makes the item drawn last a stop, and marks it when it has the focus. A control is pressed by Enter or
// Space as if clicked.
StopUse tab_stop(StopKind kind, std::string_view name = {});
// The same for a part of the group drawn last, by Dear ImGui's id of the part.
StopUse tab_stop_of(unsigned id, StopKind kind, std::string_view name = {});
// Makes a part of a canvas a stop, a control that the canvas draws. True when Enter or Space presses it. The
// name is the only one of its kind in the window.
bool spot_stop(Rect screen, std::string_view name);
// Makes a panel a stop: call it within the panel's window.
StopUse panel_stop(Rect screen);

// Session calls them around Dear ImGui's NewFrame.
void prepare_focus_frame();
void begin_focus_frame();

}  // namespace gemmscope::drawing
