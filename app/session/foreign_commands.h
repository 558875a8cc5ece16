// Commands that a kernel's description or a lesson may name: they change what is shown, and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::session {

// The command writes a file, opens one, touches the clipboard, or ends the program.
bool only_by_the_user(std::string_view command);
// Takes those out of the list. Returns a sentence about the first; empty: there was none.
std::string take_out_foreign(std::vector<std::string>& commands, std::string_view of);

}  // namespace gemmscope::session
