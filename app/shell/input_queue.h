// Keys and letters in the order in which they were typed. Dear ImGui 1.86 reads each key once a frame and
// knows no order within it, so a frame gets only as many of them as mean the same in any order; the rest
// wait. Otherwise Escape, Ctrl+A or the letters after Ctrl+M would get lost where frames take long.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "session/keys.h"

namespace gemmscope::shell {

class InputQueue {
 public:
  enum class Action : std::uint8_t { press, repeat, release };

  void key(int key, Action action, int modifier_bits);  // in GLFW's numbers
  void character(unsigned code_point);
  // What is typed after a click waits for the next frame: what was clicked may be a field.
  void click();

  // Gives the current Dear ImGui context what the frame that begins may have. A frame of `held` input gets
  // nothing: a field is on its way, and the rest is for it.
  void give(bool held);

  // The chords that were given since the last call, for the commands.
  std::vector<session::KeyEvent> take_keys() { return std::exchange(keys_, {}); }
  bool empty() const { return events_.empty() && late_releases_.empty(); }

 private:
  enum class Kind : std::uint8_t { press, repeat, release, character, click };
  struct Event {
    Kind kind = Kind::press;
    unsigned code = 0;  // the key, or the letter
    int modifier_bits = 0;
  };
  struct Given;  // in this frame, so far

  bool may_follow(const Event& event, const Given& given) const;
  void give_one(const Event& event, Given& given);

  std::deque<Event> events_;
  std::vector<int> late_releases_;  // of keys that one frame shall see held
  std::vector<session::KeyEvent> keys_;
};

}  // namespace gemmscope::shell
