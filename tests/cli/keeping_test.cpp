// What is kept and shared on the command line: pictures as shapes, films, figures as tables, and grades.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "command.h"

namespace gemmscope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kRubric = GEMMSCOPE_SOURCE_DIR "/assets/assignments/remove_the_conflict.toml";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

json lab(const json& toggles, const std::string& swizzle) {
  return {{"gemmscope_scene", 1}, {"kernel", "bank_conflicts"},      {"m", 64}, {"n", 64}, {"k", 32},
          {"toggles", toggles},   {"inputs", {{"SWIZZLE", swizzle}}}};
}
CommandResult grade(const json& scene, const std::string& rubric = kRubric) {
  const TemporaryFile file("handed_in.gemmscope", scene.dump());
  return run_command({"grade", file.path(), "--expect", rubric, "--json"});
}

TEST(Grade, ASwizzleSolvesTheSampleAssignment) {
  const CommandResult result = grade(lab({{"BY_COLUMNS", 1}, {"PITCH", 32}}, "column ^ row"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const json grade = json_of(result);
  EXPECT_EQ(grade["points"], grade["of"]);
  EXPECT_EQ(grade["of"], 10);
}

// Each wrong way loses the points of what it misses, and gets its hint.
TEST(Grade, EachConditionCanFail) {
  const auto lost = [](const json& scene) {
    const CommandResult result = grade(scene);
    EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
    std::vector<std::string> names;
    const json graded = json::parse(result.out);
    for (const json& condition : graded["conditions"])
      if (!condition["holds"].get<bool>()) {
        EXPECT_FALSE(condition["hint"].get<std::string>().empty());
        names.push_back(condition["name"]);
      }
    return names;
  };
  EXPECT_EQ(lost(lab({{"BY_COLUMNS", 1}, {"PITCH", 32}}, "column")),
            std::vector<std::string>{"No wavefront too many"});
  EXPECT_EQ(lost(lab({{"BY_COLUMNS", 1}, {"PITCH", 33}}, "column")), std::vector<std::string>{"No padding"});
  EXPECT_EQ(lost(lab({{"BY_COLUMNS", 0}, {"PITCH", 32}}, "column")),
            std::vector<std::string>{"The tile is read by columns"});
}

TEST(Grade, AWrongResultHasNoPoints) {
  // Two columns of a row at one place.
  const CommandResult result = grade(lab({{"BY_COLUMNS", 1}, {"PITCH", 32}}, "column / 2 + row"));
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const json grade = json::parse(result.out);
  EXPECT_EQ(grade["points"], 0);
  EXPECT_EQ(grade["result_is_right"], false);
  EXPECT_TRUE(contains(grade["wrong"], "no points")) << grade["wrong"];
}

TEST(Grade, WhatIsNotAskedForIsRefused) {
  json other = lab(json::object(), "column");
  other["kernel"] = "07_register_tile";
  other.erase("inputs");
  const CommandResult kernel = grade(other);
  EXPECT_EQ(kernel.exit_code, 1);
  EXPECT_TRUE(contains(kernel.err, "bank_conflicts is to be handed in")) << kernel.err;
  json text = lab(json::object(), "column");
  text["source"] = "__global__ void k() {}";
  EXPECT_TRUE(contains(grade(text).err, "text of its own")) << grade(text).err;
}

TEST(Grade, ARubricThatIsWrongIsNamedByLineAndKey) {
  const std::string head = "title = \"t\"\n[[condition]]\nname = \"n\"\n";
  const std::pair<std::string, const char*> rubrics[] = {
      {"title = 3", "title"},
      {"title = \"t\"", "condition"},
      {head + "holds = \"1 +\"", "holds"},
      {head + "holds = \"nothing > 1\"", "nothing"},
      {head + "holds = \"1\"\npoints = -1", "points"},
      {head + "holds = \"1\"\npoint = 1", "point"},
      {head + "holds = \"x > 1\"\n[figures]\nx = { counter = \"no_such\" }", "no_such"}};
  for (const auto& [text, says] : rubrics) {
    const TemporaryFile rubric("rubric.toml", text);
    const CommandResult result = grade(lab({{"BY_COLUMNS", 1}}, "column"), rubric.path());
    EXPECT_EQ(result.exit_code, 1) << text;
    EXPECT_TRUE(contains(result.err, says)) << text << "\n" << result.err;
  }
  EXPECT_EQ(run_command({"grade", "nowhere.gemmscope", "--expect", kRubric}).exit_code, 1);
  EXPECT_EQ(run_command({"grade", "nowhere.gemmscope"}).exit_code, 2);
}

TEST(Grade, PrintsForPeople) {
  const TemporaryFile file("handed_in.gemmscope", lab({{"BY_COLUMNS", 1}, {"PITCH", 33}}, "column").dump());
  const CommandResult result = run_command({"grade", file.path(), "--expect", kRubric});
  EXPECT_TRUE(contains(result.out, "7 of 10 points")) << result.out;
  EXPECT_TRUE(contains(result.out, "PITCH = 33")) << result.out;
  EXPECT_TRUE(contains(result.out, "longer row costs shared memory")) << result.out;
}

// A student's own text is graded where the rubric allows it.
TEST(Grade, AnOwnKernelMayBeHandedIn) {
  const TemporaryFile rubric(
      "rubric.toml",
      "title = \"t\"\nown_kernel = true\nm = 64\nn = 64\nk = 64\n[figures]\nr = { code = "
      "\"registers\" }\n[[condition]]\nname = \"few registers\"\nholds = \"r < 100\"\n");
  const std::string text = text_of(GEMMSCOPE_SOURCE_DIR "/kernels/ladder/02_naive_coalesced.cu");
  const json scene = {{"gemmscope_scene", 1}, {"kernel", "02_naive_coalesced"}, {"source", text}};
  const CommandResult result = grade(scene, rubric.path());
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(Figures, AreTheSameAsCsvAndAsJsonAndSayWhereTheyAreFrom) {
  const std::vector<std::string> size = {"-m", "128", "-n", "128", "-k", "128"};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), size.begin(), size.end());
    return run_command(arguments);
  };
  const json figures = json_of(run({"figures", "09_conflict_free", "--json"}))["figures"];
  const json counters = json_of(run({"counters", "09_conflict_free", "--json"}))["counters"];
  const std::string csv = run({"figures", "09_conflict_free", "--csv"}).out;
  std::set<std::string> origins;
  size_t rows = 0;
  for (const json& figure : figures) {
    origins.insert(figure["origin"]);
    ++rows;
    if (figure["group"] == "grid" && figure["figure"] == "warp_instructions") {
      EXPECT_EQ(figure["value"].get<double>(), counters["warp_instructions"].get<double>());
    }
  }
  EXPECT_GT(rows, 60u);
  EXPECT_TRUE(origins.contains("exact") && origins.contains("modelled"));
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(csv, '\n')), rows + 1);
  EXPECT_TRUE(csv.starts_with("group,figure,value,origin,source\n"));
}

