// Commands for what explains: "Show me", the strip of a kernel's lesson, and the cards at the start.
#include <fmt/format.h>

#include "session/app_commands_parts.h"
#include "session/show_me.h"

namespace gemmscope::session {
namespace {

void show_or_stop(Workspace& w) {
  if (w.state().show_me.running) return w.stop_show_me();
  w.show_me();
}

bool can_show(Workspace& w) {
  const catalog::Kernel* const kernel = w.catalog().find(w.state().experiment.kernel);
  return w.state().show_me.running || (kernel != nullptr && !kernel->show_me.empty());
}

void add_start(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "start.cards",
              .title = "Where to start",
              .category = "View",
              .key = "F4",
              .run = [&flags] { flags.show_start = !flags.show_start; },
              .checked = [&flags] { return flags.show_start; }});
  add(table, {.id = "start.bank_conflict",
              .title = "See a bank conflict",
              .category = "View",
              .key = "F5",
              .run =
                  [&w, &flags] {
                    flags.show_start = false;
                    w.open_lesson("bank_conflicts");
                  },
              .description = "32 lanes in one bank; one float more in a row ends it."});
  add(table, {.id = "start.ladder",
              .title = "Climb the ladder",
              .category = "View",
              .key = "F6",
              .run =
                  [&w, &flags] {
                    flags.show_start = false;
                    w.open_lesson("01_naive_rows");
                  },
              .description = "From three loops to tensor cores, one idea a step."});
  add(table, {.id = "start.open",
              .title = "Open my kernel\u2026",
              .category = "View",
              .key = "F7",
              .run =
                  [&flags] {
                    flags.show_start = false;
                    flags.show_open = true;
                  },
              .description = "Any .cu file, drawn anew each time it is saved."});
}

}  // namespace

void add_lesson_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "lesson.show_me",
              .title = "Show me, or stop",
              .category = "View",
              .key = "E",
              .run = [&w] { show_or_stop(w); },
              .enabled = [&w] { return can_show(w); },
              .needs = "this kernel's description lists no commands to show.",
              .description = "Runs the commands that the kernel's description lists."});
  add(table, {.id = "lesson.strip",
              .title = "Why and what to look at",
              .category = "View",
              .key = "H",
              .run = [&w] { w.state().show_me.hidden = !w.state().show_me.hidden; },
              .checked = [&w] { return !w.state().show_me.hidden; }});
  add_start(table, w, flags);
}

}  // namespace gemmscope::session
