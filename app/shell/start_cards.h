// The cards at the start: four ways in, over the pictures. They close with the first thing that the user
// does.
#pragma once

#include <string>

#include "session/command_table.h"

namespace gemmscope::shell {

// Draws the cards and returns the id of the one that was clicked; empty: none. Sets `open` to false when the
// user clicked beside them or pressed Escape.
std::string draw_start_cards(const session::CommandTable& commands, bool& open);

}  // namespace gemmscope::shell
