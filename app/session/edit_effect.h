// What an edit of machine code would do, said before it is made (code_edit_commands.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "session/view_state.h"

namespace gemmscope::session {

struct EditEffect {
  enum class Kind : uint8_t { impossible, breaks, worse, same, better } kind = Kind::impossible;
  std::string sentence;  // why it is not possible, what it breaks, or what it does to the ports
};
// Of a command that edits the instruction of edited_instruction; nothing for other commands, or while code is
// on its way. Looks at all of the code: a matter of milliseconds.
std::optional<EditEffect> effect_of_edit(const ViewState& state, std::string_view command);

// The pass over the main loop is running.
bool is_scheduling(const ViewState& state);

}  // namespace gemmscope::session
