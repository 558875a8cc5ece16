// Tests `record` with a runner that makes up its times, `recordings`, and the README's tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kFakeRunner = "python3 '" GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py' ";

std::string first_kernel() { return json_of(run_command({"kernels", "--json"}))[0]["id"]; }

// The fake runner gives the n-th prepared kernel a time of 0.125 * (6 + n) ms. The first two measure L2 and
// L1.
TEST(Record, MeasuresSizesAndWritesThem) {
  const TemporaryFile file("out.json", "");
  const std::string kernel = first_kernel();
  const CommandResult result =
      run_command({"record", "--runner", kFakeRunner + "good", "--only", kernel, "--size", "256x128x64",
                   "--size", "128", "--samples", "7", "-o", file.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, kernel + ": 1.1250 ms")) << result.err;
  EXPECT_TRUE(contains(result.out, "Fake GPU")) << result.out;
  EXPECT_TRUE(contains(result.out, "256 x 128 x 64") && contains(result.out, "128 x 128 x 128"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "1.111")) << "cuBLAS takes 1.2500 ms: " << result.out;

  const json recording = json::parse(read_text(file.path()));
  EXPECT_TRUE(contains(recording["command"], "gemmscope record --runner 'python3 '\\''"))
      << recording["command"];
  EXPECT_TRUE(contains(recording["command"], "--size 256x128x64 --size 128 --samples 7"));
  EXPECT_EQ(recording["date"].get<std::string>().size(), 10u);
  EXPECT_EQ(recording["device"]["driver"], "1.2.3");
  ASSERT_EQ(recording["runs"].size(), 2u);
  EXPECT_EQ(recording["runs"][0]["n"], 128);
  ASSERT_EQ(recording["runs"][0]["variants"].size(), 2u);
  for (const json& variant : recording["runs"][0]["variants"]) EXPECT_EQ(variant["samples"].size(), 7u);
  EXPECT_EQ(recording["runs"][0]["variants"][0]["samples"][0][1], 1.125);
  EXPECT_EQ(recording["runs"][0]["variants"][1]["id"], "cublas_fp32");

  const CommandResult shown = run_command({"recordings", file.path()});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_TRUE(contains(shown.out, "1.111"));
}

TEST(Record, TroubleIsReported) {
  const TemporaryFile file("out.json", "unchanged");
  const CommandResult no_runner =
      run_command({"record", "--runner", "/nonexistent/runner", "-o", file.path()});
  EXPECT_EQ(no_runner.exit_code, 1);
  EXPECT_TRUE(contains(no_runner.err, "/nonexistent/runner")) << no_runner.err;
  EXPECT_EQ(no_runner.out, "");
  EXPECT_EQ(read_text(file.path()), "unchanged");
  const CommandResult dies = run_command({"record", "--runner", kFakeRunner + "die_in_time", "--only",
                                          first_kernel(), "--size", "64", "-o", file.path()});
  EXPECT_EQ(dies.exit_code, 1) << dies.err;
  EXPECT_EQ(read_text(file.path()), "unchanged") << "nothing was measured";
}

