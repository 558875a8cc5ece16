#include "session/keys.h"

#include <gtest/gtest.h>

#include "session/key_codes.h"
namespace gemmscope::session {
namespace {

TEST(Keys, ParseAndPrintAgree) {
  for (const char* text :
       {"Space", "Right", "F3", "F25", "Ctrl+P", "Ctrl+Shift+P", "Ctrl+Alt+Shift+Super+Delete", "[",
        "Ctrl+=", "-", "Shift+/", "PageDown", "0", "Ctrl+`", "Escape"}) {
    const auto chord = parse_chord(text);
    ASSERT_TRUE(chord) << text;
    EXPECT_EQ(print_chord(*chord), text);
  }
}

TEST(Keys, AnyOrderAndCase) {
  EXPECT_EQ(*parse_chord("shift+ctrl+p"), *parse_chord("Ctrl+Shift+P"));
  EXPECT_EQ(*parse_chord("SPACE"), *parse_chord("Space"));
  EXPECT_EQ(*parse_chord("esc"), *parse_chord("Escape"));
}

TEST(Keys, ThePlusKey) {
  EXPECT_EQ(*parse_chord("Ctrl++"), (KeyChord{key::kEqual, Modifiers::ctrl}));
  EXPECT_EQ(*parse_chord("+"), (KeyChord{key::kEqual}));
}

TEST(Keys, CodesAreGlfws) {
  EXPECT_EQ(parse_chord("A")->key, 'A');
  EXPECT_EQ(parse_chord("F12")->key, key::kF1 + 11);
  EXPECT_EQ(parse_chord("]")->key, key::kRightBracket);
}

TEST(Keys, InvalidKeysAreReported) {
  for (const char* text :
       {"", "Ctrl+", "Hyper+P", "F0", "F26", "F01", "Banana", "Ctrl", "+P", "Ctrl+Shift", "é"}) {
    const auto chord = parse_chord(text);
    ASSERT_FALSE(chord) << text;
    EXPECT_NE(chord.error().message.find(std::string("\"") + text + "\""), std::string::npos)
        << chord.error().message;
  }
}

TEST(Keys, FromGlfw) {
  EXPECT_EQ(print_chord(chord_of('P', key::kControlBit | key::kShiftBit)), "Ctrl+Shift+P");
  EXPECT_EQ(print_chord(chord_of('P', key::kCapsLockBit | key::kNumLockBit)), "P");
  EXPECT_EQ(print_chord(chord_of(key::kKeypadAdd, key::kControlBit)), "Ctrl+=");
  EXPECT_EQ(print_chord(chord_of(key::kKeypad0 + 7, 0)), "7");
  EXPECT_EQ(print_chord(chord_of(key::kKeypadEnter, 0)), "Enter");
  for (const int key : {key::kLeftShift, key::kRightControl, key::kCapsLock, key::kWorld1, key::kUnknown}) {
    EXPECT_FALSE(chord_of(key, 0)) << key;
  }
}

TEST(Keys, CtrlAndPlusIsOneChordWithOrWithoutShift) {
  EXPECT_EQ(print_chord(chord_of(key::kEqual, key::kControlBit | key::kShiftBit)), "Ctrl+=");
  EXPECT_EQ(print_chord(chord_of(key::kEqual, key::kShiftBit)), "Shift+=");
}

TEST(Keys, TextFieldsComeFirst) {
  EXPECT_TRUE(types_text(*parse_chord("A")));
  EXPECT_TRUE(types_text(*parse_chord("Shift+A")));
  EXPECT_TRUE(types_text(*parse_chord("Left")));
  EXPECT_FALSE(types_text(*parse_chord("Ctrl+P")));
  EXPECT_FALSE(types_text(*parse_chord("F1")));
  EXPECT_FALSE(types_text(*parse_chord("Ctrl+1")));
  for (const char* edits : {"Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Left",
                            "Ctrl+Backspace", "Tab", "Enter", "Alt+C", "Ctrl+Alt+Q", "Space"})
    EXPECT_TRUE(types_text(*parse_chord(edits))) << edits;
}

}  // namespace
}  // namespace gemmscope::session
