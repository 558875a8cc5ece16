// Commands for the window's panels, its menus and the keyboard's focus.
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

void add_enlarge(CommandTable& table, AppFlags& flags) {
  struct Enlarge {
    const char *id, *title, *key;
    Panel panel;
  };
  const Enlarge panels[] = {
      {"view.enlarge_map", "The map alone, or all panels", "Shift+1", Panel::map},
      {"view.enlarge_pictures", "The picture alone, or all panels", "Shift+2", Panel::pictures},
      {"view.enlarge_code", "The code or the timings alone, or all panels", "Shift+3", Panel::code},
      {"view.enlarge_experiment", "The experiment alone, or all panels", "Shift+4", Panel::experiment}};
  for (const Enlarge& one : panels)
    add(table,
        {.id = one.id,
         .title = one.title,
         .category = "View",
         .key = one.key,
         .run = [&flags,
                 panel = one.panel] { flags.enlarged = flags.enlarged == panel ? Panel::none : panel; },
         .checked = [&flags, panel = one.panel] { return flags.enlarged == panel; }});
  add(table, {.id = "view.default_panels",
              .title = "All panels at their usual sizes",
              .category = "View",
              .key = "Shift+0",
              .run = [&flags] {
                flags.enlarged = Panel::none;
                flags.panels = {};
              }});
}

void add_focus(CommandTable& table, AppFlags& flags) {
  add(table, {.id = "view.next_control",
              .title = "To the next field, button or panel",
              .category = "View",
              .key = "Tab",
              .run = [&flags] { flags.focus_move += 1; },
              .repeats = true,
              .while_typing = true});
  add(table, {.id = "view.previous_control",
              .title = "To the field, button or panel before",
              .category = "View",
              .key = "Shift+Tab",
              .run = [&flags] { flags.focus_move -= 1; },
              .repeats = true,
              .while_typing = true});
}

}  // namespace

void add_layout_commands(CommandTable& table, AppFlags& flags) {
  add(table, {.id = "view.menu",
              .title = "Open the menus",
              .category = "View",
              .key = "F10",
              .run = [&flags] { flags.show_menu = true; },
              .in_palette = false});
  add(table, {.id = "view.full_screen",
              .title = "Full screen",
              .category = "View",
              .key = "Alt+Enter",
              .run = [&flags] { flags.full_screen = !flags.full_screen; },
              .checked = [&flags] { return flags.full_screen; }});
  add_enlarge(table, flags);
  add_focus(table, flags);
}

}  // namespace gemmscope::session
