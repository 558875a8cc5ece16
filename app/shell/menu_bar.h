// The titles at the top of the window and the menus below them.
#pragma once

#include <string>

#include "session/command_table.h"

namespace gemmscope::shell {

class MenuBar {
 public:
  void open() { wanted_ = 0; }  // the first menu, at the next frame
  // Draws the titles from the cursor of the current window on, and the menu that is open. Returns the id of
  // the command that was chosen, which may not be enabled; empty: none.
  std::string draw(const session::CommandTable& commands);

 private:
  int wanted_ = -1;         // the menu to open; −1: none
  int shown_ = -1;          // the menu that was open in the last frame
  double shown_since_ = 0;  // seconds of Dear ImGui's clock
  float shown_width_ = 0;   // of the menu that was drawn last, in pixels
  float mouse_x_ = 0;
};

}  // namespace gemmscope::shell
