// The point of a cliff curve follows the mouse, and a drag is one change.
#include <gtest/gtest.h>
#include <imgui.h>

#include "session/workspace.h"
#include "shell/offscreen.h"
#include "views/occupancy_panel.h"

namespace gemmscope::views {
namespace {

constexpr shell::PixelSize kSize{1000, 700};

class OccupancyDrag : public testing::Test {
 protected:
  void SetUp() override {
    auto target = shell::Offscreen::create({.size = kSize, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    workspace_ = std::make_unique<session::Workspace>([] {}, experiment::Experiment{});
    occupancy().choice = {true, {86, {256, 64, 0}}, ""};
  }
  void frame(const shell::SimulatedInput& input) {
    workspace_->begin_frame(0);
    target_->set_input(input);
    target_->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    panel_.draw(workspace_->state(), workspace_->requests());
    ImGui::End();
    target_->end_frame();
    workspace_->end_frame();
  }
  // Returns the points that were shown while the button was down.
  std::vector<metrics::OccupancyPoint> drag(float from, float to, float y) {
    std::vector<metrics::OccupancyPoint> seen;
    frame({.mouse = drawing::Point{from, y}});
    for (int i = 0; i <= 10; ++i) {
      frame(
          {.mouse = drawing::Point{from + (to - from) * static_cast<float>(i) / 10, y}, .left_button = true});
      seen.push_back(*session::occupancy_point(workspace_->state()));
    }
    frame({.mouse = drawing::Point{to, y}});
    return seen;
  }
  session::OccupancyState& occupancy() { return workspace_->state().occupancy; }

  std::unique_ptr<shell::Offscreen> target_;
  std::unique_ptr<session::Workspace> workspace_;
  OccupancyPanel panel_;
};

constexpr float kChartRow = 560;  // within the plots of a panel of this size

TEST_F(OccupancyDrag, MovesTheRegistersAndNothingElse) {
  const std::vector<metrics::OccupancyPoint> seen = drag(80, 300, kChartRow);
  for (size_t i = 1; i < seen.size(); ++i) EXPECT_GT(seen[i].needs.registers, seen[i - 1].needs.registers);
  EXPECT_EQ(seen.back().needs.threads, 256);
  EXPECT_EQ(seen.back().needs.shared_bytes, 0);
  ASSERT_TRUE(occupancy().before);
  EXPECT_EQ(occupancy().before->needs.registers, 64) << "the whole drag is one change";
  const metrics::OccupancyPoint end = seen.back();
  frame({.mouse = drawing::Point{150, kChartRow}});
  EXPECT_EQ(session::occupancy_point(workspace_->state()), end) << "the button is up";
}

TEST_F(OccupancyDrag, OfThreadsMovesByWarps) {
  const std::vector<metrics::OccupancyPoint> seen = drag(740, 960, kChartRow);
  EXPECT_NE(seen.back().needs.threads, 256);
  for (const metrics::OccupancyPoint& point : seen) {
    EXPECT_EQ(point.needs.threads % 32, 0);
    EXPECT_EQ(point.needs.registers, 64);
  }
}

}  // namespace
}  // namespace gemmscope::views
