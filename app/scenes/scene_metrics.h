// What every picture is laid out by: the lengths of the screen that it is drawn on.
#pragma once

namespace gemmscope::scenes {

// Lengths that the scene needs from the screen, in pixels.
struct SceneMetrics {
  float scale = 1;         // UI scale
  float line_height = 18;  // of body text
  float small_height = 15;
  float digit_width = 8;  // of small text
  float code_width = 7;   // of a character of code
  float code_height = 15;
};

}  // namespace gemmscope::scenes
