// All commands of the program in one table, which the menus, the palette, the help page and the keys read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/language.h"
#include "session/command_table.h"
#include "session/export_state.h"
#include "session/panels.h"
#include "session/present_state.h"
#include "session/tour.h"
#include "session/workspace.h"

namespace gemmscope::session {

// What commands change apart from the workspace.
struct AppFlags {
  bool quit = false, show_help = false, show_palette = false, show_open = false, show_frame_time = false;
  bool show_runner = false;
  bool show_start = false;  // the cards at the start
  bool show_menu = false;   // opens the first menu
  bool full_screen = false;
  float zoom = 1;
  Language language = Language::english;  // that is asked for; without its font the window stays English
  PanelSizes panels;
  Panel enlarged = Panel::none;  // the panel that fills the window
  int focus_move = 0;            // by how many controls the keyboard's focus moves
  std::string clipboard;         // what is to be copied to the clipboard; empty: nothing
  std::string focus_field;       // name of the field that is to take the keyboard
  PresentState present;
  TourState tour;
  ExportState exports;
  std::optional<LeftOffer> left;
  std::vector<std::string> recently_found;  // ids of what was chosen in the palette, the last one first
  std::function<void()> then;  // what the user chose in the palette; the shell runs it after drawing
};

// The references must outlive the table.
CommandTable make_commands(Workspace& workspace, AppFlags& flags);

}  // namespace gemmscope::session
