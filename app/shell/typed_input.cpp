#include "shell/typed_input.h"

#include <algorithm>
#include <utility>

#include "session/key_codes.h"

namespace gemmscope::shell {
namespace {

constexpr int kCounting = session::key::kControlBit | session::key::kAltBit | session::key::kSuperBit;

bool is_modifier(int key) { return key >= session::key::kLeftShift && key < session::key::kMenu; }
// Backspace, Enter, an arrow: its place among the letters matters.
bool is_special(int key) { return key >= session::key::kEscape && !is_modifier(key); }

}  // namespace

void TypedInput::press(int key, int modifiers) {
  events_.push_back({key, modifiers & kCounting, (modifiers & session::key::kShiftBit) != 0, 0});
}
void TypedInput::type(unsigned letter) { events_.push_back({-1, 0, false, letter}); }

FrameKeys TypedInput::next_frame() {
  FrameKeys frame;
  const std::vector<int> before = std::exchange(shown_, {});
  size_t taken = 0;
  for (; taken < events_.size(); ++taken) {
    const Event& event = events_[taken];
    if (is_modifier(event.key)) {
      frame.pressed.push_back(event.key);
      continue;
    }
    if (frame.has_modifiers && event.modifiers != frame.modifiers) break;
    if (frame.has_special && (event.key < 0 || is_special(event.key))) break;
    if (event.key < 0) {
      frame.letters.push_back(event.letter);
      continue;
    }
    if (std::ranges::find(before, event.key) != before.end() ||
        std::ranges::find(shown_, event.key) != shown_.end())
      break;
    frame.has_modifiers = true;
    frame.modifiers = event.modifiers;
    frame.pressed.push_back(event.key);
    shown_.push_back(event.key);
    if (!is_special(event.key)) continue;
    frame.has_special = true;
    frame.shift = event.shift;
  }
  events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken));
  return frame;
}

}  // namespace gemmscope::shell
