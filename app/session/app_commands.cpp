#include "session/app_commands.h"

#include <algorithm>

#include "drawing/palette.h"
#include "session/app_commands_parts.h"
#include "session/explorer_state.h"
#include "session/zoom.h"

namespace gemmscope::session {
namespace {

// By one step of the followed warp or of its access, as often as the key repeats.
void add_steps(CommandTable& table, Workspace& w) {
  struct Step {
    const char *id, *title, *key;
    void (Workspace::*move)(int by);
    int by;
  };
  const Step steps[] = {
      {"time.step_forward", "One instruction forward", "Right", &Workspace::step, 1},
      {"time.step_back", "One instruction back", "Left", &Workspace::step, -1},
      {"time.leap_forward", "Ten instructions forward", "Shift+Right", &Workspace::step, 10},
      {"time.leap_back", "Ten instructions back", "Shift+Left", &Workspace::step, -10},
      {"time.next_wavefront", "Next wavefront of the access", "Down", &Workspace::step_wavefront, 1},
      {"time.previous_wavefront", "Previous wavefront of the access", "Up", &Workspace::step_wavefront, -1},
  };
  for (const Step& step : steps)
    add(table, {.id = step.id,
                .title = step.title,
                .category = "Time",
                .key = step.key,
                .run = [&w, step] { (w.*step.move)(step.by); },
                .enabled = [&w] { return w.state().has_trace(); },
                .needs = kNeedsTrace,
                .repeats = true});
}

void add_jumps(CommandTable& table, Workspace& w) {
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
    add(table, {.id = jump.id,
                .title = jump.title,
                .category = "Time",
                .key = jump.key,
                .run = [&w, jump] { w.to_event(jump.event, jump.forward); },
                .enabled = [&w] { return w.state().has_trace(); },
                .needs = kNeedsTrace});
}

void add_followed_warp(CommandTable& table, Workspace& w) {
  const auto ready = [&w] { return w.state().has_trace(); };
  add(table, {.id = "time.next_warp",
              .title = "Follow the next warp",
              .category = "Time",
              .key = "W",
              .run =
                  [&w] {
                    const int warps = static_cast<int>(w.state().block->trace.warp_count);
                    w.follow((w.state().playback.warp + 1) % warps);
                  },
              .enabled = ready,
              .needs = kNeedsTrace});
  add(table, {.id = "time.all_warps",
              .title = "Follow all warps in turn",
              .category = "Time",
              .key = "Shift+W",
              .run = [&w] { w.follow(scenes::kAllWarps); },
              .enabled = ready,
              .needs = kNeedsTrace});
}

void add_time(CommandTable& table, Workspace& w) {
  const auto ready = [&w] { return w.state().has_trace(); };
  add(table, {.id = "time.play",
              .title = "Play or pause",
              .category = "Time",
              .key = "Space",
              .run = [&w] { w.play_or_pause(); },
              .enabled = ready,
              .needs = kNeedsTrace});
  add_steps(table, w);
  add(table, {.id = "time.to_start",
              .title = "To the start",
              .category = "Time",
              .key = "Home",
              .run = [&w] { w.to_start(); },
              .enabled = ready,
              .needs = kNeedsTrace});
  add(table, {.id = "time.to_end",
              .title = "To the end",
              .category = "Time",
              .key = "End",
              .run = [&w] { w.to_end(); },
              .enabled = ready,
              .needs = kNeedsTrace});
  add_jumps(table, w);
  add(table, {.id = "time.faster", .title = "Faster", .category = "Time", .key = "]", .run = [&w] {
                w.change_speed(2.0f);
              }});
  add(table, {.id = "time.slower", .title = "Slower", .category = "Time", .key = "[", .run = [&w] {
                w.change_speed(0.5f);
              }});
  add_followed_warp(table, w);
}

void add_experiment(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "experiment.open",
              .title = "Open a CUDA file\u2026",
              .category = "Experiment",
              .key = "Ctrl+O",
              .run = [&flags] { flags.show_open = true; }});
  add(table, {.id = "experiment.launch_form",
              .title = "How my kernel is launched\u2026",
              .category = "Experiment",
              .key = "Ctrl+L",
              .run = [&w] { w.open_form(); },
              .enabled = [&w] { return w.can_open_form(); },
              .needs = "A launch is asked of your own CUDA file; open one first."});
  add(table, {.id = "experiment.next_kernel",
              .title = "Next kernel",
              .category = "Experiment",
              .key = "PageDown",
              .run = [&w] { w.choose_kernel(1); }});
  add(table, {.id = "experiment.previous_kernel",
              .title = "Previous kernel",
              .category = "Experiment",
              .key = "PageUp",
              .run = [&w] { w.choose_kernel(-1); }});
  add(table,
      {.id = "experiment.undo",
       .title = "Undo",
       .category = "Experiment",
       .key = "Ctrl+Z",
       .run = [&w] { explorer_is_wide(w.state()) ? undo_explorer(w.state()) : w.undo(); },
       .enabled =
           [&w] { return explorer_is_wide(w.state()) ? w.state().explorer->can_undo() : w.can_undo(); },
       .needs = "nothing was changed before."});
  add(table,
      {.id = "experiment.redo",
       .title = "Redo",
       .category = "Experiment",
       .key = "Ctrl+Shift+Z",
       .run = [&w] { explorer_is_wide(w.state()) ? redo_explorer(w.state()) : w.redo(); },
       .enabled =
           [&w] { return explorer_is_wide(w.state()) ? w.state().explorer->can_redo() : w.can_redo(); },
       .needs = "nothing was undone."});
  add(table, {.id = "experiment.whole_grid",
              .title = "Execute the whole grid",
              .category = "Experiment",
              .key = "G",
              .run = [&w] { w.run_whole_grid(); }});
}

