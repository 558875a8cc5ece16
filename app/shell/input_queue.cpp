#include "shell/input_queue.h"

#include <imgui.h>

#include <algorithm>

#include "session/key_codes.h"

namespace gemmscope::shell {
namespace {

namespace key = session::key;

bool is_modifier(int code) { return code >= key::kLeftShift && code < key::kMenu; }

bool is_shift(int code) { return code == key::kLeftShift || code == key::kLeftShift + 4; }

// A field, or a menu: it obeys one key in a frame.
bool reads_keys() {
  return ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive() ||
         ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// Shift alone makes another letter.
constexpr int kAllButShift = key::kControlBit | key::kAltBit | key::kSuperBit;

// It types a letter and means nothing else to Dear ImGui. Space presses what has the focus.
bool is_letter(int code, int modifier_bits) {
  return code > key::kSpace && code < key::kEscape && (modifier_bits & kAllButShift) == 0;
}

// Such keys have commands, and a command may open a field.
bool may_open_a_field(int code, int modifier_bits) {
  return (code >= key::kF1 && code <= key::kF25) || (modifier_bits & kAllButShift) != 0;
}

// A dialog that the next key opens must not see them, or Escape closes it in its first frame.
bool ends_something(int code) {
  return code == key::kEscape || code == key::kEnter || code == key::kKeypadEnter;
}

bool has(const std::vector<int>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

void read_modifiers(ImGuiIO& io) {
  const auto down = [&](int left) { return io.KeysDown[left] || io.KeysDown[left + 4]; };
  io.KeyShift = down(key::kLeftShift);
  io.KeyCtrl = down(key::kLeftShift + 1);
  io.KeyAlt = down(key::kLeftShift + 2);
  io.KeySuper = down(key::kLeftShift + 3);
}

}  // namespace

struct InputQueue::Given {
  bool letters = false, others = false, closed = false;  // characters; other keys; nothing may follow
  std::vector<int> pressed, released;
};

void InputQueue::key(int code, Action action, int modifier_bits) {
  if (code < 0) return;
  const Kind kind = action == Action::press    ? Kind::press
                    : action == Action::repeat ? Kind::repeat
                                               : Kind::release;
  events_.push_back({kind, static_cast<unsigned>(code), modifier_bits});
}

void InputQueue::character(unsigned code_point) { events_.push_back({Kind::character, code_point}); }

void InputQueue::click() { events_.push_back({Kind::click}); }

// A field takes the letters of a frame before its keys, and none while Ctrl is down.
bool InputQueue::may_follow(const Event& event, const Given& given) const {
  if (given.closed) return false;
  if (event.kind == Kind::character) return !given.others;
  if (event.kind != Kind::press) return true;
  const int code = static_cast<int>(event.code);
  if (is_modifier(code)) return is_shift(code) || !given.letters;
  // A form is checked between the letters that complete it and the Enter that runs it.
  if (ends_something(code) && given.letters) return false;
  return is_letter(code, event.modifier_bits) || !has(given.released, code);
}

void InputQueue::give_one(const Event& event, Given& given) {
  ImGuiIO& io = ImGui::GetIO();
  const int code = static_cast<int>(event.code);
  switch (event.kind) {
    case Kind::character:
      io.AddInputCharacter(event.code);
      given.letters = true;
      return;
    case Kind::click:
      given.closed = true;
      return;
    case Kind::release:
      if (has(given.pressed, code)) {
        late_releases_.push_back(code);
      } else {
        io.KeysDown[code] = false;
        given.released.push_back(code);
      }
      return;
    case Kind::press:
    case Kind::repeat:
      break;
  }
  const session::KeyChord chord = session::chord_of(code, event.modifier_bits);
  if (chord) keys_.push_back({chord, event.kind == Kind::repeat});
  if (event.kind == Kind::repeat) return;  // Dear ImGui repeats by the time
  io.KeysDown[code] = true;
  given.pressed.push_back(code);
  if (is_modifier(code) || is_letter(code, event.modifier_bits)) return;
  given.others = true;
  given.closed = reads_keys() || may_open_a_field(code, event.modifier_bits) || ends_something(code);
}

void InputQueue::give(bool held) {
  ImGuiIO& io = ImGui::GetIO();
  Given given;
  for (const int code : std::exchange(late_releases_, {})) {
    io.KeysDown[code] = false;
    given.released.push_back(code);
  }
  while (!held && !events_.empty() && may_follow(events_.front(), given)) {
    give_one(events_.front(), given);
    events_.pop_front();
  }
  read_modifiers(io);
}

}  // namespace gemmscope::shell
