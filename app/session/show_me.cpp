#include "session/show_me.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/command_table.h"
#include "session/foreign_commands.h"
#include "session/view_state.h"

namespace gemmscope::session {
namespace {

constexpr double kLookSeconds = 2.4;  // enough to read a line and see what changed

}  // namespace

std::string show_me_trouble(const catalog::Kernel& kernel, const CommandTable& commands) {
  for (const std::string& id : kernel.show_me)
    if (commands.find(id) == nullptr)
      return fmt::format("{}: show_me has \"{}\", which is no command; the help page (F1) lists them.",
                         kernel.path.filename().string(), id);
  std::vector<std::string> all = kernel.show_me;
  return take_out_foreign(all, kernel.path.filename().string());
}

void start_show_me(ViewState& state, const catalog::Kernel& kernel) {
  ShowMeState& show = state.show_me;
  show.commands = kernel.show_me;
  (void)take_out_foreign(show.commands, kernel.id);  // show_me_trouble says so
  show.next = 0;
  show.due_seconds = 0;
  show.title.clear();
  show.running = !show.commands.empty();
  state.toggle.clear();  // so that "toggles.next" is the first one
}

std::string advance_show_me(ViewState& state, double seconds, bool waiting) {
  ShowMeState& show = state.show_me;
  if (!show.running || waiting) return "";
  // A slow frame must not skip what there is to see.
  show.due_seconds -= std::min(seconds, 0.25);
  if (show.due_seconds > 0) return "";
  if (show.next == show.commands.size()) {
    show.running = false;
    return "";
  }
  std::string id = show.commands[show.next++];
  show.due_seconds = kLookSeconds;
  const Command* const command = state.commands == nullptr ? nullptr : state.commands->find(id);
  show.title = command == nullptr ? id : command->title;
  return id;
}

}  // namespace gemmscope::session
