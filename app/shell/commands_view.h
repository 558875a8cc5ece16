// The command table on the screen: menu, palette, help page. (Dear ImGui)
#pragma once

#include <string>

#include "session/command_table.h"

namespace gemmscope::shell {

// Items of one category, inside an open menu or popup.
void draw_menu_items(const session::CommandTable& table, const std::string& category);

// A search box over the window; open() by command, closed by Enter, Escape or a click beside it.
class CommandPalette {
 public:
  void open();
  bool is_open() const { return open_; }
  void draw(const session::CommandTable& table);

 private:
  const session::Command* draw_results(const session::CommandTable& table);  // the one to run, or null

  bool open_ = false, just_opened_ = false;
  int chosen_ = 0;
  std::string query_;
};

// All commands and their keys, by category, in a popup over the window; `open` is cleared when it is closed.
void draw_help(const session::CommandTable& table, bool& open);

}  // namespace gemmscope::shell
