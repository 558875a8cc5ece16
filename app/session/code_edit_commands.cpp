// Commands that change the machine code: the pass over the main loop, and edits of the instruction that is
// selected; and what such an edit would do.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "experiment/changed_code.h"
#include "schedule/edit.h"
#include "session/app_commands_parts.h"
#include "session/edit_effect.h"

namespace gemmscope::session {
namespace {

using schedule::EditKind;

constexpr const char* kNeedsInstruction =
    "select an instruction of the machine code, and wait until it is executed.";

struct EditCommand {
  const char *id, *title, *key;
  EditKind kind;
  int value;
  bool repeats;
};
constexpr EditCommand kEdits[] = {
    {"code.move_up", "Move the instruction up", "Alt+Shift+Up", EditKind::up, 0, true},
    {"code.move_down", "Move the instruction down", "Alt+Shift+Down", EditKind::down, 0, true},
    {"code.reuse_a", "Flip the reuse flag of operand a", "Alt+Shift+1", EditKind::reuse, 0, false},
    {"code.reuse_b", "Flip the reuse flag of operand b", "Alt+Shift+2", EditKind::reuse, 1, false},
    {"code.reuse_c", "Flip the reuse flag of operand c", "Alt+Shift+3", EditKind::reuse, 2, false},
    {"code.yield", "Flip the yield flag", "Alt+Shift+I", EditKind::yield, 0, false},
    {"code.mend", "Add the waits and stalls that the lint misses", "Alt+Shift+N", EditKind::mend, 0, false}};
constexpr const char *kStallMore = "code.stall_more", *kStallLess = "code.stall_less";

// No compiler gives arithmetic a stall count of 0, and what a GPU does with it was not measured.
constexpr int kLeastStall = 1, kMostStall = 15;

std::optional<int> stall_of(const ViewState& state, int by) {
  const auto at = edited_instruction(state);
  if (!at) return std::nullopt;
  const int next = state.compiled->instructions[*at].control.stall_cycles + by;
  return next < kLeastStall || next > kMostStall ? std::nullopt : std::optional(next);
}

// The edit that the command makes now.
std::optional<schedule::Edit> edit_of(const ViewState& state, std::string_view command) {
  const auto at = edited_instruction(state);
  if (!at) return std::nullopt;
  const uint32_t address = *at * isa::kInstructionBytes;
  for (const EditCommand& one : kEdits)
    if (one.id == command)
      return schedule::Edit{one.kind, one.kind == EditKind::mend ? 0 : address, one.value};
  if (command != kStallMore && command != kStallLess) return std::nullopt;
  const std::optional<int> stall = stall_of(state, command == kStallMore ? 1 : -1);
  if (!stall) return std::nullopt;
  return schedule::Edit{EditKind::stall, address, *stall};
}

void add_edits(CommandTable& table, Workspace& w) {
  for (const EditCommand& one : kEdits)
    add(table, {.id = one.id,
                .title = one.title,
                .category = "Code",
                .key = one.key,
                .run = [&w, one] { w.edit_code(one.kind, one.value); },
                .enabled = [&w] { return edited_instruction(w.state()).has_value(); },
                .needs = kNeedsInstruction,
                .repeats = one.repeats});
  const auto stall = [&](const char* id, const char* title, const char* key, int by) {
    const auto cycles = [&w, by] { return stall_of(w.state(), by); };
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
  stall(kStallMore, "One stall cycle more", "Alt+Shift+=", 1);
  stall(kStallLess, "One stall cycle less", "Alt+Shift+-", -1);
}

// Changes of some machine code that were left for the compiler's, and whether that stood beside them.
struct LeftChanges {
  experiment::Experiment experiment;
  bool compared = false;
  // The changes belong to the machine code, whatever block of whatever size was shown.
  bool fit(const experiment::Experiment& now) const {
    experiment::Experiment same = experiment;
    same.changes = {};
    same.problem = now.problem;
    same.block = now.block;
    return experiment.changes.any() && same == now;
  }
};

void leave_changes(Workspace& w, LeftChanges& left) {
  const ViewState& state = w.state();
  left.experiment = state.experiment;
  experiment::Experiment original = state.experiment;
  original.changes = {};
  left.compared = state.pinned.side != nullptr && state.pinned.side->experiment == original;
  w.use_compilers_code();
}

void return_to_changes(Workspace& w, const LeftChanges& left) {
  experiment::Experiment next = w.state().experiment;
  next.changes = left.experiment.changes;
  w.state().code_edit.refused.clear();
  w.state().code_edit.pins = left.compared;
  w.set_experiment(std::move(next));
}

// One key leads to and fro. The changes are also in the history, the scene and the link.
void add_way_back(CommandTable& table, Workspace& w) {
  const auto left = std::make_shared<LeftChanges>();
  add(table, {.id = "code.compilers",
              .title = "The compiler's machine code, and back to the changes",
              .category = "Code",
              .key = "Alt+Shift+B",
              .run =
                  [&w, left] {
                    if (w.state().experiment.changes.any())
                      leave_changes(w, *left);
                    else if (left->fit(w.state().experiment))
                      return_to_changes(w, *left);
                  },
              .enabled =
                  [&w, left] {
                    const experiment::Experiment& now = w.state().experiment;
                    return now.changes.any() || left->fit(now);
                  },
              .needs = "the machine code is the compiler's, and no changes of it were left."});
}

// The experiment is what it was before; nothing of the pass stays.
void cancel_scheduling(Workspace& w) {
  w.cancel();
  if (w.can_undo()) {
    w.undo();
  } else {  // the program began with it
    experiment::Experiment next = w.state().experiment;
    next.changes = {};
    w.set_experiment(std::move(next));
  }
  w.state().code_edit.pins = false;
  w.state().code_edit.selects.reset();
  w.state().note = "Scheduling was cancelled: the machine code is as it was.";
}

void add_cancel(CommandTable& table, Workspace& w) {
  add(table, {.id = "code.cancel",
              .title = "Stop scheduling",
              .category = "Code",
              .key = "Escape",
              .run = [&w] { cancel_scheduling(w); },
              .enabled = [&w] { return is_scheduling(w.state()); },
              .needs = "nothing is being scheduled.",
              .description = "The machine code and the experiment are as they were before.",
              .interrupts = false});
}

// On while the menu is open: the view that shows it (views/edit_menu.h) switches it off where it is closed.
void add_menu(CommandTable& table, Workspace& w) {
  const auto open = std::make_shared<bool>(false);
  add(table,
      {.id = "code.menu",
       .title = "What can be done with this instruction",
       .category = "Code",
       .key = "Shift+F10",
       .run =
           [&w, open] {
             ViewState& state = w.state();
             *open = !*open && edited_instruction(state).has_value();
             if (!*open) return;
             if (state.commands != nullptr) (void)state.commands->run("view.code");  // where the menu is
             state.code.selected = edited_instruction(state);
             ++state.code.reveals;
           },
       .enabled = [&w, open] { return *open || edited_instruction(w.state()).has_value(); },
       .needs = kNeedsInstruction,
       .checked = [open] { return *open; },
       .description = "A menu of the edits, and of what each would break; a right click opens it, too."});
}

}  // namespace

bool is_scheduling(const ViewState& state) {
  return state.progress && state.progress->stage == experiment::Stage::schedule;
}

std::optional<EditEffect> effect_of_edit(const ViewState& state, std::string_view command) {
  const std::optional<schedule::Edit> edit = edit_of(state, command);
  using Kind = EditEffect::Kind;
  if (!edit && edited_instruction(state) && (command == kStallMore || command == kStallLess))
    return EditEffect{Kind::impossible,
                      fmt::format("A stall count is {} to {} cycles.", kLeastStall, kMostStall)};
  if (!edit) return std::nullopt;
  const experiment::EditPreview preview = experiment::preview_edit(*state.compiled, *edit);
  if (!preview.why_not.empty()) return EditEffect{Kind::impossible, preview.why_not};
  if (!preview.breaks.empty()) return EditEffect{Kind::breaks, preview.breaks};
  const uint32_t before = preview.lost_cycles_before, after = preview.lost_cycles;
  if (after == before) return EditEffect{Kind::same, "Breaks nothing; the loop's ports stay as they are."};
  return EditEffect{
      after < before ? Kind::better : Kind::worse,
      fmt::format("Breaks nothing; cycles lost to ports in a pass: {} \u2192 {}.", before, after)};
}

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
  add_way_back(table, w);
  add_cancel(table, w);
  add_menu(table, w);
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
