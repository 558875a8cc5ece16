// However slowly frames follow each other, what is typed arrives in its order and whole.
#include "shell/input_queue.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cctype>
#include <string_view>

#include "session/key_codes.h"
#include "shell/offscreen_keys.h"

namespace gemmscope::shell {
namespace {

namespace key = session::key;
using Action = InputQueue::Action;

class InputQueueTest : public testing::Test {
 protected:
  void SetUp() override {
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {200, 100};
    io.IniFilename = nullptr;
    io.Fonts->Build();
    map_imgui_keys();
  }
  void TearDown() override { ImGui::DestroyContext(context_); }

  // A person's key, pressed and released.
  void tap(int code, int modifier_bits = 0) {
    const int control = key::kLeftShift + 1;
    if ((modifier_bits & key::kControlBit) != 0) queue_.key(control, Action::press, 0);
    queue_.key(code, Action::press, modifier_bits);
    queue_.key(code, Action::release, modifier_bits);
    if ((modifier_bits & key::kControlBit) != 0) queue_.key(control, Action::release, key::kControlBit);
  }
  void type(std::string_view letters) {
    for (const char letter : letters) {
      const int code = std::toupper(static_cast<unsigned char>(letter));
      queue_.key(code, Action::press, 0);
      queue_.character(static_cast<unsigned char>(letter));
      queue_.key(code, Action::release, 0);
    }
  }
  void frame(bool held = false) {
    queue_.give(held);
    ImGui::NewFrame();
    ImGui::Begin("window");
    if (focus_next_) ImGui::SetKeyboardFocusHere();
    focus_next_ = false;
    if (ImGui::InputText("field", text_, sizeof text_, ImGuiInputTextFlags_EnterReturnsTrue))
      entered_ = text_;
    ImGui::End();
    ImGui::EndFrame();
    for (const session::KeyEvent& event : queue_.take_keys()) keys_.push_back(print_chord(event.chord));
  }
  void frames(int count) {
    while (count-- > 0) frame();
  }
  void open_field() {
    focus_next_ = true;
    frames(4);
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  }

  InputQueue queue_;
  ImGuiContext* context_ = nullptr;
  char text_[64] = "";
  std::string entered_;
  bool focus_next_ = false;
  std::vector<std::string> keys_;
};

TEST_F(InputQueueTest, ATapBetweenTwoFramesIsSeen) {
  open_field();
  type("ab");
  tap(key::kEnter);
  frames(3);
  EXPECT_EQ(entered_, "ab");
  EXPECT_EQ(keys_, (std::vector<std::string>{"A", "B", "Enter"}));
  EXPECT_TRUE(queue_.empty());
}

TEST_F(InputQueueTest, KeysAndLettersKeepTheirOrder) {
  open_field();
  type("cd");
  tap('A', key::kControlBit);
  type("ab");
  tap(key::kBackspace);
  type("x");
  tap(key::kEnter);
  frames(12);
  EXPECT_EQ(entered_, "ax");
  EXPECT_TRUE(queue_.empty());
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
}

TEST_F(InputQueueTest, OneKeyTwiceIsTwoPresses) {
  open_field();
  type("abc");
  tap(key::kBackspace);
  tap(key::kBackspace);
  tap(key::kEnter);
  frames(10);
  EXPECT_EQ(entered_, "a");
}

TEST_F(InputQueueTest, WhatFollowsACommandWaitsForItsField) {
  tap('M', key::kControlBit);
  type("64");
  tap(key::kEnter);
  frame();
  ASSERT_EQ(keys_, std::vector<std::string>{"Ctrl+M"});
  focus_next_ = true;
  for (int i = 0; i < 3; ++i) frame(true);
  EXPECT_EQ(keys_.size(), 1u) << "the digits are no commands";
  frames(4);
  EXPECT_EQ(entered_, "64");
}

TEST_F(InputQueueTest, EscapeIsNotSeenByWhatTheNextKeyOpens) {
  tap(key::kEscape);
  tap('O', key::kControlBit);
  type("a");
  frame();
  EXPECT_EQ(keys_, std::vector<std::string>{"Escape"});
  frame();
  EXPECT_EQ(keys_, (std::vector<std::string>{"Escape", "Ctrl+O"}));
}

TEST_F(InputQueueTest, EnterComesAfterTheFrameOfItsLetters) {
  open_field();
  type("ab");
  tap(key::kEnter);
  frame();
  EXPECT_STREQ(text_, "ab");
  EXPECT_EQ(entered_, "");
  frame();
  EXPECT_EQ(entered_, "ab");
}

TEST_F(InputQueueTest, WhatFollowsAClickWaitsForTheNextFrame) {
  queue_.click();
  type("t");
  frame();
  EXPECT_TRUE(keys_.empty());
  frame();
  EXPECT_EQ(keys_, std::vector<std::string>{"T"});
}

// Without a field, a class that holds an arrow does not wait for a frame each.
TEST_F(InputQueueTest, CommandsDoNotWaitForEachOther) {
  for (int i = 0; i < 5; ++i) tap(key::kRight);
  queue_.key(key::kLeft, Action::press, 0);
  for (int i = 0; i < 3; ++i) queue_.key(key::kLeft, Action::repeat, 0);
  frame();
  EXPECT_EQ(keys_.size(), 9u);
}

}  // namespace
}  // namespace gemmscope::shell
