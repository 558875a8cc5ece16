#include "session/app_commands.h"

#include <algorithm>

#include "drawing/palette.h"
#include "session/app_commands_parts.h"
#include "session/zoom.h"

namespace gemmscope::session {
namespace {

void add_time(CommandTable& table, Workspace& w) {
  const auto ready = [&w] { return w.state().has_trace(); };
  add(table, {"time.play", "Play or pause", "Time", "Space", [&w] { w.play_or_pause(); }, ready});
  add(table, {"time.step_forward",
              "One instruction forward",
              "Time",
              "Right",
              [&w] { w.step(1); },
              ready,
              {},
              {},
              true});
  add(table,
      {"time.step_back", "One instruction back", "Time", "Left", [&w] { w.step(-1); }, ready, {}, {}, true});
  add(table, {"time.leap_forward",
              "Ten instructions forward",
              "Time",
              "Shift+Right",
              [&w] { w.step(10); },
              ready,
              {},
              {},
              true});
  add(table, {"time.leap_back",
              "Ten instructions back",
              "Time",
              "Shift+Left",
              [&w] { w.step(-10); },
              ready,
              {},
              {},
              true});
  add(table, {"time.next_wavefront",
              "Next wavefront of the access",
              "Time",
              "Down",
              [&w] { w.step_wavefront(1); },
              ready,
              {},
              {},
              true});
  add(table, {"time.previous_wavefront",
              "Previous wavefront of the access",
              "Time",
              "Up",
              [&w] { w.step_wavefront(-1); },
              ready,
              {},
              {},
              true});
  add(table, {"time.to_start", "To the start", "Time", "Home", [&w] { w.to_start(); }, ready});
  add(table, {"time.to_end", "To the end", "Time", "End", [&w] { w.to_end(); }, ready});
  struct Jump {
    const char *id, *title, *key;
    scenes::Event event;
    bool forward;
  };
  const Jump jumps[] = {
      {"time.next_conflict", "To the next bank conflict", "C", scenes::Event::bank_conflict, true},
      {"time.previous_conflict", "To the previous bank conflict", "Shift+C", scenes::Event::bank_conflict,
       false},
      {"time.next_uncoalesced", "To the next uncoalesced access", "U", scenes::Event::uncoalesced, true},
      {"time.previous_uncoalesced", "To the previous uncoalesced access", "Shift+U",
       scenes::Event::uncoalesced, false},
      {"time.next_shared", "To the next shared-memory access", "S", scenes::Event::shared_access, true},
      {"time.previous_shared", "To the previous shared-memory access", "Shift+S",
       scenes::Event::shared_access, false},
      {"time.next_barrier", "To the next barrier", "B", scenes::Event::barrier, true},
      {"time.previous_barrier", "To the previous barrier", "Shift+B", scenes::Event::barrier, false},
      {"time.next_k_tile", "To the next pass of the main loop", "K", scenes::Event::k_tile, true},
      {"time.previous_k_tile", "To the previous pass of the main loop", "Shift+K", scenes::Event::k_tile,
       false},
  };
  for (const Jump& jump : jumps)
    add(table,
        {jump.id, jump.title, "Time", jump.key, [&w, jump] { w.to_event(jump.event, jump.forward); }, ready});
  add(table, {"time.faster", "Faster", "Time", "]", [&w] { w.change_speed(2.0f); }});
  add(table, {"time.slower", "Slower", "Time", "[", [&w] { w.change_speed(0.5f); }});
  add(table, {"time.next_warp", "Follow the next warp", "Time", "W",
              [&w] {
                const int warps = static_cast<int>(w.state().block->trace.warp_count);
                w.follow((w.state().playback.warp + 1) % warps);
              },
              ready});
  add(table, {"time.all_warps", "Follow all warps in turn", "Time", "Shift+W",
              [&w] { w.follow(scenes::kAllWarps); }, ready});
}

void add_experiment(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {"experiment.open", "Open a CUDA file\u2026", "Experiment", "Ctrl+O",
              [&flags] { flags.show_open = true; }});
  add(table,
      {"experiment.next_kernel", "Next kernel", "Experiment", "PageDown", [&w] { w.choose_kernel(1); }});
  add(table, {"experiment.previous_kernel", "Previous kernel", "Experiment", "PageUp",
              [&w] { w.choose_kernel(-1); }});
  add(table,
      {"experiment.undo", "Undo", "Experiment", "Ctrl+Z", [&w] { w.undo(); }, [&w] { return w.can_undo(); }});
  add(table, {"experiment.redo", "Redo", "Experiment", "Ctrl+Shift+Z", [&w] { w.redo(); },
              [&w] { return w.can_redo(); }});
  add(table,
      {"experiment.whole_grid", "Execute the whole grid", "Experiment", "G", [&w] { w.run_whole_grid(); }});
}

void add_view(CommandTable& table, AppFlags& flags) {
  add(table, {"view.palette",
              "Search commands",
              "View",
              "Ctrl+P",
              [&flags] { flags.show_palette = true; },
              {},
              {},
              {},
              false,
              false});
  add(table, {"view.help", "Keys and commands", "View", "F1", [&flags] { flags.show_help = true; }});
  add(table, {"view.frame_time",
              "Frame times",
              "View",
              "F3",
              [&flags] { flags.show_frame_time = !flags.show_frame_time; },
              {},
              [&flags] { return flags.show_frame_time; }});
  add(table, {"view.theme", "Switch between light and dark", "View", "F2", [] {
                const bool dark = drawing::current_theme() == drawing::Theme::dark;
                drawing::set_current_theme(dark ? drawing::Theme::light : drawing::Theme::dark);
              }});
  const auto zoom = [&flags](float factor) {
    flags.zoom = std::clamp(flags.zoom * factor, kMinZoom, kMaxZoom);
  };
  add(table, {"view.larger", "Larger", "View", "Ctrl+=", [zoom] { zoom(1.1f); }});
  add(table, {"view.smaller", "Smaller", "View", "Ctrl+-", [zoom] { zoom(1 / 1.1f); }});
  add(table, {"view.normal_size", "Normal size", "View", "Ctrl+0", [&flags] { flags.zoom = 1; }});
  add(table, {"app.quit", "Quit", "View", "Ctrl+Q", [&flags] { flags.quit = true; }});
}

}  // namespace

CommandTable make_commands(Workspace& workspace, AppFlags& flags) {
  CommandTable table;
  add_time(table, workspace);
  add_experiment(table, workspace, flags);
  add_toggle_commands(table, workspace);
  add_code_commands(table, workspace);
  add_timing_commands(table, workspace, flags);
  add_view(table, flags);
  return table;
}

}  // namespace gemmscope::session
