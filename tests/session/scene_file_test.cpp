// Scenes: what is saved comes back, and what is hostile is refused with a sentence.
#include "session/scene_file.h"

#include <random>

#include "session/scene_store.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

SavedScene sample() {
  SavedScene scene;
  scene.experiment = small_experiment("bank_conflicts");
  scene.device = "rtxa4000";
  scene.experiment.toggles["PITCH"] = 33;
  scene.experiment.inputs["SWIZZLE"] = "column ^ row";
  scene.experiment.problem.alpha = 0.5f;
  scene.place = SavedPlace{3, scenes::kAllWarps, 82, "LDS", 7, 0.25, 1};
  scene.picture = catalog::Picture::banks;
  scene.timings = true;
  scene.lesson = "10_memory_and_banks/column";
  scene.source = "__global__ void k() {}\n";
  scene.overrides.block = {"32", "8"};
  scene.overrides.defines["TILE"] = 16;
  return scene;
}

void expect_same(const SavedScene& a, const SavedScene& b) {
  EXPECT_EQ(a.experiment, b.experiment);
  EXPECT_EQ(scene_text(a), scene_text(b));
}

TEST(SceneFile, ComesBackFromItsText) {
  const auto back = parse_scene(scene_text(sample()), "a scene");
  ASSERT_TRUE(back) << back.error().message;
  expect_same(sample(), *back);
}

TEST(SceneFile, ComesBackFromItsLink) {
  const std::string link = scene_link(sample());
  EXPECT_TRUE(is_scene_link(link));
  EXPECT_EQ(link.find_first_of(" \n\"'$&+/="), std::string::npos) << "it can be pasted into a shell";
  const auto back = parse_scene_link(link + "\n");
  ASSERT_TRUE(back) << back.error().message;
  expect_same(sample(), *back);
}

TEST(SceneFile, ParametersOfAUsersKernelComeBack) {
  SavedScene scene = sample();
  scene.overrides.parameters = catalog::fixed_signature();
  const auto back = parse_scene(scene_text(scene), "a scene");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(catalog::describe_parameters(back->overrides.parameters),
            catalog::describe_parameters(scene.overrides.parameters));
}

struct Bad {
  const char *text, *says;
};
class BadScene : public testing::TestWithParam<Bad> {};
TEST_P(BadScene, IsRefusedByItsMember) {
  const auto scene = parse_scene(GetParam().text, "x.gemmscope");
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find(GetParam().says), std::string::npos) << scene.error().message;
}
INSTANTIATE_TEST_SUITE_P(
    All, BadScene,
    testing::Values(Bad{"", "not a scene"}, Bad{"[1]", "not a scene"},
                    Bad{"{\"kernel\": \"x\"}", "not a scene"},
                    Bad{"{\"gemmscope_scene\": 99}", "gemmscope_scene"},
                    Bad{"{\"gemmscope_scene\": 1, \"m\": 0}", "\"m\""},
                    Bad{"{\"gemmscope_scene\": 1, \"m\": 1e99}", "\"m\""},
                    Bad{"{\"gemmscope_scene\": 1, \"arch\": \"sm_1\"}", "arch"},
                    Bad{"{\"gemmscope_scene\": 1, \"toggles\": {\"A\": \"x\"}}", "toggles"},
                    Bad{"{\"gemmscope_scene\": 1, \"thread_block\": [1, -2, 3]}", "thread_block"},
                    Bad{"{\"gemmscope_scene\": 1, \"cursor\": {\"warp\": -5}}", "cursor"},
                    Bad{"{\"gemmscope_scene\": 1, \"picture\": \"mona lisa\"}", "picture"},
                    Bad{"{\"gemmscope_scene\": 1, \"launch\": {\"parameters\": \"//! = =\"}}", "launch"}));

// Texts and links with random damage: a scene or a sentence, never a crash.
TEST(SceneFile, SurvivesDamage) {
  std::mt19937 random(11);
  const std::string text = scene_text(sample()), link = scene_link(sample());
  for (int trial = 0; trial < 3000; ++trial) {
    std::string damaged = trial % 2 == 0 ? text : link;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      const size_t at = random() % damaged.size();
      if (random() % 3 == 0)
        damaged.erase(at, 1 + random() % 9);
      else
        damaged[at] = static_cast<char>(random() % 256);
      if (damaged.empty()) break;
    }
    const auto scene = trial % 2 == 0 ? parse_scene(damaged, "x") : parse_scene_link(damaged);
    EXPECT_TRUE(scene || !scene.error().message.empty());
  }
}

TEST(SceneFile, APlaceIsFoundAgainInItsBlock) {
  WorkspaceDriver driver(small_experiment("07_register_tile"));
  ASSERT_TRUE(driver.settle());
  const experiment::BlockResult& block = *driver.state().block;
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const scenes::Cursor cursor{random() % block.trace.records.size(), scenes::kAllWavefronts};
    EXPECT_EQ(find_place(place_of(block, cursor, 0), block), cursor);
  }
}

TEST(SceneFile, OpensInAnotherWindow) {
  WorkspaceDriver first(small_experiment("08_transposed_tile"));
  ASSERT_TRUE(first.settle());
  first.workspace().step(50);
  const SavedScene saved = scene_of(first.state());
  WorkspaceDriver second(small_experiment("01_naive_rows"));
  ASSERT_TRUE(second.settle());
  ASSERT_TRUE(second.workspace().open_scene(saved));
  ASSERT_TRUE(second.settle());
  EXPECT_EQ(second.state().experiment, first.state().experiment);
  EXPECT_EQ(second.state().cursor, first.state().cursor);
}

// As somebody pastes it where files are opened.
TEST(SceneFile, ALinkOpensWhereFilesDo) {
  WorkspaceDriver from(small_experiment("03_shared_tile"));
  ASSERT_TRUE(from.settle());
  const std::string link = scene_link(scene_of(from.state()));
  WorkspaceDriver to(small_experiment("07_register_tile"));
  ASSERT_TRUE(to.settle());
  to.requests().open_file = link;
  to.workspace().end_frame();
  ASSERT_TRUE(to.settle());
  EXPECT_EQ(to.state().experiment, from.state().experiment);
  EXPECT_FALSE(to.state().failure);
}

TEST(SceneFile, AnUnknownKernelIsASentence) {
  WorkspaceDriver driver(small_experiment());
  SavedScene scene;
  scene.experiment.kernel = "no_such_kernel";
  EXPECT_NE(driver.workspace().open_scene(scene).error().message.find("no_such_kernel"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::session
