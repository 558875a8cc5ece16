// app/README.md says which room may include which; this test checks every #include against it.
#include "include_map.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace gemmscope::layout {
namespace {

namespace fs = std::filesystem;

std::string lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

const fs::path kApp = fs::path(GEMMSCOPE_SOURCE_DIR) / "app";

TEST(IncludeMap, EveryIncludeIsAnArrowOfTheMap) {
  const IncludeReport report = check_includes(kApp, read_room_map(kApp / "README.md"));
  EXPECT_GT(report.includes, 1000u);
  EXPECT_TRUE(report.forbidden.empty()) << lines(report.forbidden);
}

TEST(IncludeMap, EveryArrowOfTheMapIsNeeded) {
  const IncludeReport report = check_includes(kApp, read_room_map(kApp / "README.md"));
  EXPECT_TRUE(report.unused.empty()) << lines(report.unused);
}

TEST(IncludeMap, NoTwoRoomsIncludeEachOther) {
  RoomMap map = read_room_map(kApp / "README.md");
  ASSERT_GT(map.may_include.size(), 20u);
  // Rooms that include no other are removed until none is left; rooms in a cycle remain.
  while (!map.may_include.empty()) {
    const auto leaf = std::find_if(map.may_include.begin(), map.may_include.end(),
                                   [](const auto& room) { return room.second.empty(); });
    ASSERT_NE(leaf, map.may_include.end()) << "a cycle through " << map.may_include.begin()->first;
    const std::string name = leaf->first;
    map.may_include.erase(leaf);
    for (auto& [room, others] : map.may_include) others.erase(name);
  }
}

// Tests these tests, on a small tree with one mistake of each kind.
class MadeUpTree : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / fmt::format("include_map_{}", getpid());
    fs::remove_all(folder_);
    write("README.md",
          "| room | what it holds | may include |\n|---|---|---|\n| base | | |\n| palette (views/color) | | "
          "base |\n"
          "| views | | base palette |\n| machine/state | | base |\n");
    write("base/error.h", "#include <string>\n");
    write("views/color.h", "#include \"base/error.h\"\n");
    write("views/map.cpp", "#include <imgui.h>\n#include \"base/error.h\"\n#include \"views/color.h\"\n");
    write("machine/state/warp.h", "#include \"base/error.h\"\n");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  IncludeReport check() const { return check_includes(folder_, read_room_map(folder_ / "README.md")); }

  fs::path folder_;
};

TEST_F(MadeUpTree, IsRight) {
  EXPECT_TRUE(check().forbidden.empty()) << lines(check().forbidden);
  EXPECT_TRUE(check().unused.empty()) << lines(check().unused);
}

TEST_F(MadeUpTree, AnArrowThatTheMapDoesNotHaveIsReported) {
  write("machine/state/warp.h", "#include \"base/error.h\"\n#include \"views/color.h\"\n");
  ASSERT_EQ(check().forbidden.size(), 1u);
  EXPECT_EQ(check().forbidden[0],
            "machine/state/warp.h:2 includes \"views/color.h\": the map has no arrow from machine/state to "
            "palette");
}

TEST_F(MadeUpTree, CrossedWallsAreReported) {
  write("base/error.h", "  #  include <imgui.h>\n#include <cuda.h>\n");
  write("views/color.h", "#include <GLFW/glfw3.h>\n#include \"base/error.h\"\n");
  ASSERT_EQ(check().forbidden.size(), 3u) << lines(check().forbidden);
  EXPECT_EQ(check().forbidden[0], "base/error.h:1 includes Dear ImGui's or OpenGL's header <imgui.h>");
  EXPECT_EQ(check().forbidden[1], "base/error.h:2 includes CUDA's header <cuda.h>");
  EXPECT_EQ(check().forbidden[2], "views/color.h:1 includes Dear ImGui's or OpenGL's header <GLFW/glfw3.h>");
}

TEST_F(MadeUpTree, AFileOutsideTheRoomsAndAnUnusedArrowAreReported) {
  write("stray.h", "\n");
  write("views/map.cpp", "#include \"base/error.h\"\n");
  ASSERT_EQ(check().forbidden.size(), 1u);
  EXPECT_EQ(check().forbidden[0], "stray.h is in no room of the map");
  ASSERT_EQ(check().unused.size(), 1u);
  EXPECT_EQ(check().unused[0], "views -> palette");
}

}  // namespace
}  // namespace gemmscope::layout
