// Commands of the tour.
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

// What the tour shows needs room, and the panels in their usual places.
void begin(Workspace& w, AppFlags& flags) {
  ViewState& state = w.state();
  w.stop_show_me();
  state.timings.visible = state.lattice.visible = state.pipeline.open = false;
  state.occupancy.wide = state.board.wide = false;
  flags.show_start = false;
  flags.enlarged = Panel::none;
  start_tour(flags.tour);
}

}  // namespace

void add_tour_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  const auto running = [&flags] { return flags.tour.running; };
  constexpr const char* kNeedsTour = "start the tour first.";
  add(table, {.id = "tour.start",
              .title = "Take the tour, or end it",
              .category = "Help",
              .key = "F12",
              .run = [&w, &flags] { flags.tour.running ? end_tour(flags.tour) : begin(w, flags); },
              .description = "Less than a minute, up to a bank conflict and out of it.",
              .interrupts = false});
  add(table, {.id = "tour.pause",
              .title = "Pause the tour, or go on",
              .category = "Help",
              .key = "Shift+F12",
              .run = [&flags] { flags.tour.paused = !flags.tour.paused; },
              .enabled = running,
              .needs = kNeedsTour,
              .checked = [&flags] { return flags.tour.paused; },
              .interrupts = false});
  add(table, {.id = "tour.next",
              .title = "Next step of the tour",
              .category = "Help",
              .key = "Ctrl+F12",
              .run = [&flags] { next_tour_step(flags.tour); },
              .enabled = running,
              .needs = kNeedsTour,
              .interrupts = false});
}

}  // namespace gemmscope::session
