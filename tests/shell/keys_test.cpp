#include "shell/keys.h"

#include <gtest/gtest.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace gemmscope::shell {
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
  EXPECT_EQ(*parse_chord("Ctrl++"), (KeyChord{GLFW_KEY_EQUAL, Modifiers::ctrl}));
  EXPECT_EQ(*parse_chord("+"), (KeyChord{GLFW_KEY_EQUAL}));
}

TEST(Keys, NumbersAreGlfws) {
  EXPECT_EQ(parse_chord("A")->key, GLFW_KEY_A);
  EXPECT_EQ(parse_chord("F12")->key, GLFW_KEY_F12);
  EXPECT_EQ(parse_chord("]")->key, GLFW_KEY_RIGHT_BRACKET);
}

TEST(Keys, NonsenseIsNamed) {
  for (const char* text :
       {"", "Ctrl+", "Hyper+P", "F0", "F26", "F01", "Banana", "Ctrl", "+P", "Ctrl+Shift", "é"}) {
    const auto chord = parse_chord(text);
    ASSERT_FALSE(chord) << text;
    EXPECT_NE(chord.error().message.find(std::string("\"") + text + "\""), std::string::npos)
        << chord.error().message;
  }
}

TEST(Keys, FromGlfw) {
  EXPECT_EQ(print_chord(chord_from_glfw(GLFW_KEY_P, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT)), "Ctrl+Shift+P");
  EXPECT_EQ(print_chord(chord_from_glfw(GLFW_KEY_P, GLFW_MOD_CAPS_LOCK | GLFW_MOD_NUM_LOCK)), "P");
  EXPECT_EQ(print_chord(chord_from_glfw(GLFW_KEY_KP_ADD, GLFW_MOD_CONTROL)), "Ctrl+=");
  EXPECT_EQ(print_chord(chord_from_glfw(GLFW_KEY_KP_7, 0)), "7");
  EXPECT_EQ(print_chord(chord_from_glfw(GLFW_KEY_KP_ENTER, 0)), "Enter");
  for (const int key : {GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_CONTROL, GLFW_KEY_CAPS_LOCK, GLFW_KEY_WORLD_1,
                        GLFW_KEY_UNKNOWN}) {
    EXPECT_FALSE(chord_from_glfw(key, 0)) << key;
  }
}

TEST(Keys, TextFieldsComeFirst) {
  EXPECT_TRUE(types_text(*parse_chord("A")));
  EXPECT_TRUE(types_text(*parse_chord("Shift+A")));
  EXPECT_TRUE(types_text(*parse_chord("Left")));
  EXPECT_FALSE(types_text(*parse_chord("Ctrl+P")));
  EXPECT_FALSE(types_text(*parse_chord("F1")));
}

}  // namespace
}  // namespace gemmscope::shell
