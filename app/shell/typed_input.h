// The keys and letters that came since the last frame, in their order. Dear ImGui 1.86 looks at the keyboard
// once a frame: a key pressed and released in between would be lost, Ctrl+A followed by letters would take
// the letters for shortcuts, and a letter after Backspace would be deleted in place of the one before.
#pragma once

#include <vector>

namespace gemmscope::shell {

// What one frame sees.
struct FrameKeys {
  std::vector<int> pressed;       // GLFW's keys
  int modifiers = 0;              // GLFW's bits that were held with them, without Shift
  bool has_modifiers = false;     // there are such keys: the bits count, not the keyboard as it is now
  bool has_special = false;       // one of them is Backspace, Enter, an arrow …
  bool shift = false;             // held with that one
  std::vector<unsigned> letters;  // Unicode
};

class TypedInput {
 public:
  void press(int key, int modifiers);
  void type(unsigned letter);
  // Takes what the next frame can see in any order; the rest waits. A key is shown again after a frame
  // without it.
  FrameKeys next_frame();
  bool waiting() const { return !events_.empty(); }

 private:
  struct Event {
    int key = -1;  // -1: a letter
    int modifiers = 0;
    bool shift = false;
    unsigned letter = 0;
  };
  std::vector<Event> events_;
  std::vector<int> shown_;  // in the last frame
};

}  // namespace gemmscope::shell
