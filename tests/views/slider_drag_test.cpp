// A dragged slider requests every value it passes, and the whole drag is one step to undo.
#include <gtest/gtest.h>
#include <imgui.h>

#include "session/workspace.h"
#include "shell/offscreen.h"
#include "views/toggles_view.h"

namespace gemmscope::views {
namespace {

class SliderDrag : public testing::Test {
 protected:
  void SetUp() override {
    auto target = shell::Offscreen::create({.size = {300, 400}, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    experiment::Experiment first;
    first.kernel = "occupancy";
    workspace_ = std::make_unique<session::Workspace>([] {}, first);
  }
  void frame(const shell::SimulatedInput& input) {
    workspace_->begin_frame(0);
    target_->set_input(input);
    target_->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    view_.draw(workspace_->state(), workspace_->requests());
    ImGui::End();
    target_->end_frame();
    workspace_->end_frame();
  }
  std::map<std::string, int64_t> toggles() { return workspace_->state().experiment.toggles; }
  // Moves over these places with the button down, then releases it.
  void drag(const std::vector<drawing::Point>& places) {
    frame({.mouse = places[0]});
    for (const drawing::Point& at : places) frame({.mouse = at, .left_button = true});
    frame({.mouse = places.back()});
  }
  // Finds the height of the first slider, where a drag to the right changes a toggle.
  std::optional<float> find_slider() {
    for (float y = 5; y < 300; y += 5) {
      drag({{30, y}, {150, y}});
      if (!toggles().empty()) return y;
    }
    return std::nullopt;
  }

  std::unique_ptr<shell::Offscreen> target_;
  std::unique_ptr<session::Workspace> workspace_;
  TogglesView view_;
};

TEST_F(SliderDrag, IsOneStepToUndo) {
  const std::optional<float> y = find_slider();
  ASSERT_TRUE(y) << "no slider was found";
  while (workspace_->can_undo()) workspace_->undo();
  ASSERT_TRUE(toggles().empty());
  std::set<std::map<std::string, int64_t>> seen;
  std::vector<drawing::Point> places;
  for (float x = 30; x < 200; x += 10) places.push_back({x, *y});
  frame({.mouse = places[0]});
  for (const drawing::Point& at : places) {
    frame({.mouse = at, .left_button = true});
    seen.insert(toggles());
  }
  frame({.mouse = places.back()});
  EXPECT_GT(seen.size(), 5u) << "the picture follows while it is dragged";
  const auto first_end = toggles();
  // A second drag is a step of its own.
  drag({{180, *y}, {120, *y}, {60, *y}});
  const auto second_end = toggles();
  ASSERT_NE(first_end, second_end);
  workspace_->undo();
  EXPECT_EQ(toggles(), first_end);
  workspace_->undo();
  EXPECT_TRUE(toggles().empty());
  EXPECT_FALSE(workspace_->can_undo());
  workspace_->redo();
  EXPECT_EQ(toggles(), first_end);
  workspace_->redo();
  EXPECT_EQ(toggles(), second_end);
}

}  // namespace
}  // namespace gemmscope::views
