// Draws the command table: menu, palette, help page. (Dear ImGui)
#pragma once

#include <string>

#include "session/command_table.h"

namespace gemmscope::shell {

// Draws the items of one category inside an open menu or popup. Returns the id of the one that was chosen,
// which may be a command that is not enabled; empty: none.
std::string draw_menu_items(const session::CommandTable& table, const std::string& category);

// A search box over the window. A command calls open(); Enter, Escape or a click beside it closes it.
class CommandPalette {
 public:
  void open();
  bool is_open() const { return open_; }
  // Returns the id of the command that was chosen, enabled or not; empty: none.
  std::string draw(const session::CommandTable& table);

 private:
  const session::Command* draw_results(const session::CommandTable& table);  // the one to run, or null

  bool open_ = false, just_opened_ = false;
  int chosen_ = 0;
  std::string query_;
};

// Draws all commands and their keys, by category, in a popup over the window. Closing it clears `open`.
void draw_help(const session::CommandTable& table, bool& open);

}  // namespace gemmscope::shell
