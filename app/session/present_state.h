// Presenter mode: what a class sees from the last row.
#pragma once

#include <string>
#include <utility>

namespace gemmscope::session {

// How much larger all is drawn than in a window of 1920×1080 or more that one works in; with fewer lines, as
// large on the wall as there.
inline constexpr float kPresentingZoom = 1.6f;
inline constexpr double kKeyShownSeconds = 2;

struct PresentState {
  bool on = false;
  bool filled_screen = false;  // presenting has made the window full-screen, so leaving it ends that
  bool black = false;          // the screen shows nothing
  bool spotlight = false;      // all but the pointer's surroundings is dimmed
  float zoom = kPresentingZoom;

  // The command that ran last, for the corner.
  std::string key, title;
  double key_seconds = 0;  // it is still shown

  void show_key(std::string key_text, std::string command_title) {
    key = std::move(key_text);
    title = std::move(command_title);
    key_seconds = kKeyShownSeconds;
  }
};

}  // namespace gemmscope::session
