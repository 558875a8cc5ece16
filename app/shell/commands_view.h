// Draws the command table: menu, palette, help page. (Dear ImGui)
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session/command_table.h"
#include "session/found_things.h"

namespace gemmscope::shell {

// Draws the items of one category inside an open menu or popup. Returns the id of the one that was chosen,
// which may be a command that is not enabled; empty: none.
std::string draw_menu_items(const session::CommandTable& table, const std::string& category);

// A search box over the window. A command calls open(); Enter, Escape or a click beside it closes it.
class CommandPalette {
 public:
  using Things = std::function<std::vector<session::FoundThing>()>;

  void open();
  bool is_open() const { return open_; }
  // Returns what was chosen, possible or not. `things` is called once, when it opens.
  std::optional<session::FoundThing> draw(const Things& things, std::span<const std::string> recent);

 private:
  void search(const Things& things, std::span<const std::string> recent);
  const session::FoundThing* draw_results();  // the one that was chosen, or null

  bool open_ = false, just_opened_ = false;
  int chosen_ = 0;
  std::string query_;
  std::vector<session::FoundThing> things_;
  std::vector<session::ThingMatch> matches_;
};

// Draws all commands and their keys, by category, in a popup over the window. Closing it clears `open`.
void draw_help(const session::CommandTable& table, bool& open);

}  // namespace gemmscope::shell
