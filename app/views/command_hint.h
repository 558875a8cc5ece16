// Keys and titles that views take from the command table, so that none is typed anywhere else.
#pragma once

#include <string>
#include <string_view>

#include "session/command_table.h"
#include "session/view_state.h"

namespace gemmscope::views {

// "Shift+T"; "" when the command has no key.
inline std::string command_key(const session::ViewState& state, std::string_view id) {
  return state.commands == nullptr ? std::string() : state.commands->key_text(id);
}

// "To the next bank conflict", as in the menus.
inline std::string command_title(const session::ViewState& state, std::string_view id) {
  const session::Command* command = state.commands == nullptr ? nullptr : state.commands->find(id);
  return command == nullptr ? std::string() : command->title;
}

inline bool command_enabled(const session::ViewState& state, std::string_view id) {
  const session::Command* command = state.commands == nullptr ? nullptr : state.commands->find(id);
  return command != nullptr && state.commands->is_enabled(*command);
}

}  // namespace gemmscope::views
