// Keys for a Dear ImGui context without a keyboard behind it: text fields and popups of an offscreen frame
// get the keys that a test presses.
#pragma once

#include <span>
#include <vector>

#include "session/keys.h"

namespace gemmscope::shell {

class SimulatedKeys {
 public:
  // Holds these keys in the current Dear ImGui context and lets go of those held before.
  void hold(std::span<const session::KeyEvent> pressed);

 private:
  std::vector<int> held_;
};

// Tells Dear ImGui which numbers its own keys (arrows, Enter, Ctrl+A …) have: GLFW's.
void map_imgui_keys();

}  // namespace gemmscope::shell
