#include <fmt/format.h>

#include <cstdlib>

#include "session/app_commands_parts.h"
#include "session/code_state.h"

namespace gemmscope::session {

void add(CommandTable& table, Command command) {
  if (const Result<void> added = table.add(std::move(command)); !added) {
    fmt::print(stderr, "gemmscope: {}\n", added.error().message);
    std::abort();
  }
}

namespace {

using scenes::CodeColumn;

void add_worst(CommandTable& table, Workspace& w) {
  const auto any = [&w](std::optional<CodeColumn> column) {
    if (!column) return code_counts_of(w.state()).counters != nullptr;
    const std::optional<scenes::CodeCounts> counts = counted_code(w.state());
    return counts && counts->total[*column] > 0;
  };
  struct Jump {
    const char *id, *title, *key;
    std::optional<CodeColumn> column;
    bool forward;
  };
  const Jump jumps[] = {
      {"code.next_worst", "To the next worst instruction of the ranking", "N", {}, true},
      {"code.previous_worst", "To the previous instruction of the ranking", "Shift+N", {}, false},
      {"code.worst_conflict", "To the next worst bank conflict", "Alt+C", CodeColumn::excess_wavefronts,
       true},
      {"code.previous_worst_conflict", "To the previous worst bank conflict", "Alt+Shift+C",
       CodeColumn::excess_wavefronts, false},
      {"code.worst_sectors", "To the next worst excess of sectors", "Alt+U", CodeColumn::excess_sectors,
       true},
      {"code.previous_worst_sectors", "To the previous worst excess of sectors", "Alt+Shift+U",
       CodeColumn::excess_sectors, false},
      {"code.worst_ports", "To the next cycle lost to register ports", "Alt+Z", CodeColumn::lost_ports, true},
      {"code.previous_worst_ports", "To the previous cycle lost to register ports", "Alt+Shift+Z",
       CodeColumn::lost_ports, false},
      {"code.most_executed", "To the next most executed instruction", "Alt+E", CodeColumn::executions, true},
      {"code.previous_most_executed", "To the previous most executed instruction", "Alt+Shift+E",
       CodeColumn::executions, false},
      {"code.most_exposed", "To the next most exposed latency (modelled)", "Alt+X", CodeColumn::exposed,
       true},
      {"code.previous_most_exposed", "To the previous most exposed latency (modelled)", "Alt+Shift+X",
       CodeColumn::exposed, false},
  };
  for (const Jump& jump : jumps)
    add(table, {.id = jump.id,
                .title = jump.title,
                .category = "Code",
                .key = jump.key,
                .run = [&w, jump] { w.to_worst(jump.column, jump.forward); },
                .enabled = [any, jump] { return any(jump.column); },
                .needs = jump.column ? "the machine code that is shown has none." : kNeedsTrace,
                .repeats = true});
}

}  // namespace

void add_code_commands(CommandTable& table, Workspace& w) {
  add_worst(table, w);
  const auto marked = [&w] { return !code_marks_of(w.state()).empty(); };
  add(table, {.id = "code.next_finding",
              .title = "To the next finding, fault or error",
              .category = "Code",
              .key = "F8",
              .run = [&w] { w.to_mark(true); },
              .enabled = marked,
              .needs = "the code has no finding, fault or error.",
              .repeats = true});
  add(table, {.id = "code.previous_finding",
              .title = "To the previous finding, fault or error",
              .category = "Code",
              .key = "Shift+F8",
              .run = [&w] { w.to_mark(false); },
              .enabled = marked,
              .needs = "the code has no finding, fault or error.",
              .repeats = true});
  add(table, {.id = "code.sort",
              .title = "Sort the instructions, worst first",
              .category = "Code",
              .key = "O",
              .run = [&w] { w.sort_instructions(); },
              .enabled = [&w] { return code_counts_of(w.state()).counters != nullptr; },
              .needs = kNeedsTrace,
              .checked = [&w] { return w.state().code.sorted; },
              .description = "Sorts by the column last used; run it again for the order of the code."});
  add(table, {.id = "code.scope",
              .title = "Count this block alone, not the whole grid",
              .category = "Code",
              .key = "Alt+G",
              .run =
                  [&w] {
                    scenes::CountScope& scope = w.state().code.scope;
                    scope = scope == scenes::CountScope::block ? scenes::CountScope::automatic
                                                               : scenes::CountScope::block;
                  },
              .checked = [&w] { return w.state().code.scope == scenes::CountScope::block; }});
  add(table, {.id = "code.control_codes",
              .title = "Show control codes",
              .category = "Code",
              .key = "X",
              .run = [&w] { w.state().code.control_codes = !w.state().code.control_codes; },
              .checked = [&w] { return w.state().code.control_codes; },
              .description = "Shows stall cycles, yield and scoreboards, as the compiler set them."});
  add(table, {.id = "code.arrange",
              .title = "Source and machine code: automatic, stacked or side by side",
              .category = "Code",
              .key = "Alt+A",
              .run = [&w] {
                scenes::Arrangement& a = w.state().code.arrangement;
                a = static_cast<scenes::Arrangement>((static_cast<int>(a) + 1) % 3);
              }});
}

}  // namespace gemmscope::session
