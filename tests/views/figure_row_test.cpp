// In a narrow panel the number to look at stays, and the address of the instruction goes.
#include "views/figure_row.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <array>

#include "drawing/text_boxes.h"
#include "shell/offscreen.h"

namespace gemmscope::views {
namespace {

// The texts from left to right.
std::string row_of_width(float width, std::string_view title = "LDS.128 R28, [R92+0x1f00]") {
  auto target = shell::Offscreen::create({.size = {800, 100}, .content_scale = 1.0f});
  EXPECT_TRUE(target) << target.error().message;
  (*target)->begin_frame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
  drawing::Canvas canvas(drawing::Rect{0, 0, 800, 100});
  const std::array<Figure, 3> figures = {
      {{"4", "wavefronts"}, {"4", "minimum"}, {"0", "excess", drawing::Role::text_strong, true}}};
  draw_figure_row(canvas, {0, 0, width, 30}, title, "", false, figures);
  ImGui::End();
  (*target)->end_frame();
  std::vector<drawing::TextBox> boxes = drawing::read_text_boxes(*ImGui::GetDrawData());
  std::ranges::sort(boxes, {}, [](const drawing::TextBox& box) { return box.ink.left; });
  std::string row;
  for (const drawing::TextBox& box : boxes) row += (row.empty() ? "" : "|") + box.text;
  return row;
}

TEST(FigureRow, KeepsItsFiguresWhereTheInstructionIsShortened) {
  EXPECT_EQ(row_of_width(700), "LDS.128 R28, [R92+0x1f00]|4|wavefronts|4|minimum|0|excess");
  EXPECT_EQ(row_of_width(290), "LDS.128|4|wavefronts|0|excess");
  EXPECT_EQ(row_of_width(330, "@!P0 LDS.128 R28, [R92+0x1f00]"), "@!P0 LDS.128|4|wavefronts|0|excess");
  EXPECT_TRUE(row_of_width(180).ends_with("|0|excess"));
}

}  // namespace
}  // namespace gemmscope::views
