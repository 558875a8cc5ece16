// Checks the canvas and the cell texture pixel by pixel in an off-screen picture.
#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdlib>
#include <functional>

#include "drawing/canvas.h"
#include "drawing/text_fit.h"
#include "shell/offscreen.h"

namespace gemmscope::drawing {
namespace {

using shell::Image;
using shell::Offscreen;

constexpr shell::PixelSize kSize{400, 300};

Color pixel(const Image& image, int x, int y) {
  const unsigned char* p = &image.pixels[(static_cast<std::size_t>(y) * image.size.width + x) * 3];
  return {p[0], p[1], p[2]};
}

class CanvasPicture : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
    auto target = Offscreen::create({.size = kSize, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
  }

  // Draws twice, so that sizes settle, and returns the second picture. The canvas covers the whole picture.
  Image draw(const std::function<void(Canvas&)>& content) {
    Image image;
    for (int frame = 0; frame < 2; ++frame) {
      target_->begin_frame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
      ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
      Canvas canvas("canvas");
      content(canvas);
      ImGui::End();
      ImGui::PopStyleVar();
      target_->end_frame(&image);
    }
    return image;
  }

  std::unique_ptr<Offscreen> target_;
};

TEST_F(CanvasPicture, RectanglesCoverExactlyTheirPixels) {
  const Color red{200, 30, 40}, ground = color(Role::background);
  const Image image = draw([&](Canvas& canvas) { canvas.fill_rect({10, 20, 13, 22}, red); });
  EXPECT_EQ(pixel(image, 10, 20), red);
  EXPECT_EQ(pixel(image, 12, 21), red);
  EXPECT_EQ(pixel(image, 9, 20), ground);
  EXPECT_EQ(pixel(image, 13, 21), ground);
  EXPECT_EQ(pixel(image, 12, 22), ground);
}

TEST_F(CanvasPicture, StraightLinesAreSharp) {
  const Color white{255, 255, 255}, ground = color(Role::background);
  const Image image = draw([&](Canvas& canvas) {
    canvas.line({50, 5}, {50, 60}, white, 1);
    canvas.stroke_rect({100, 100, 120, 110}, white, 1);
  });
  EXPECT_EQ(pixel(image, 50, 30), white);
  EXPECT_EQ(pixel(image, 49, 30), ground);
  EXPECT_EQ(pixel(image, 51, 30), ground);
  EXPECT_EQ(pixel(image, 100, 105), white);
  EXPECT_EQ(pixel(image, 119, 105), white);
  EXPECT_EQ(pixel(image, 110, 109), white);
  EXPECT_EQ(pixel(image, 120, 105), ground);
  EXPECT_EQ(pixel(image, 110, 105), ground);
}

TEST_F(CanvasPicture, ManyRectanglesInOneCall) {
  // There are more rectangles than 16-bit indices can address.
  std::vector<ColoredRect> rects;
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 300; ++x) {
      rects.push_back(
          {{float(x), float(y), float(x + 1), float(y + 1)}, {std::uint8_t(x % 256), std::uint8_t(y), 7}});
    }
  }
  const Image image = draw([&](Canvas& canvas) { canvas.fill_rects(rects); });
  for (const auto& [x, y] : {std::pair{0, 0}, {299, 199}, {150, 99}, {255, 180}}) {
    EXPECT_EQ(pixel(image, x, y), (Color{std::uint8_t(x % 256), std::uint8_t(y), 7}));
  }
}

TEST_F(CanvasPicture, TextStaysInsideItsRectangle) {
  const Color white{255, 255, 255}, ground = color(Role::background);
  const Rect room{60, 50, 131, 68};
  bool whole = true;
  const Image image = draw([&](Canvas& canvas) {
    whole = canvas.text(room, "This sentence is far too long for its rectangle", white);
  });
  EXPECT_FALSE(whole);
  int inside = 0;
  for (int y = 0; y < kSize.height; ++y) {
    for (int x = 0; x < kSize.width; ++x) {
      if (pixel(image, x, y) == ground) continue;
      EXPECT_TRUE(room.contains({float(x), float(y)})) << x << ' ' << y;
      ++inside;
    }
  }
  EXPECT_GT(inside, 100);
}

TEST_F(CanvasPicture, TextTallerThanItsRectangleIsLeftOut) {
  const Image image = draw([&](Canvas& canvas) { canvas.text({10, 10, 200, 18}, "flat", {255, 255, 255}); });
  for (int y = 0; y < 40; ++y) EXPECT_EQ(pixel(image, 14, y), color(Role::background));
}

TEST_F(CanvasPicture, FittedTextIsAsLongAsPossible) {
  draw([&](Canvas& canvas) {
    const std::string text = "register tile, vectorized loads";
    const auto ruler = [&](std::string_view part) { return canvas.text_width(part); };
    for (float width = 20; width < 200; width += 7) {
      const std::string fitted = fit_text(text, width, ruler);
      EXPECT_LE(ruler(fitted), width);
      if (fitted == text) continue;
      const std::size_t kept = fitted.size() - kEllipsis.size();
      if (kept + 1 < text.size() && text[kept] != ' ') {
        EXPECT_GT(ruler(text.substr(0, kept + 1) + std::string(kEllipsis)), width);
      }
    }
  });
}

