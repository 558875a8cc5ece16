// tune: the ranking without a GPU, the measurement with a runner that stands in for one, interruptions at any
// time, and what it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const std::string kFakeRunner = "python3 '" GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py' ";
const std::string kCpuRunner = "'" GEMMSCOPE_CPU_RUNNER "' ";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}
std::vector<json> lines_of(const std::string& path) {
  std::vector<json> lines;
  std::istringstream text(text_of(path));
  for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line, nullptr, false));
  return lines;
}
size_t prices_in(const std::string& path) {
  const std::vector<json> lines = lines_of(path);
  return static_cast<size_t>(std::ranges::count_if(lines, [](const json& line) {
    return line.is_object() && (line.contains("ms") || line.contains("refused"));
  }));
}
bool exists(const std::string& path) { return std::filesystem::exists(path); }

// A search of few and small places, with its recording in a folder of its own.
class TuneCommand : public testing::Test {
 protected:
  const TemporaryFile file_{"unused", ""};
  const std::string output_ = std::filesystem::path(file_.path()).parent_path() / "tuned.json";
  const std::string state_ = output_ + ".state";

  Words words(const Words& more) const {
    Words all = {"tune",  "04_thread_coarsening", "--size", "64x64x32",
                 "--set", "launch_interval_us=0", "-o",     output_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(TuneCommand, RanksByTheModelWithoutAGpu) {
  const json result = json_of(run_command(words({"--no-gpu", "--json"})));
  EXPECT_EQ(result["gpu"], nullptr);
  EXPECT_EQ(result["origin"], "modelled for NVIDIA H200, no GPU: --no-gpu");
  const json& size = result["sizes"][0];
  EXPECT_EQ(size["times"], "modelled");
  EXPECT_EQ(size["kendall_tau"], nullptr);
  const json& search = size["searches"][0];
  EXPECT_EQ(search["method"], "exhaustive");
  EXPECT_EQ(search["looked_at"], search["legal"]);
  EXPECT_GT(search["legal"].get<size_t>(), 3u);
  double before = 0;
  for (const json& variant : size["modelled_ranking"]) {
    EXPECT_GE(variant["modelled_ms"], before);
    before = variant["modelled_ms"];
  }
  EXPECT_FALSE(exists(output_)) << "nothing was measured";
  EXPECT_EQ(prices_in(state_), search["looked_at"].get<size_t>());

  const CommandResult again = run_command(words({"--no-gpu", "--resume"}));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  for (const char* part : {"64 x 64 x 32: modelled for NVIDIA H200, no GPU: --no-gpu", "modelled ms",
                           "legal combinations of ", "were looked at.", "--resume goes on with it"})
    EXPECT_TRUE(contains(again.out, part)) << part << " is not in: " << again.out;
  EXPECT_FALSE(contains(again.out, "measured ms"));
}

// What the model says is what `time` says of the same variant, but for its single run.
TEST_F(TuneCommand, ModelsAsTheLatticeDoes) {
  const json tuned = json_of(run_command(words({"--no-gpu", "--json"})));
  const json lattice = json_of(run_command({"lattice", "04_thread_coarsening", "-m", "64", "-n", "64", "-k",
                                            "32", "--set", "launch_interval_us=0", "--json"}));
  std::map<std::string, double> modelled;
  for (const json& point : lattice["points"])
    if (point.contains("modelled_ms")) modelled[point["toggles"].dump()] = point["modelled_ms"];
  int compared = 0;
  for (const json& variant : tuned["sizes"][0]["modelled_ranking"])
    if (const auto same = modelled.find(variant["toggles"].dump()); same != modelled.end()) {
      EXPECT_DOUBLE_EQ(variant["modelled_ms"], same->second) << same->first;
      ++compared;
    }
  EXPECT_GT(compared, 1);
}

TEST_F(TuneCommand, RefusalsAreCountedWithTheirReasons) {
  const json result = json_of(run_command({"tune", "17_split_k", "--size", "33x33x33", "--space", "COPY_B",
                                           "--no-gpu", "--json", "-o", output_}));
  const json& search = result["sizes"][0]["searches"][0];
  EXPECT_EQ(search["combinations"], 3);
  EXPECT_EQ(search["legal"], 2);
  ASSERT_EQ(search["refused"].size(), 1u);
  EXPECT_EQ(search["refused"][0]["combinations"], 1);
  EXPECT_EQ(search["refused"][0]["why"], "Kernel 17_split_k needs N to be a multiple of 4, but it is 33.");
}

// The fake runner gives the n-th prepared kernel of a process a time of 0.125 * (6 + n) ms.
TEST_F(TuneCommand, AGpuDecidesAndARecordingIsWritten) {
  const CommandResult result =
      run_command(words({"--runner", kFakeRunner + "good", "--keep", "3", "--samples", "6", "--processes",
                         "2", "--size", "64", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json tuned = json::parse(result.out);
  EXPECT_EQ(tuned["gpu"], "Fake GPU");
  EXPECT_EQ(tuned["origin"], "measured on Fake GPU, modelled for NVIDIA H200");
  ASSERT_EQ(tuned["sizes"].size(), 2u);
  EXPECT_EQ(tuned["sizes"][0]["times"], "measured");
  const json& variants = tuned["sizes"][0]["variants"];
  ASSERT_GE(variants.size(), 3u);
  EXPECT_EQ(variants[0]["measured_ms"], 0.875) << "cuBLAS takes its place after all others";
  EXPECT_EQ(variants[0]["of_cublas"], (0.875 + 0.125 * static_cast<double>(variants.size())) / 0.875);
  EXPECT_EQ(std::ranges::count_if(variants, [](const json& v) { return v["as_given"].get<bool>(); }), 1);
  EXPECT_EQ(tuned["sizes"][0]["kendall_tau"], 1.0) << "the fake measures in the order of the model";

  const json recording = json::parse(text_of(output_));
  EXPECT_TRUE(contains(recording["command"], "gemmscope tune 04_thread_coarsening")) << recording["command"];
  EXPECT_EQ(recording["device"]["name"], "Fake GPU");
  EXPECT_EQ(recording["device"]["driver"], "1.2.3");
  ASSERT_EQ(recording["runs"].size(), 2u);
  EXPECT_EQ(recording["runs"][0]["variants"].size(), variants.size() + 1);
  for (const json& variant : recording["runs"][0]["variants"])
    EXPECT_EQ(variant["samples"].size(), 12u) << "of two processes";
  EXPECT_FALSE(exists(state_)) << "the search is at its end";
  EXPECT_EQ(run_command({"recordings", output_}).exit_code, 0);
}

// The stand-in executes the machine code on the CPU and compares C with float64.
TEST_F(TuneCommand, EachVariantIsCheckedBeforeItIsTimed) {
  const CommandResult right = run_command(
      words({"--runner", kCpuRunner + "right", "--keep", "2", "--samples", "5", "--processes", "1"}));
  ASSERT_EQ(right.exit_code, 0) << right.err;
  for (const char* part : {"measured ms", "of cuBLAS", "Kendall's tau", "written to "})
    EXPECT_TRUE(contains(right.out, part)) << part << " is not in: " << right.out;
  EXPECT_TRUE(contains(right.err, "largest error")) << right.err;
  const json recording = json::parse(text_of(output_));
  for (const json& variant : recording["runs"][0]["variants"]) {
    if (variant.value("library", false)) continue;
    EXPECT_GE(variant["largest_error"].get<double>(), 0) << variant;
  }
  std::filesystem::remove(output_);

  const CommandResult wrong = run_command(
      words({"--runner", kCpuRunner + "wrong", "--keep", "2", "--samples", "5", "--processes", "1"}));
  EXPECT_TRUE(contains(wrong.out, "C is wrong")) << wrong.out << wrong.err;
}

TEST_F(TuneCommand, ARunnerThatWasAskedForAndFailsIsAnError) {
  const CommandResult result = run_command(words({"--runner", "/nonexistent/runner"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.out, "no GPU: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "modelled ms")) << "it is ranked all the same: " << result.out;
  EXPECT_TRUE(contains(result.err, "/nonexistent/runner")) << result.err;
}

// Killed while it models: nothing that was found is lost, nothing is modelled twice.
TEST_F(TuneCommand, GoesOnAfterItWasKilled) {
  const Words search = {"tune",    "17_split_k",     "--size",   "128",       "--space", "TILE=0,1,2,3,4,5",
                        "--space", "SPLITS=1,2,4,8", "--no-gpu", "--threads", "1",       "--json",
                        "-o",      output_};
  const auto some = [&] { return exists(state_) && prices_in(state_) >= 5; };
  const CommandResult killed = run_command_until(search, some, SIGKILL);
  EXPECT_EQ(killed.exit_code, -1) << killed.out << killed.err;
  const size_t known = prices_in(state_);
  ASSERT_GE(known, 5u);
  ASSERT_LT(known, 24u) << "it came to its end before it was killed";

  const CommandResult without = run_command(search);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_TRUE(contains(without.err, "--resume goes on with it; delete it to begin anew")) << without.err;
  Words resumed = search;
  resumed.push_back("--resume");
  const json result = json_of(run_command(resumed));
  const json& found = result["sizes"][0]["searches"][0];
  EXPECT_EQ(found["method"], "exhaustive");
  EXPECT_EQ(found["looked_at"], 24);
  EXPECT_GE(found["known_before"].get<size_t>(), known);
  EXPECT_EQ(found["known_before"].get<size_t>() + found["priced_now"].get<size_t>(), 24u);
  std::set<std::string> toggles;
  for (const json& line : lines_of(state_)) {
    if (!line.is_object() || !line.contains("toggles")) continue;
    EXPECT_TRUE(toggles.insert(line["toggles"].dump()).second) << line << " is there twice";
  }
  EXPECT_EQ(toggles.size(), 24u);
}

TEST_F(TuneCommand, CtrlCPrintsWhatIsKnown) {
  const Words search = {"tune",      "17_split_k", "--size", "128", "--no-gpu",
                        "--threads", "1",          "--json", "-o",  output_};
  const auto some = [&] { return exists(state_) && prices_in(state_) >= 3; };
  const CommandResult stopped = run_command_until(search, some, SIGINT);
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "interrupted; the same command with --resume goes on")) << stopped.err;
  const json result = json::parse(stopped.out);
  EXPECT_TRUE(result["interrupted"]);
  EXPECT_TRUE(result["sizes"][0]["searches"][0]["interrupted"]);
  EXPECT_GE(result["sizes"][0]["modelled_ranking"].size(), 1u);
  EXPECT_TRUE(exists(state_));
}

// Killed while it measures: the process and size that were measured are not measured again.
TEST_F(TuneCommand, GoesOnWithItsMeasurement) {
  const Words search = words({"--runner", kFakeRunner + "good", "--keep", "2", "--samples", "400",
                              "--processes", "2", "--size", "64", "--json"});
  const auto measured = [&] {
    const std::vector<json> lines = exists(state_) ? lines_of(state_) : std::vector<json>();
    return std::ranges::any_of(
        lines, [](const json& line) { return line.is_object() && line.contains("recording"); });
  };
  const CommandResult killed = run_command_until(search, measured, SIGKILL);
  EXPECT_EQ(killed.exit_code, -1) << killed.out << killed.err;
  EXPECT_FALSE(exists(output_));
  Words resumed = search;
  resumed.push_back("--resume");
  const CommandResult result = run_command(resumed);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  size_t announced = 0;  // a line "64 x 64 x 32" for each measurement
  for (const std::string size : {"64 x 64 x 32\n", "64 x 64 x 64\n"})
    for (size_t at = result.err.find(size); at != std::string::npos; at = result.err.find(size, at + 1))
      ++announced;
  EXPECT_LT(announced, 4u) << result.err;
  const json recording = json::parse(text_of(output_));
  ASSERT_EQ(recording["runs"].size(), 2u);
  for (const json& run : recording["runs"])
    for (const json& variant : run["variants"]) EXPECT_EQ(variant["samples"].size(), 800u);
}

TEST_F(TuneCommand, RefusesWhatItDoesNotKnow) {
  const struct {
    Words arguments;
    const char* message;
  } cases[] = {
      {{"99_warp_drive"}, "99_warp_drive: there is no such kernel"},
      {{"01_naive_rows"}, "01_naive_rows has no toggles, so there is nothing to tune"},
      {{"17_split_k", "17_split_k"}, "17_split_k is given twice"},
      {{"17_split_k:TILE=9"}, "TILE"},
      {{"17_split_k:NONE=1"}, "NONE"},
      {{"17_split_k:TILE"}, "expected ID:NAME=VALUE"},
      {{"17_split_k", "--size", "64x64"}, "--size 64x64: expected MxNxK"},
      {{"17_split_k", "--space", "NONE"}, "--space NONE: no kernel that is tuned has this toggle"},
      {{"17_split_k", "--space", "TILE=9"}, "toggle TILE of 17_split_k has no value 9; it has 0, 1, 2"},
      {{"17_split_k", "--space", "TILE=a"}, "--space TILE=a: \"a\" is not a whole number"},
      {{"17_split_k", "--space", "TILE="}, "--space TILE=: expected values after the ="},
      {{"17_split_k", "--space", "=1"}, "--space =1: expected NAME or NAME=V1,V2"},
      {{"17_split_k", "--space", "TILE", "--space", "TILE=1"}, "toggle TILE is given twice"},
      {{"17_split_k", "16_serpentine", "--space", "TILE"}, "16_serpentine has none of these toggles"},
      {{"17_split_k", "--device", "none"}, "--device"},
      {{"17_split_k", "--keep", "0"}, "--keep"},
      {{"17_split_k", "--within", "-1"}, "--within"},
      {{"17_split_k", "--budget", "0"}, "--budget"},
      {{"17_split_k", "--processes", "0"}, "--processes"},
  };
  for (const auto& wrong : cases) {
    Words arguments = {"tune", "--no-gpu", "-o", output_};
    arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
    const CommandResult result = run_command(arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.message << result.out << result.err;
    EXPECT_TRUE(contains(result.err, wrong.message)) << wrong.message << " is not in: " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(exists(state_)) << wrong.message;
  }
}

TEST_F(TuneCommand, AStateOfSomethingElseIsRefused) {
  std::ofstream(state_) << "not a state\n";
  const CommandResult other = run_command(words({"--no-gpu", "--resume"}));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_TRUE(contains(other.err, "is not the state of a search")) << other.err;
  EXPECT_EQ(text_of(state_), "not a state\n");
  std::filesystem::remove(state_);
  const CommandResult none = run_command(words({"--no-gpu", "--resume"}));
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_TRUE(contains(none.err, "--resume: there is no ")) << none.err;
  const CommandResult nowhere =
      run_command({"tune", "17_split_k", "--no-gpu", "-o", "/nonexistent/folder/tuned.json"});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_TRUE(contains(nowhere.err, "/nonexistent/folder/tuned.json.state cannot be written")) << nowhere.err;
}

}  // namespace
}  // namespace gemmscope::cli
