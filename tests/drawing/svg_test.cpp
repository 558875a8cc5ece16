// Shapes as SVG: what is written is well formed, clipped, and keeps text as text.
#include <gtest/gtest.h>

#include "drawing/vector_picture.h"

namespace gemmscope::drawing {
namespace {

constexpr Rect kAll{0, 0, 100, 50};
constexpr Color kRed{255, 0, 0, 255};

VectorPicture picture_of(std::vector<VectorItem> items) {
  return {{100, 50}, {10, 20, 30, 255}, std::move(items)};
}
VectorPolygon box(Rect r, Color color = kRed) {
  return {{r.top_left(), {r.right, r.top}, r.bottom_right(), {r.left, r.bottom}}, color};
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Svg, ARectangleIsCutAtItsClip) {
  const std::string svg = svg_of(picture_of({{{20, 0, 40, 50}, box({10, 5, 90, 15})}}), kAll);
  EXPECT_TRUE(has(svg, "<rect x=\"20\" y=\"5\" width=\"20\" height=\"10\" fill=\"#ff0000\"/>")) << svg;
  EXPECT_FALSE(has(svg, "clipPath")) << svg;
}

TEST(Svg, OtherShapesAreClippedOnlyWhereTheyMust) {
  const VectorPolygon triangle{{{0, 0}, {30, 0}, {0, 30}}, {0, 255, 0, 128}};
  const std::string inside = svg_of(picture_of({{kAll, triangle}}), kAll);
  EXPECT_TRUE(has(inside, "<polygon points=\"0,0 30,0 0,30\" fill=\"#00ff00\" fill-opacity=\"0.5\"/>"))
      << inside;
  EXPECT_FALSE(has(inside, "clip-path"));
  const std::string cut = svg_of(picture_of({{{0, 0, 20, 20}, triangle}}), kAll);
  EXPECT_TRUE(has(cut, "<g clip-path=\"url(#c0)\">")) << cut;
  EXPECT_TRUE(has(cut, "<clipPath id=\"c0\"><rect x=\"0\" y=\"0\" width=\"20\" height=\"20\"/></clipPath>"))
      << cut;
}

TEST(Svg, TextStaysTextAndIsEscaped) {
  VectorText text{{10, 20.5f}, 44.25f, 13, true, true, kRed, "a<b & \"c\"\x01"};
  const std::string svg = svg_of(picture_of({{kAll, text}}), kAll);
  EXPECT_TRUE(has(svg, ">a&lt;b &amp; \"c\"</text>")) << svg;
  EXPECT_TRUE(has(svg, "x=\"10\" y=\"20.5\" class=\"m b\" font-size=\"13\" textLength=\"44.25\"")) << svg;
  EXPECT_TRUE(has(svg, "'JetBrains Mono', 'DejaVu Sans Mono', 'Noto Sans Mono', monospace")) << svg;
}

TEST(Svg, EqualCellsBecomeOneRectangle) {
  VectorCells cells{{0, 0, 40, 20}, 4, 2, {}};
  cells.cells = {kRed, kRed, kRed, {0, 0, 0, 0}, kRed, {0, 0, 255, 255}, kRed, kRed};
  const std::string svg = svg_of(picture_of({{kAll, cells}}), kAll);
  EXPECT_TRUE(has(svg, "<rect x=\"0\" y=\"0\" width=\"30\" height=\"10\" fill=\"#ff0000\"/>")) << svg;
  EXPECT_TRUE(has(svg, "<rect x=\"10\" y=\"10\" width=\"10\" height=\"10\" fill=\"#0000ff\"/>")) << svg;
  EXPECT_TRUE(has(svg, "<rect x=\"20\" y=\"10\" width=\"20\" height=\"10\" fill=\"#ff0000\"/>")) << svg;
}

TEST(Svg, APartLeavesOutWhatLiesBeside) {
  const std::string svg =
      svg_of(picture_of({{kAll, box({0, 0, 10, 10})}, {kAll, box({60, 10, 70, 20})}}), {50, 0, 100, 50});
  EXPECT_TRUE(has(svg, "viewBox=\"50 0 50 50\"")) << svg;
  EXPECT_FALSE(has(svg, "x=\"0\"")) << svg;
  EXPECT_TRUE(has(svg, "x=\"60\"")) << svg;
}

}  // namespace
}  // namespace gemmscope::drawing
