// Simulates keys in a Dear ImGui context without a keyboard, so that text fields and popups of an offscreen
// frame get the keys that a test presses.
#pragma once

#include <span>
#include <vector>

#include "session/keys.h"

namespace gemmscope::shell {

class SimulatedKeys {
 public:
  // Holds these keys in the current Dear ImGui context and releases those held before.
  void hold(std::span<const session::KeyEvent> pressed);

 private:
  std::vector<int> held_;
};

// Gives Dear ImGui the numbers of its own keys (arrows, Enter, Ctrl+A …): GLFW's.
void map_imgui_keys();

}  // namespace gemmscope::shell
