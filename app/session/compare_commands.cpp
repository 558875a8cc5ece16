// Commands for two experiments side by side.
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

constexpr const char* kNeedsPin = "pin an experiment first.";

// What is not shown now: where nothing was chosen, the source is, unless it is the same in both.
void choose_other_side(ViewState& state) {
  DiffSide& side = state.pinned.choice.side;
  const bool sass = side == DiffSide::sass || (side == DiffSide::automatic && !source_differs(state));
  side = sass ? DiffSide::source : DiffSide::sass;
}

void add_switches(CommandTable& table, Workspace& w) {
  struct Switch {
    const char *id, *title, *key;
    bool CompareChoice::*member;
  };
  const Switch switches[] = {
      {"compare.map", "Compare the maps, not the pictures", "Alt+H", &CompareChoice::map},
      {"compare.diff", "The code of both, aligned", "Alt+J", &CompareChoice::diff},
      {"compare.all_lines", "All lines of both, not only those around changes", "Alt+Shift+J",
       &CompareChoice::all_lines}};
  for (const Switch& one : switches)
    add(table, {.id = one.id,
                .title = one.title,
                .category = "Compare",
                .key = one.key,
                .run =
                    [&w, member = one.member] {
                      bool& on = w.state().pinned.choice.*member;
                      on = !on;
                    },
                .enabled = [&w] { return w.state().compares(); },
                .needs = kNeedsPin,
                .checked = [&w, member = one.member] { return w.state().pinned.choice.*member; }});
}

void add_pairings(CommandTable& table, Workspace& w) {
  struct Choice {
    const char *id, *title, *key;
    scenes::Pairing pairing;
  };
  const Choice choices[] = {
      {"compare.by_access", "A follows B by access", "Ctrl+Alt+1", scenes::Pairing::access},
      {"compare.by_pass", "A follows B by pass of the main loop", "Ctrl+Alt+2", scenes::Pairing::pass},
      {"compare.by_cycle", "A follows B by modelled cycle", "Ctrl+Alt+3", scenes::Pairing::cycle}};
  for (const Choice& one : choices)
    add(table, {.id = one.id,
                .title = one.title,
                .category = "Compare",
                .key = one.key,
                .run = [&w, pairing = one.pairing] { w.state().pinned.choice.pairing = pairing; },
                .enabled =
                    [&w, pairing = one.pairing] {
                      return w.state().compares() &&
                             (pairing != scenes::Pairing::cycle || why_no_cycles(w.state()).empty());
                    },
                .needs = one.pairing == scenes::Pairing::cycle
                             ? "pin an experiment first; both need a modelled timeline."
                             : kNeedsPin,
                .checked = [&w, pairing = one.pairing] { return pairing_of(w.state()) == pairing; }});
}

}  // namespace

void add_compare_commands(CommandTable& table, Workspace& w) {
  add(table, {.id = "compare.pin",
              .title = "Pin this experiment as A, or unpin it",
              .category = "Compare",
              .key = "P",
              .run = [&w] { w.pin(); },
              .enabled = [&w] { return w.state().pinned.side != nullptr || w.state().has_trace(); },
              .needs = kNeedsTrace,
              .checked = [&w] { return w.state().pinned.side != nullptr; },
              .description = "What is shown next stands beside it, with a table of what changed."});
  add(table, {.id = "compare.swap",
              .title = "Swap the pinned and the live experiment",
              .category = "Compare",
              .key = "Shift+P",
              .run = [&w] { w.swap_pinned(); },
              .enabled = [&w] { return w.can_swap(); },
              .needs = kNeedsPin});
  add(table, {.id = "compare.code_side",
              .title = "Compare the machine code, or the source",
              .category = "Compare",
              .key = "Alt+Shift+K",
              .run = [&w] { choose_other_side(w.state()); },
              .enabled = [&w] { return w.state().compares(); },
              .needs = kNeedsPin});
  add_pairings(table, w);
  add_switches(table, w);
}

}  // namespace gemmscope::session
