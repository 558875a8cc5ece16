// gemmscope occupancy: by hand, of a kernel, presets, and the comparison with NVIDIA's calculator.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
json fine_json(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json_of(result);
}

const std::string kGolden = std::string(GEMMSCOPE_TEST_DATA) + "/metrics/occupancy_golden.csv.xz";

// All 59,760 answers of NVIDIA's cuda_occupancy.h (CUDA 13.0), every column.
TEST(OccupancyGolden, EveryRowEqualsTheVendorsCalculator) {
  const json result = fine_json({"occupancy", "--golden", kGolden});
  EXPECT_EQ(result["rows"], 59760);
  EXPECT_EQ(result["values"], 597600);
  EXPECT_EQ(result["different_rows"], 0);
  EXPECT_EQ(result["differences"], json::array());
  EXPECT_EQ(result["ignored_columns"], json::array());
}

constexpr const char* kHead =
    "cc,block_threads,regs_per_thread,static_smem,active_blocks,active_warps,limit_mask,limit_barriers\n";

TEST(OccupancyGolden, ADifferenceIsReportedAndFails) {
  const TemporaryFile file("golden.csv", std::string(kHead) +
                                             "9.0,256,128,0,2,16,2,64\n"
                                             "9.0,256,128,0,3,16,2,64\n"
                                             "8.6,256,55,16384,4,32,2,63\n");
  const CommandResult text = run_command({"occupancy", "--golden", file.path()});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_TRUE(contains(text.out, ":3: active_blocks: 3 in the file, 2 here: 9.0,256,128,0,3")) << text.out;
  EXPECT_TRUE(contains(text.out, ":4: limit_barriers: 63 in the file, -1 here")) << text.out;
  EXPECT_TRUE(contains(text.out, "3 rows, 12 values: 2 rows differ")) << text.out;
  const CommandResult result = run_command({"occupancy", "--golden", file.path(), "--json"});
  EXPECT_EQ(result.exit_code, 1);
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer["different_rows"], 2);
  EXPECT_EQ(answer["differences"][0]["line"], 3);
}

TEST(OccupancyGolden, AMalformedFileNamesTheLine) {
  struct Case {
    std::string text, part;
  };
  const Case cases[] = {
      {"", "has no rows"},
      {kHead, "has no rows"},
      {"cc,block_threads\n9.0,32\n", ":1: the column regs_per_thread is missing"},
      {"cc,block_threads,regs_per_thread,static_smem\n", ":1: no column has an answer"},
      {std::string(kHead) + "9.0,256,128,0,2\n", ":2: expected 8 fields, found 5"},
      {std::string(kHead) + "\n9.7,256,128,0,2,16,2,64\n", ":3: \"9.7\" is no compute capability"},
      {std::string(kHead) + "9.0,many,128,0,2,16,2,64\n", ":2: \"many\" in column block_threads"},
      {std::string(kHead) + "9.0,256,99999999999,0,2,16,2,64\n", "in column regs_per_thread"},
      {std::string("\xfd"
                   "7zXZ\0 and no more",
                   18),
       "is no complete xz file"}};
  for (const Case& c : cases) {
    const TemporaryFile file("golden.csv", c.text);
    const CommandResult result = run_command({"occupancy", "--golden", file.path()});
    EXPECT_EQ(result.exit_code, 1) << c.part;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, c.part)) << result.err;
  }
  EXPECT_EQ(run_command({"occupancy", "--golden", "no/such/file.csv"}).exit_code, 1);
}

TEST(Occupancy, ByHand) {
  const json o = fine_json({"occupancy", "--cc", "8.6", "--threads", "256", "--registers", "55",
                            "--shared-bytes", "16384", "--from-registers", "128"});
  EXPECT_EQ(o["source"], "by hand");
  EXPECT_EQ(o["blocks"], 4);
  EXPECT_EQ(o["warps"], 32);
  EXPECT_EQ(o["limited_by"], json({"registers"}));
  EXPECT_EQ(o["limits"]["shared"], 5);
  EXPECT_EQ(o["limits"]["barriers"], nullptr);
  EXPECT_EQ(o["textbook"]["limits"]["shared"], 6);
  EXPECT_EQ(o["register_boundaries"][0], json({{"registers", 48}, {"blocks", 5}, {"blocks_above", 4}}));
  EXPECT_EQ(o["crossed_boundaries"].size(), 2u);  // 64 and 80
  EXPECT_EQ(o["curves"]["registers"].back()["last"], 255);
  EXPECT_EQ(o["curves"]["threads"].size(), 32u);
  EXPECT_EQ(o["throughput_per_clock"]["FP32"], "128");
  const CommandResult text =
      run_command({"occupancy", "--cc", "1.1", "--threads", "96", "--registers", "10"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(contains(text.out, "75.0 %: 18 of 24 warps, 6 blocks of 3 warps")) << text.out;
  EXPECT_TRUE(contains(text.out, "Plain division, as in textbooks, gives 8 blocks: ")) << text.out;
}

// A kernel's own needs, its toggles', and a need that is replaced.
TEST(Occupancy, OfAKernel) {
  const json kernel = fine_json({"occupancy", "07_register_tile", "--arch", "sm_90"});
  EXPECT_EQ(kernel["source"], "07_register_tile");
  EXPECT_EQ(kernel["compute_capability"], "9.0");
  EXPECT_EQ(kernel["threads"], 256);
  const json toggled = fine_json({"occupancy", "workbench", "--toggle", "BLOCK_M=256"});
  const json plain = fine_json({"occupancy", "workbench"});
  EXPECT_NE(toggled["shared_bytes"], plain["shared_bytes"]);
  const json replaced = fine_json({"occupancy", "07_register_tile", "--registers", "32", "--cc", "2.0"});
  EXPECT_EQ(replaced["registers"], 32);
  EXPECT_EQ(replaced["shared_bytes"], kernel["shared_bytes"]);
  EXPECT_EQ(replaced["compute_capability"], "2.0");
}

TEST(Occupancy, PresetsAndThroughput) {
  const json presets = fine_json({"occupancy", "--presets"});
  EXPECT_GE(presets.size(), 12u);
  const json cliff = fine_json({"occupancy", "--preset", "c2050_21"});
  EXPECT_EQ(cliff["blocks"], 5);
  EXPECT_EQ(cliff["textbook"]["blocks"], 6);
  EXPECT_FALSE(cliff["question"].get<std::string>().empty());
  const json rates = fine_json({"occupancy", "--throughput"});
  EXPECT_EQ(rates.size(), 29u);
  EXPECT_EQ(rates[0]["compute_capability"], "1.0");
  const CommandResult text = run_command({"occupancy", "--throughput"});
  EXPECT_TRUE(contains(text.out, "9.0 Hopper"));
}

}  // namespace
}  // namespace gemmscope::cli