void add_zoom(CommandTable& table, AppFlags& flags) {
  const auto zoom = [&flags](float factor) {
    float& zoomed = flags.present.on ? flags.present.zoom : flags.zoom;
    zoomed = std::clamp(zoomed * factor, kMinZoom, kMaxZoom);
  };
  add(table, {.id = "view.larger", .title = "Larger", .category = "View", .key = "Ctrl+=", .run = [zoom] {
                zoom(1.1f);
              }});
  add(table, {.id = "view.smaller", .title = "Smaller", .category = "View", .key = "Ctrl+-", .run = [zoom] {
                zoom(1 / 1.1f);
              }});
  add(table, {.id = "view.normal_size",
              .title = "Normal size",
              .category = "View",
              .key = "Ctrl+0",
              .run = [&flags] {
                flags.zoom = flags.present.on ? flags.zoom : 1;
                flags.present.zoom = kPresentingZoom;
              }});
}

void add_view(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "view.palette",
              .title = "Search commands",
              .category = "Help",
              .key = "Ctrl+P",
              .run = [&flags] { flags.show_palette = true; },
              .in_palette = false});
  add(table,
      {.id = "view.help", .title = "Keys and commands", .category = "Help", .key = "F1", .run = [&flags] {
         flags.show_help = true;
       }});
  add(table, {.id = "view.frame_time",
              .title = "Frame times",
              .category = "View",
              .key = "F3",
              .run = [&flags] { flags.show_frame_time = !flags.show_frame_time; },
              .checked = [&flags] { return flags.show_frame_time; }});
  add(table, {.id = "view.theme",
              .title = "Switch between light and dark",
              .category = "View",
              .key = "F2",
              .run = [] {
                const drawing::Theme now = drawing::current_theme();
                drawing::set_current_theme(
                    drawing::theme_of(!drawing::is_dark(now), drawing::is_for_projector(now)));
              }});
  add(table, {.id = "view.language",
              .title = "English / \u4e2d\u6587",
              .category = "View",
              .key = "Shift+F2",
              .run =
                  [&flags] {
                    const bool english = flags.language == Language::english;
                    flags.language = english ? Language::chinese : Language::english;
                  },
              .checked = [&flags] { return flags.language == Language::chinese; }});
  add_zoom(table, flags);
  add(table, {.id = "view.close_notices",
              .title = "Close the notices",
              .category = "View",
              .key = "Ctrl+W",
              .run = [&w] { w.state().notices.clear(); },
              .enabled = [&w] { return !w.state().notices.empty(); },
              .needs = "there is no notice under the menus."});
  add(table, {.id = "app.quit", .title = "Quit", .category = "View", .key = "Ctrl+Q", .run = [&flags] {
                flags.quit = true;
              }});
}

}  // namespace

CommandTable make_commands(Workspace& workspace, AppFlags& flags) {
  CommandTable table;
  add_time(table, workspace);
  add_experiment(table, workspace, flags);
  add_experiment_commands(table, workspace, flags);
  add_toggle_commands(table, workspace);
  add_code_commands(table, workspace);
  add_code_edit_commands(table, workspace);
  add_number_commands(table, workspace);
  add_compare_commands(table, workspace);
  add_pipeline_commands(table, workspace);
  add_timing_commands(table, workspace, flags);
  add_board_commands(table, workspace);
  add_lattice_commands(table, workspace);
  add_occupancy_commands(table, workspace);
  add_explorer_commands(table, workspace);
  add_lesson_commands(table, workspace, flags);
  add_map_commands(table, workspace);
  add_layout_commands(table, flags);
  add_present_commands(table, workspace, flags);
  add_tour_commands(table, workspace, flags);
  add_scene_commands(table, workspace, flags);
  add_export_commands(table, flags);
  add_view(table, workspace, flags);
  return table;
}

}  // namespace gemmscope::session
