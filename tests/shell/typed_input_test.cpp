#include "shell/typed_input.h"

#include <gtest/gtest.h>

#include <string>

#include "session/key_codes.h"

namespace gemmscope::shell {
namespace {

using namespace session::key;

void type(TypedInput& input, const std::string& text) {
  for (const char c : text) {
    input.press(c - 'a' + 'A', 0);
    input.type(static_cast<unsigned>(c));
  }
}
std::string letters(const FrameKeys& frame) { return {frame.letters.begin(), frame.letters.end()}; }

TEST(TypedInput, LettersComeTogether) {
  TypedInput input;
  type(input, "abc");
  const FrameKeys frame = input.next_frame();
  EXPECT_EQ(letters(frame), "abc");
  EXPECT_EQ(frame.modifiers, 0);
  EXPECT_FALSE(input.waiting());
  EXPECT_TRUE(input.next_frame().pressed.empty());
}

TEST(TypedInput, LettersAfterCtrlAWaitForTheNextFrame) {
  TypedInput input;
  type(input, "bc");
  input.press(kLeftShift + 1, kControlBit);
  input.press('A', kControlBit);
  type(input, "xy");
  const FrameKeys before = input.next_frame();
  EXPECT_EQ(letters(before), "bc");
  EXPECT_EQ(before.modifiers, 0);
  const FrameKeys all = input.next_frame();
  EXPECT_EQ(all.modifiers, kControlBit);
  EXPECT_EQ(all.pressed.back(), 'A');
  EXPECT_TRUE(all.letters.empty());
  EXPECT_TRUE(input.waiting());
  EXPECT_EQ(letters(input.next_frame()), "xy");
  EXPECT_FALSE(input.waiting());
}

TEST(TypedInput, ALetterAfterBackspaceWaitsForIt) {
  TypedInput input;
  type(input, "ab");
  input.press(kBackspace, 0);
  type(input, "c");
  const FrameKeys first = input.next_frame();
  EXPECT_EQ(letters(first), "ab");
  EXPECT_EQ(first.pressed.back(), kBackspace);
  EXPECT_TRUE(first.has_special);
  EXPECT_EQ(letters(input.next_frame()), "c");
}

TEST(TypedInput, AKeyIsSeenAsOftenAsItIsPressed) {
  TypedInput input;
  for (int i = 0; i < 3; ++i) input.press(kDown, kShiftBit);
  int seen = 0, frames = 0;
  do {
    const FrameKeys frame = input.next_frame();
    seen += static_cast<int>(frame.pressed.size());
    EXPECT_EQ(frame.shift, frame.has_special);
    ++frames;
  } while (input.waiting());
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(frames, 5) << "released for a frame in between";
}

TEST(TypedInput, LettersOfAnInputMethodNeedNoKey) {
  TypedInput input;
  input.type(0x4e2d);
  EXPECT_EQ(input.next_frame().letters, std::vector<unsigned>{0x4e2d});
}

}  // namespace
}  // namespace gemmscope::shell
