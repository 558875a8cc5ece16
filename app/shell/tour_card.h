// The card of the tour, at the bottom of the window: the sentence of the step, how far the tour is, and how
// to pause, go on or end it.
#pragma once

#include <string>

#include "session/app_commands.h"

namespace gemmscope::shell {

// What the card takes of the window's height: the panels stay above it.
float tour_card_room();
// Returns the id of the command that was clicked; empty: none. Escape ends the tour.
std::string draw_tour_card(const session::CommandTable& commands, session::AppFlags& flags);

}  // namespace gemmscope::shell
