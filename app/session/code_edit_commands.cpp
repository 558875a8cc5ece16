// Commands that change the machine code: the pass over the main loop, and edits of the instruction that is
// selected.
#include "schedule/edit.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

using schedule::EditKind;

constexpr const char* kNeedsInstruction =
    "select an instruction of the machine code, and wait until it is executed.";

void add_edits(CommandTable& table, Workspace& w) {
  struct One {
    const char *id, *title, *key;
    EditKind kind;
    int value;
    bool repeats;
  };
  const One edits[] = {
      {"code.move_up", "Move the instruction up", "Alt+Shift+Up", EditKind::up, 0, true},
      {"code.move_down", "Move the instruction down", "Alt+Shift+Down", EditKind::down, 0, true},
      {"code.reuse_a", "Flip the reuse flag of operand a", "Alt+Shift+1", EditKind::reuse, 0, false},
      {"code.reuse_b", "Flip the reuse flag of operand b", "Alt+Shift+2", EditKind::reuse, 1, false},
      {"code.reuse_c", "Flip the reuse flag of operand c", "Alt+Shift+3", EditKind::reuse, 2, false},
      {"code.yield", "Flip the yield flag", "Alt+Shift+I", EditKind::yield, 0, false},
      {"code.mend", "Add the waits and stalls that the lint misses", "Alt+Shift+N", EditKind::mend, 0,
       false}};
  for (const One& one : edits)
    add(table, {.id = one.id,
                .title = one.title,
                .category = "Code",
                .key = one.key,
                .run = [&w, one] { w.edit_code(one.kind, one.value); },
                .enabled = [&w] { return edited_instruction(w.state()).has_value(); },
                .needs = kNeedsInstruction,
                .repeats = one.repeats});
  const auto stall = [&](const char* id, const char* title, const char* key, int by) {
    const auto cycles = [&w, by]() -> std::optional<int> {
      const auto at = edited_instruction(w.state());
      if (!at) return std::nullopt;
      const int next = w.state().compiled->instructions[*at].control.stall_cycles + by;
      return next < 0 || next > 15 ? std::nullopt : std::optional(next);
    };
    add(table, {.id = id,
                .title = title,
                .category = "Code",
                .key = key,
                .run =
                    [&w, cycles] {
                      if (const auto value = cycles()) w.edit_code(EditKind::stall, *value);
                    },
                .enabled = [cycles] { return cycles().has_value(); },
                .needs = kNeedsInstruction,
                .repeats = true});
  };
  stall("code.stall_more", "One stall cycle more", "Alt+Shift+=", 1);
  stall("code.stall_less", "One stall cycle less", "Alt+Shift+-", -1);
}

}  // namespace

void add_code_edit_commands(CommandTable& table, Workspace& w) {
  add(table,
      {.id = "code.schedule",
       .title = "Schedule the main loop",
       .category = "Code",
       .key = "Alt+Shift+O",
       .run = [&w] { w.schedule_loop(); },
       .enabled = [&w] { return w.state().experiment.changes.scheduled || code_is_settled(w.state()); },
       .needs = kNeedsTrace,
       .checked = [&w] { return w.state().experiment.changes.scheduled; },
       .description = "Rewrites the loop's machine code so that it loses fewer cycles to register ports; the "
                      "compiler's code is pinned beside it."});
  add(table, {.id = "code.compilers",
              .title = "Back to the compiler's machine code",
              .category = "Code",
              .key = "Alt+Shift+B",
              .run = [&w] { w.use_compilers_code(); },
              .enabled = [&w] { return w.state().experiment.changes.any(); },
              .needs = "the machine code is the compiler's."});
  add(table, {.id = "code.edit",
              .title = "Edit the machine code",
              .category = "Code",
              .key = "Alt+Shift+T",
              .run =
                  [&w] {
                    bool& open = w.state().code_edit.open;
                    open = !open;
                  },
              .checked = [&w] { return w.state().code_edit.open; },
              .description = "Shows the buttons that move an instruction or change its control fields."});
  add_edits(table, w);
}

}  // namespace gemmscope::session
