// Commands of presenter mode, with the keys that a remote clicker sends: PageDown, PageUp, F5 or Shift+F5,
// Escape, B or a period.
#include "drawing/palette.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

constexpr const char* kNeedsPresenting = "switch presenter mode on first.";

void use_theme(bool projector) {
  drawing::set_current_theme(drawing::theme_of(drawing::is_dark(drawing::current_theme()), projector));
}

void enter(AppFlags& flags, bool full_screen) {
  PresentState& present = flags.present;
  present.on = true;
  present.filled_screen = full_screen && !flags.full_screen;
  flags.full_screen |= full_screen;
  flags.enlarged = Panel::none;
  flags.show_start = false;
  use_theme(true);
}

void leave(AppFlags& flags) {
  PresentState& present = flags.present;
  if (present.filled_screen) flags.full_screen = false;
  present.on = present.black = present.spotlight = false;
  flags.enlarged = Panel::none;
  use_theme(false);
}

// Ends one thing at a time: what covers most goes first.
void go_back(Workspace& w, AppFlags& flags) {
  if (flags.present.black)
    flags.present.black = false;
  else if (flags.tour.running)
    end_tour(flags.tour);
  else if (w.state().show_me.running)
    w.stop_show_me();
  else if (flags.enlarged != Panel::none)
    flags.enlarged = Panel::none;
  else
    leave(flags);
}

// What PageDown and PageUp go on in: the tour or "Show me" while one runs, else the lesson's pages where one
// is open, else the kernels. A page that asks is revealed first, since a remote clicker has no other key.
void go_on(Workspace& w, AppFlags& flags, bool forward) {
  if (flags.tour.running) return forward ? next_tour_step(flags.tour) : previous_tour_step(flags.tour);
  if (ShowMeState& show = w.state().show_me; show.running && forward) {
    show.due_seconds = 0;
    return;
  }
  const CommandTable* const commands = w.state().commands;
  if (commands == nullptr) return;
  if (forward && w.state().lesson.asks() && commands->run("lesson.reveal")) return;
  for (const char* id : {forward ? "lesson.next" : "lesson.previous",
                         forward ? "experiment.next_kernel" : "experiment.previous_kernel"})
    if (commands->find(id) != nullptr && commands->run(id)) return;
}

struct Shown {
  Panel panel;
  bool timings;
};

// What is shown in the place of the code.
bool shows_timings(const ViewState& state) { return state.timings.visible && !state.lattice.visible; }
bool shows_code(const ViewState& state) { return !state.timings.visible && !state.lattice.visible; }

// The panel alone, or all of them where it is alone already.
void show_alone(ViewState& state, AppFlags& flags, Shown what) {
  bool shown = flags.enlarged == what.panel;
  if (what.panel == Panel::code) {
    shown &= what.timings ? shows_timings(state) : shows_code(state);
    state.timings.visible = what.timings;
    state.lattice.visible = false;
  }
  flags.enlarged = shown ? Panel::none : what.panel;
}

void add_panels(CommandTable& table, Workspace& w, AppFlags& flags) {
  struct Entry {
    const char *id, *title, *key;
    Shown what;
  };
  const Entry entries[] = {
      {"present.map", "Present the map", "1", {Panel::map, false}},
      {"present.picture", "Present the picture", "2", {Panel::pictures, false}},
      {"present.code", "Present the code", "3", {Panel::code, false}},
      {"present.timings", "Present the timings", "4", {Panel::code, true}},
      {"present.experiment", "Present the experiment and its counters", "5", {Panel::experiment, false}}};
  for (const Entry& entry : entries)
    add(table, {.id = entry.id,
                .title = entry.title,
                .category = "Present",
                .run = [&w, &flags, entry] { show_alone(w.state(), flags, entry.what); },
                .enabled = [&flags] { return flags.present.on; },
                .needs = kNeedsPresenting,
                .description = "It fills the screen; the same key shows all panels again.",
                .presenting_keys = entry.key,
                .interrupts = false});
}

void add_modes(CommandTable& table, AppFlags& flags) {
  struct Entry {
    const char *id, *title, *key, *description;
    bool full_screen;
  };
  const Entry entries[] = {
      {"present.full_screen", "Presenter mode", "F11", "Letters for the last row, on the whole screen.",
       true},
      {"present.window", "Presenter mode in this window", "Shift+F5", "For a window that is shared.", false}};
  for (const Entry& entry : entries)
    add(table, {.id = entry.id,
                .title = entry.title,
                .category = "Present",
                .key = entry.key,
                .run = [&flags, entry] { flags.present.on ? leave(flags) : enter(flags, entry.full_screen); },
                .checked = [&flags] { return flags.present.on; },
                .description = entry.description,
                .interrupts = false});
}

}  // namespace

void add_present_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  const auto presenting = [&flags] { return flags.present.on; };
  add_modes(table, flags);
  add(table, {.id = "present.spotlight",
              .title = "Spotlight at the pointer",
              .category = "Present",
              .key = "F9",
              .run = [&flags] { flags.present.spotlight = !flags.present.spotlight; },
              .checked = [&flags] { return flags.present.spotlight; },
              .description = "Dims everything else.",
              .interrupts = false});
  add(table, {.id = "present.next",
              .title = "Go on in what is taught",
              .category = "Present",
              .run = [&w, &flags] { go_on(w, flags, true); },
              .enabled = presenting,
              .needs = kNeedsPresenting,
              .description = "The next step, page or kernel.",
              .presenting_keys = "PageDown",
              .interrupts = false});
  add(table, {.id = "present.previous",
              .title = "Go back in what is taught",
              .category = "Present",
              .run = [&w, &flags] { go_on(w, flags, false); },
              .enabled = presenting,
              .needs = kNeedsPresenting,
              .description = "The step, page or kernel before.",
              .presenting_keys = "PageUp",
              .interrupts = false});
  add(table, {.id = "present.black",
              .title = "Black screen",
              .category = "Present",
              .run = [&flags] { flags.present.black = !flags.present.black; },
              .enabled = presenting,
              .needs = kNeedsPresenting,
              .description = "The next key or click shows everything again.",
              .presenting_keys = "B .",
              .interrupts = false});
  add(table, {.id = "present.back",
              .title = "Back to all panels, then out of presenter mode",
              .category = "Present",
              .run = [&w, &flags] { go_back(w, flags); },
              .enabled = presenting,
              .needs = kNeedsPresenting,
              .presenting_keys = "Escape",
              .interrupts = false});
  add_panels(table, w, flags);
}

}  // namespace gemmscope::session
