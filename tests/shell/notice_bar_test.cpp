// While a film is taken the notice bar lies over panels: nothing of them may show through.
#include "shell/notice_bar.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "drawing/palette.h"
#include "session/workspace.h"
#include "shell/offscreen.h"

namespace gemmscope::shell {
namespace {

TEST(NoticeBar, CoversThePanelBelowIt) {
  auto target = Offscreen::create({.size = {800, 300}, .content_scale = 1.0f});
  ASSERT_TRUE(target) << target.error().message;
  session::Workspace workspace([] {}, {});
  session::AppFlags flags;
  const session::CommandTable commands = session::make_commands(workspace, flags);
  flags.exports.running = "film";
  Image image;
  for (int frame = 0; frame < 2; ++frame) {
    (*target)->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    for (const float top : {0.0f, 200.0f}) {  // the bar lies over the first, and the second comes between
      ImGui::SetCursorScreenPos({0, top});
      ImGui::BeginChild(top > 0 ? "second" : "first", {800, 50});
      ImGui::GetWindowDrawList()->AddRectFilled({0, top}, {800, top + 50}, IM_COL32_WHITE);
      ImGui::EndChild();
    }
    (void)draw_notice_bar(commands, flags, {0, 0, 800, 50});
    ImGui::End();
    (*target)->end_frame(&image);
  }
  const auto ground = drawing::color(drawing::Role::panel_raised);
  const unsigned char* const pixel = &image.pixels[(25 * 800 + 400) * 3];
  EXPECT_EQ(pixel[0], ground.r);
  EXPECT_EQ(pixel[1], ground.g);
  EXPECT_EQ(pixel[2], ground.b);
}

}  // namespace
}  // namespace gemmscope::shell