// The same table, whatever way JSON is asked for.
TEST(Figures, AFileThatIsCalledJsonHoldsJson) {
  const fs::path path =
      fs::temp_directory_path() / ("gemmscope-figures-" + std::to_string(getpid()) + ".json");
  const auto run = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"figures", "09_conflict_free", "-m", "64", "-n", "64", "-k", "64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  };
  ASSERT_EQ(run({"-o", path.string()}).exit_code, 0);
  std::ifstream file(path);
  EXPECT_EQ(json::parse(file, nullptr, false), json_of(run({"--json"})));
  fs::remove(path);
}

class Written : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gemmscope-written-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  CommandResult render(std::vector<std::string> arguments, const std::string& name) const {
    arguments.insert(arguments.begin(), {"render", "07_register_tile", "-m", "64", "-n", "64", "-k", "64",
                                         "--size", "640x360", "-o", (folder_ / name).string()});
    return run_command(arguments);
  }
  fs::path folder_;
};

// Every view, as shapes and text.
TEST_F(Written, EveryViewAsSvg) {
  for (const char* view : {"all", "map", "banks", "code", "transport", "experiment", "timings", "occupancy",
                           "explorer", "pipeline", "board"}) {
    const CommandResult result = render({"--view", view}, "x.svg");
    ASSERT_EQ(result.exit_code, 0) << view << result.err;
    const std::string svg = text_of(folder_ / "x.svg");
    EXPECT_TRUE(svg.starts_with("<svg ")) << view;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << view;
    EXPECT_TRUE(contains(svg, "</text>")) << view;
    EXPECT_FALSE(contains(svg, "<image")) << view;
    EXPECT_FALSE(contains(svg, "nan")) << view;
  }
  EXPECT_EQ(render({"--view", "code"}, "code.svg").exit_code, 0);
  EXPECT_TRUE(contains(text_of(folder_ / "code.svg"), "FFMA"));
}

TEST_F(Written, ARangeAsPictures) {
  const CommandResult result =
      render({"--view", "banks", "--range", "accesses:0-2", "--progress"}, "way.png");
  ASSERT_EQ(result.exit_code, 1) << "standard input is closed, so nobody waits for it";
  const CommandResult whole = render({"--view", "banks", "--range", "accesses:0-2"}, "way.png");
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_TRUE(fs::exists(folder_ / "way-0003.png"));
  EXPECT_NE(text_of(folder_ / "way-0001.png"), text_of(folder_ / "way-0003.png"))
      << "the cursor does not move";
}

TEST_F(Written, WhatCannotBeAFilmIsSaid) {
  EXPECT_TRUE(contains(render({}, "x.mp4").err, "--range"));
  EXPECT_TRUE(contains(render({"--range", "bytes:0-1"}, "x.png").err, "bytes:0-1"));
  EXPECT_TRUE(contains(render({"--range", "steps:0-9999"}, "x.png").err, "The last one is"));
}

}  // namespace
}  // namespace gemmscope::cli
