#include "shell/offscreen.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "drawing/palette.h"
#include "shell/frame_time.h"
#include "shell/window.h"

namespace gemmscope::shell {
namespace {

class OffscreenTest : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
  }

  static std::unique_ptr<Offscreen> make(PixelSize size) {
    auto target = Offscreen::create({.size = size});
    EXPECT_TRUE(target) << target.error().message;
    return target ? std::move(*target) : nullptr;
  }

  static Image draw(Offscreen& target) {
    Image image;
    for (int frame = 0; frame < 2; ++frame) {
      target.begin_frame();
      ImGui::SetNextWindowPos({8, 8});
      ImGui::Begin("window");
      ImGui::TextUnformatted("C = α·A·B + β·C");
      ImGui::Button("Run");
      ImGui::End();
      target.end_frame(&image);
    }
    return image;
  }

  static std::size_t colors_of(const Image& image) {
    std::set<unsigned> colors;
    for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3) {
      colors.insert(image.pixels[i] | image.pixels[i + 1] << 8 | image.pixels[i + 2] << 16);
    }
    return colors.size();
  }
};

TEST_F(OffscreenTest, PictureHasItsSizeAndIsNotBlank) {
  for (const PixelSize size : {PixelSize{640, 360}, {1279, 721}, {200, 100}}) {
    const auto target = make(size);
    ASSERT_NE(target, nullptr);
    const Image image = draw(*target);
    EXPECT_EQ(image.size, size);
    EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(size.width) * size.height * 3);
    EXPECT_GT(colors_of(image), 20u);
  }
}

TEST_F(OffscreenTest, SameFrameSamePixels) {
  const auto a = make({320, 200}), b = make({320, 200});
  ASSERT_TRUE(a && b);
  const Image first = draw(*a), second = draw(*b), again = draw(*a);
  EXPECT_EQ(first.pixels, second.pixels);
  EXPECT_EQ(first.pixels, again.pixels);
}

TEST_F(OffscreenTest, RowsRunFromTheTop) {
  const auto target = make({64, 64});
  ASSERT_NE(target, nullptr);
  Image image;
  target->begin_frame();
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {64, 8}, IM_COL32(255, 0, 0, 255));
  target->end_frame(&image);
  EXPECT_EQ(image.pixels[0], 255);
  EXPECT_EQ(image.pixels[(63 * 64) * 3], drawing::color(drawing::Role::background).r);
}

TEST_F(OffscreenTest, ThemeChangesTakeEffect) {
  const auto target = make({320, 200});
  ASSERT_NE(target, nullptr);
  const Image dark = draw(*target);
  drawing::set_current_theme(drawing::Theme::light);
  const Image light = draw(*target);
  drawing::set_current_theme(drawing::Theme::dark);
  EXPECT_LT(dark.pixels[dark.pixels.size() - 1], 64);
  EXPECT_GT(light.pixels[light.pixels.size() - 1], 192);
}

TEST_F(OffscreenTest, PngIsWrittenWhole) {
  const auto target = make({123, 45});
  ASSERT_NE(target, nullptr);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "gemmscope_offscreen_test.png";
  ASSERT_TRUE(write_png(draw(*target), path.string()));
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  ASSERT_GT(bytes.size(), 57u);
  // PNG (W3C): signature, IHDR with big-endian width and height, IEND at the end.
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  EXPECT_EQ(bytes.substr(12, 4), "IHDR");
  EXPECT_EQ(static_cast<unsigned char>(bytes[19]), 123);
  EXPECT_EQ(static_cast<unsigned char>(bytes[23]), 45);
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
}

TEST_F(OffscreenTest, PngToNowhereSaysWhere) {
  const auto result = write_png({{1, 1}, {0, 0, 0}}, "/no/such/folder/picture.png");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("/no/such/folder/picture.png"), std::string::npos);
}

TEST_F(OffscreenTest, ImpossibleSizesAreRefused) {
  for (const PixelSize size : {PixelSize{0, 100}, {100, -1}, {100'000, 100}}) {
    const auto target = Offscreen::create({.size = size});
    ASSERT_FALSE(target);
    EXPECT_NE(target.error().message.find(std::to_string(size.width)), std::string::npos);
  }
}

TEST_F(OffscreenTest, KeysAndTextReachTheFrame) {
  const auto target = make({320, 200});
  ASSERT_NE(target, nullptr);
  char text[32] = "";
  const auto frame = [&] {
    target->begin_frame();
    const auto keys = target->take_keys();
    ImGui::Begin("window");
    ImGui::SetKeyboardFocusHere();
    ImGui::InputText("field", text, sizeof text);
    ImGui::End();
    target->end_frame();
    return keys;
  };
  frame(), frame();
  target->set_input({.typed = "µs"});
  frame();
  EXPECT_STREQ(text, "µs");
  target->press(*session::parse_chord("Backspace"));
  const auto keys = frame();
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(print_chord(keys[0].chord), "Backspace");
  EXPECT_STREQ(text, "µ");
  EXPECT_TRUE(frame().empty());
}

TEST_F(OffscreenTest, FrameTimeOverlayIsDrawn) {
  const auto target = make({640, 360});
  ASSERT_NE(target, nullptr);
  FrameTimes times;
  for (int i = 0; i < 100; ++i) times.add(8 + i % 3);
  Image image;
  for (int frame = 0; frame < 2; ++frame) {
    target->begin_frame();
    draw_frame_time_overlay(times);
    target->end_frame(&image);
  }
  EXPECT_GT(colors_of(image), 20u);
}

TEST_F(OffscreenTest, WindowWithoutADisplayIsASentence) {
  const auto window = Window::open();
  ASSERT_FALSE(window);
  EXPECT_NE(window.error().message.find("display"), std::string::npos);
  EXPECT_NE(window.error().message.find("gemmscope render"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::shell