TEST_F(CanvasPicture, CellsAreDrawnWhereTheGridSaysTheyAre) {
  constexpr int kColumns = 23, kRows = 17;  // 3.7 × 4.2 pixels each: no grid lines, no whole sizes
  std::vector<Color> cells;
  for (int i = 0; i < kColumns * kRows; ++i)
    cells.push_back({std::uint8_t(i % kColumns * 11), std::uint8_t(i / kColumns * 15), 99});
  CellTexture texture;
  ASSERT_TRUE(texture.update(kColumns, kRows, cells, 1));
  const Rect area{31, 17, 31 + 85, 17 + 71};
  const CellView view{0, 0, kColumns, kRows};
  const Image image = draw([&](Canvas& canvas) { canvas.cells(texture, area); });
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const Rect rect = cell_rect(area, view, {column, row});
      const Color wanted = cells[static_cast<std::size_t>(row) * kColumns + column];
      EXPECT_EQ(pixel(image, int(rect.left), int(rect.top)), wanted) << column << ' ' << row;
      EXPECT_EQ(pixel(image, int(rect.right) - 1, int(rect.bottom) - 1), wanted) << column << ' ' << row;
    }
  }
  EXPECT_EQ(pixel(image, 30, 40), color(Role::background));
  EXPECT_EQ(pixel(image, 116, 40), color(Role::background));
}

TEST_F(CanvasPicture, ZoomedCellsShowTheirPart) {
  std::vector<Color> cells(64 * 64, Color{0, 0, 0});
  cells[10 * 64 + 20] = {255, 0, 0};
  CellTexture texture;
  ASSERT_TRUE(texture.update(64, 64, cells, 1));
  const CellView view{18.4, 8.65, 8, 8};
  const Rect area{0, 0, 40, 40};
  const Image image = draw([&](Canvas& canvas) { canvas.cells(texture, area, view); });
  const Rect rect = cell_rect(area, view, {20, 10});
  EXPECT_EQ(pixel(image, int(rect.left), int(rect.top)), (Color{255, 0, 0}));
  EXPECT_EQ(pixel(image, int(rect.right) - 1, int(rect.bottom) - 1), (Color{255, 0, 0}));
  EXPECT_EQ(pixel(image, int(rect.left) - 1, int(rect.top)), (Color{0, 0, 0}));
}

TEST_F(CanvasPicture, MoreCellsThanPixelsAreAveraged) {
  // The cells are a fine chessboard, so a picture without averaging would be black or white.
  std::vector<Color> cells;
  for (int i = 0; i < 1024 * 1024; ++i)
    cells.push_back((i % 1024 + i / 1024) % 2 == 0 ? Color{255, 255, 255} : Color{0, 0, 0});
  CellTexture texture;
  ASSERT_TRUE(texture.update(1024, 1024, cells, 1));
  const Image image = draw([&](Canvas& canvas) { canvas.cells(texture, {0, 0, 128, 128}); });
  EXPECT_NEAR(pixel(image, 64, 64).r, 128, 3);
}

TEST_F(CanvasPicture, CellTextureUploadsOnlyNewVersions) {
  CellTexture texture;
  const std::vector<Color> red(4, Color{255, 0, 0}), green(4, Color{0, 255, 0});
  ASSERT_TRUE(texture.update(2, 2, red, 1));
  EXPECT_TRUE(texture.is_current(2, 2, 1));
  EXPECT_FALSE(texture.is_current(2, 2, 2));
  ASSERT_TRUE(texture.update(2, 2, green, 1));  // the same version: what is drawn stays
  EXPECT_EQ(pixel(draw([&](Canvas& c) { c.cells(texture, {0, 0, 8, 8}); }), 3, 3), (Color{255, 0, 0}));
  ASSERT_TRUE(texture.update(2, 2, green, 2));
  EXPECT_EQ(pixel(draw([&](Canvas& c) { c.cells(texture, {0, 0, 8, 8}); }), 3, 3), (Color{0, 255, 0}));
}

TEST_F(CanvasPicture, CellTextureRefusesWhatCannotBeDrawn) {
  CellTexture texture;
  EXPECT_FALSE(texture.update(0, 4, {}, 1));
  EXPECT_FALSE(texture.update(4097, 1, std::vector<Color>(4097), 1));
  EXPECT_FALSE(texture.update(2, 2, std::vector<Color>(3), 1));
  EXPECT_TRUE(texture.empty());
  EXPECT_TRUE(texture.update(4096, 2, std::vector<Color>(8192), 1));
}

TEST_F(CanvasPicture, CanvasReceivesTheMouse) {
  bool hovered = false, clicked = false;
  Point mouse;
  float wheel = 0;
  // A window receives the mouse from the frame after it first appeared.
  draw([](Canvas&) {});
  target_->set_input({.mouse = Point{33, 44}});
  draw([](Canvas&) {});
  target_->set_input({.mouse = Point{33, 44}, .left_button = true, .wheel = 2});
  draw([&](Canvas& canvas) {
    hovered |= canvas.hovered();
    clicked |= canvas.clicked();
    wheel += canvas.wheel();
    mouse = canvas.mouse();
  });
  EXPECT_TRUE(hovered);
  EXPECT_TRUE(clicked);
  EXPECT_EQ(wheel, 2);
  EXPECT_EQ(mouse, (Point{33, 44}));
}

}  // namespace
}  // namespace gemmscope::drawing
