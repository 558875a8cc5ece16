// All commands of the program in one table, which the menus, the palette, the help page and the keys read.
#pragma once

#include "session/command_table.h"
#include "session/workspace.h"

namespace gemmscope::session {

// What commands change apart from the workspace.
struct AppFlags {
  bool quit = false, show_help = false, show_palette = false, show_open = false, show_frame_time = false;
  bool show_runner = false;
  bool show_start = false;  // the cards at the start
  float zoom = 1;
};

// The references must outlive the table.
CommandTable make_commands(Workspace& workspace, AppFlags& flags);

}  // namespace gemmscope::session
