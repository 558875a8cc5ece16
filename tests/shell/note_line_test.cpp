// A refusal can be read, however little room the bar has.
#include "shell/note_line.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>

#include "drawing/text_boxes.h"
#include "shell/offscreen.h"

namespace gemmscope::shell {
namespace {

constexpr std::string_view kNote =
    "\"Set the kernel's toggle to the explorer's layout\" is not possible now: no toggle does.";

std::vector<drawing::TextBox> drawn_in(float room, float scale = 1) {
  const auto side = [&](float points) { return static_cast<int>(points * scale); };
  auto target = Offscreen::create({.size = {side(900), side(200)}, .content_scale = scale});
  EXPECT_TRUE(target) << target.error().message;
  const auto scaled = [&](drawing::Rect r) {
    return drawing::Rect{r.left * scale, r.top * scale, r.right * scale, r.bottom * scale};
  };
  for (int frame = 0; frame < 2; ++frame) {
    (*target)->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    drawing::Canvas canvas(scaled({100, 20, 880, 50}));
    draw_note_line(canvas, scaled({780 - room, 0, 780, 30}), kNote, drawing::FontRole::small);
    ImGui::End();
    (*target)->end_frame();
  }
  return drawing::read_text_boxes(*ImGui::GetDrawData());
}

TEST(NoteLine, StandsInItsRowWhereItFits) {
  const std::vector<drawing::TextBox> boxes = drawn_in(700);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].text, kNote);
  EXPECT_LE(boxes[0].ink.bottom, 50);
}

TEST(NoteLine, LiesBelowItsRowWhereItDoesNot) {
  // Lines are rounded to pixels, so that a scale may need more height than another for each.
  for (float scale = 1; scale < 3; scale += 0.1f) {
    SCOPED_TRACE(scale);
    std::vector<drawing::TextBox> boxes = drawn_in(120, scale);
    ASSERT_GE(boxes.size(), 2u);
    std::ranges::sort(boxes, {}, [](const drawing::TextBox& box) { return box.ink.top; });
    std::string text;
    for (const drawing::TextBox& box : boxes) {
      text += (text.empty() ? "" : " ") + box.text;
      EXPECT_GE(box.ink.top, 50 * scale);
      EXPECT_GE(box.ink.left, 300 * scale) << "at the right end";
      EXPECT_FALSE(box.cut_beside() || box.cut_above_below()) << box.text;
    }
    EXPECT_EQ(text, kNote);
  }
}

}  // namespace
}  // namespace gemmscope::shell
