// Key chords as people write them: "Ctrl+Shift+P", "Space", "F3".
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gemmscope::session {

enum class Modifiers : std::uint8_t { none = 0, ctrl = 1, shift = 2, alt = 4, super = 8 };
constexpr Modifiers operator|(Modifiers a, Modifiers b) {
  return static_cast<Modifiers>(static_cast<int>(a) | static_cast<int>(b));
}
constexpr Modifiers operator&(Modifiers a, Modifiers b) {
  return static_cast<Modifiers>(static_cast<int>(a) & static_cast<int>(b));
}

// `key` is a number of session/key_codes.h or a printable US-layout character; 0 means no key.
struct KeyChord {
  int key = 0;
  Modifiers modifiers = Modifiers::none;

  explicit operator bool() const { return key != 0; }
  auto operator<=>(const KeyChord&) const =
      default;  // NOLINT(modernize-use-nullptr): misread by clang-tidy 14
};

// Accepts modifiers in any order and names in any case: "ctrl+p", "Shift+F3", "Ctrl+=", "Ctrl++" (the plus
// key is '='), "[".
Result<KeyChord> parse_chord(std::string_view text);
// "Ctrl+Alt+Shift+Super+Key" in that order; parse_chord reads it back. "" for no key.
std::string print_chord(KeyChord chord);

// Makes a chord of the numbers that GLFW's key callback gives. Caps lock and num lock are dropped, keypad
// keys become their main-block twins, and a modifier pressed alone gives no chord.
KeyChord chord_of(int key, int modifier_bits);

// Whether a text field takes the chord before any command. It takes letters, arrows, Enter and Escape, what
// Ctrl edits with (Ctrl+A, Ctrl+Z, Ctrl+Left …), and all with Alt, which is a way to type letters; but not
// F-keys and nothing else with Ctrl or Super.
bool types_text(KeyChord chord);

struct KeyEvent {
  KeyChord chord;
  bool repeat = false;  // held down
};

}  // namespace gemmscope::session
