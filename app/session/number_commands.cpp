// Commands for the numbers to watch: each goes to the instruction that contributes most.
#include "session/app_commands_parts.h"
#include "session/number_state.h"

namespace gemmscope::session {

void add_number_commands(CommandTable& table, Workspace& w) {
  using scenes::KeyNumber;
  struct Jump {
    KeyNumber number;
    const char *title, *key;
  };
  const Jump jumps[] = {
      {KeyNumber::warp_instructions, "To the instruction executed most", "Ctrl+1"},
      {KeyNumber::flops, "To the instruction with most FLOPs", "Ctrl+2"},
      {KeyNumber::port_cycles, "To the instruction that loses most cycles to register ports", ""},
      {KeyNumber::global_sectors, "To the access with most global sectors", "Ctrl+3"},
      {KeyNumber::excess_sectors, "To the access with most excess sectors", "Ctrl+4"},
      {KeyNumber::wavefronts, "To the access with most shared wavefronts", "Ctrl+5"},
      {KeyNumber::excess_wavefronts, "To the access with most excess wavefronts", "Ctrl+6"},
      {KeyNumber::registers, "To the first use of the highest register", "Ctrl+7"},
      {KeyNumber::spills, "To the spill executed most", "Ctrl+8"},
      {KeyNumber::blocks_per_sm, "To what limits the blocks on an SM", "Ctrl+9"},
      {KeyNumber::time, "To the instruction that stalls longest (modelled)", "Ctrl+T"},
  };
  for (const Jump& jump : jumps)
    add(table, {.id = number_command(jump.number),
                .title = jump.title,
                .category = "Code",
                .key = jump.key,
                .run = [&w, jump] { w.to_most(jump.number); },
                .enabled = [&w] { return w.state().has_trace(); },
                .needs = kNeedsTrace});
  add(table, {.id = "numbers.forget",
              .title = "Forget the numbers before the change",
              .category = "Code",
              .key = "Backspace",
              .run = [&w] { w.state().numbers.before.reset(); },
              .enabled = [&w] { return w.state().numbers.before.has_value(); },
              .needs = "there are none: nothing was changed yet."});
}

}  // namespace gemmscope::session