TEST(Record, BadUse) {
  for (const auto& [option, value] : {std::pair("--size", "2048x2048"),
                                      {"--size", "0x1x1"},
                                      {"--size", "ax2x3"},
                                      {"--size", "64x64x64x"},
                                      {"--only", "99_warp_drive"},
                                      {"--also", "99_warp_drive:STAGES=2"},
                                      {"--also", "14_tensor_tf32:STAGES"},
                                      {"--also", "14_tensor_tf32:STAGES="},
                                      {"--samples", "0"}}) {
    const CommandResult result = run_command({"record", option, value});
    EXPECT_EQ(result.exit_code, 2) << option << " " << value << result.err;
    EXPECT_TRUE(contains(result.err, option)) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Recordings, AreListedAndShown) {
  const CommandResult list = run_command({"recordings"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_TRUE(contains(list.out, "published_openmlsys.json")) << list.out;
  const CommandResult missing = run_command({"recordings", "nowhere.json"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(contains(missing.err, "nowhere.json")) << missing.err;
  const TemporaryFile broken("broken.json", "{");
  EXPECT_EQ(run_command({"recordings", broken.path()}).exit_code, 1);
}

std::string recording_with(const std::string& runs) {
  return R"({"gemmscope_recording":1,"date":"2026-01-31","device":{"name":"GPU","peak_fp32":1e12},"runs":[)" +
         runs + "]}";
}
std::string run_of(const std::string& size, const std::string& variants) {
  return "{" + size + R"(,"variants":[)" + variants + "]}";
}
std::string variant_of(const std::string& id, const std::string& more, const std::string& ms) {
  std::string samples;
  for (int i = 0; i < 5; ++i) samples += fmt::format("{}[{},{},0]", i == 0 ? "" : ",", i, ms);
  return fmt::format(R"({{"id":"{}"{},"samples":[{}]}})", id, more, samples);
}

TEST(Recordings, AnOldKernelNameIsAnsweredWithTheNewOne) {
  const TemporaryFile file(
      "old.json", recording_with(run_of(R"("m":100,"n":100,"k":50)", variant_of("99_naive_rows", "", "1"))));
  const CommandResult result = run_command({"recordings", file.path(), "--markdown"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "99_naive_rows is now 01_naive_rows")) << result.err;
  EXPECT_TRUE(contains(result.out, "`01_naive_rows`")) << result.out;
}

// The problem has 2 x 100 x 100 x 50 = 10^6 operations.
TEST(Recordings, ArePrintedAsAMarkdownTableOfAllSizes) {
  const std::string library = R"(,"title":"cuBLAS FP32","library":true)", lab = R"(,"product":false)";
  const TemporaryFile file(
      "r.json", recording_with(
                    run_of(R"("m":100,"n":100,"k":50)", variant_of("a", "", "0.004") + "," +
                                                            variant_of("lab", lab, "1") + "," +
                                                            variant_of("cublas_fp32", library, "0.002")) +
                    "," +
                    run_of(R"("m":100,"n":100,"k":100)",
                           variant_of("a", "", "0.008") + "," + variant_of("b", "", "0.002") + "," +
                               R"({"id":"cublas_fp32","title":"cuBLAS FP32","library":true,"samples":[]})")));
  const CommandResult printed = run_command({"recordings", file.path(), "--markdown"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(printed.out,
            "Recorded on GPU, 2026-01-31. Median of 5 samples, in TFLOP/s; in brackets the ratio to cuBLAS "
            "of the same "
            "grade; L2 warm.\n\n"
            "| | 100 x 100 x 50 | 100 x 100 x 100 |\n"
            "|---|---:|---:|\n"
            "| a (`a`) | 0.250 (0.500) | 0.250 |\n"
            "| b (`b`) |  | 1.000 |\n"
            "| cuBLAS FP32 | 0.500 | – |\n");
}

TEST(Recordings, IndistinguishableTimesAreMarked) {
  const std::string library = R"(,"title":"cuBLAS FP32","library":true)";
  const auto row = [](const std::string& id, const std::string& more, double first) {
    std::string samples;
    for (int i = 0; i < 5; ++i) samples += fmt::format("{}[0,{},0]", i == 0 ? "" : ",", first + i);
    return fmt::format(R"({{"id":"{}"{},"samples":[{}]}})", id, more, samples);
  };
  const TemporaryFile file("r.json", recording_with(run_of(R"("m":100,"n":100,"k":50)",
                                                           row("near", "", 2) + "," + row("far", "", 6) +
                                                               "," + row("cublas_fp32", library, 1))));
  const std::string table = run_command({"recordings", file.path()}).out;
  EXPECT_TRUE(contains(table, "~0.750")) << table;
  EXPECT_TRUE(contains(table, " 0.375")) << table;
  EXPECT_TRUE(contains(table, "not distinguishable")) << table;
}

// A table of the README follows the line
//   <!-- gemmscope recordings assets/recordings/FILE --markdown -->
// and ends at <!-- end -->. It is what that command prints; so is every recorded GPU's own file there, but
// not those of labs, of many sizes and of searches, whose names go on after the GPU's.
TEST(Readme, TablesAreWhatTheCommandPrints) {
  const std::filesystem::path root = GEMMSCOPE_SOURCE_DIR;
  const std::string readme = read_text(root / "README.md"), begin = "<!-- gemmscope recordings ",
                    middle = " --markdown -->\n", end = "<!-- end -->";
  std::vector<std::string> tables;
  for (size_t at = readme.find(begin); at != std::string::npos; at = readme.find(begin, at + 1)) {
    const size_t name = at + begin.size(), table = readme.find(middle, name);
    ASSERT_NE(table, std::string::npos);
    tables.push_back(readme.substr(name, table - name));
    const size_t start = table + middle.size(), stop = readme.find(end, start);
    ASSERT_NE(stop, std::string::npos) << tables.back();
    const CommandResult printed = run_command({"recordings", (root / tables.back()).string(), "--markdown"});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_EQ(readme.substr(start, stop - start), printed.out)
        << "the README's table of " << tables.back() << " is another";
  }
  EXPECT_FALSE(tables.empty());
  for (const auto& entry : std::filesystem::directory_iterator(root / "assets/recordings")) {
    const std::string name = "assets/recordings/" + entry.path().filename().string();
    const std::string file = entry.path().filename().string();
    const bool of_a_gpu = file.find('_') == std::string::npos;
    EXPECT_TRUE(!of_a_gpu || std::find(tables.begin(), tables.end(), name) != tables.end())
        << "the README has no table of " << name;
  }
}

}  // namespace
}  // namespace gemmscope::cli
