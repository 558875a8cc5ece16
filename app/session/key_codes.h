// The numbers that GLFW gives keys and modifiers, repeated so that chords can be read and printed without
// GLFW; shell/glfw_key_codes.cpp checks that they agree. Printable keys have the number of their US-layout
// character.
#pragma once

namespace gemmscope::session::key {

inline constexpr int kSpace = 32, kMinus = 45, kPeriod = 46, kSlash = 47, k0 = 48, kEqual = 61,
                     kRightBracket = 93;
inline constexpr int kEscape = 256, kEnter = 257, kTab = 258, kBackspace = 259, kInsert = 260, kDelete = 261;
inline constexpr int kRight = 262, kLeft = 263, kDown = 264, kUp = 265;
inline constexpr int kPageUp = 266, kPageDown = 267, kHome = 268, kEnd = 269;
inline constexpr int kPrintScreen = 283, kPause = 284, kF1 = 290, kF25 = 314;
inline constexpr int kKeypad0 = 320, kKeypad9 = 329, kKeypadDecimal = 330, kKeypadDivide = 331;
inline constexpr int kKeypadSubtract = 333, kKeypadAdd = 334, kKeypadEnter = 335, kKeypadEqual = 336;
inline constexpr int kLeftShift = 340, kRightControl = 345, kMenu = 348;
inline constexpr int kUnknown = -1, kWorld1 = 161, kCapsLock = 280;

inline constexpr int kShiftBit = 1, kControlBit = 2, kAltBit = 4, kSuperBit = 8, kCapsLockBit = 16,
                     kNumLockBit = 32;

}  // namespace gemmscope::session::key
