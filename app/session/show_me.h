// "Show me": runs the commands that a kernel's description lists (show_me), one after the other, with time to
// look between them.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace gemmscope::session {

class CommandTable;
struct ViewState;

struct ShowMeState {
  bool hidden = false;  // the strip that explains the kernel
  bool running = false;
  std::vector<std::string> commands;  // of the kernel that it was started for
  size_t next = 0;                    // how many have run
  double due_seconds = 0;             // until the next one
  std::string title;                  // of the last one
};

// A sentence about the first id that is no command; empty where all are.
std::string show_me_trouble(const catalog::Kernel& kernel, const CommandTable& commands);

void start_show_me(ViewState& state, const catalog::Kernel& kernel);
// Lets time pass and returns the id of the command that is due; empty: none. While `waiting` for results no
// time passes.
std::string advance_show_me(ViewState& state, double seconds, bool waiting);

}  // namespace gemmscope::session
