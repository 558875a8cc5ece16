// time and stalls: what they print, and what they say where there is no time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

CommandResult fine(const Words& arguments) {
  CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result;
}

Words with(Words arguments, const Words& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const Words kSmall = {"time", "03_shared_tile", "-m", "256", "-n", "256", "-k", "256"};

TEST(Time, SaysWhatIsModelledAndWhatIsNotRecorded) {
  const std::string text = fine(kSmall).out;
  for (const char* part : {"03_shared_tile", "sm_90", "modelled", "TFLOP/s", "NVIDIA H200", "Bound by ",
                           "no recording of NVIDIA H200 has this kernel, size and toggles"})
    EXPECT_TRUE(contains(text, part)) << part << " is not in: " << text;
  const json result = json_of(fine(with(kSmall, {"--json"})));
  EXPECT_EQ(result["experiment"]["arch"], "sm_90");
  EXPECT_EQ(result["device"]["id"], "h200");
  EXPECT_TRUE(result["recorded"].is_null());
  const double ms = result["modelled"]["milliseconds"];
  EXPECT_GT(ms, 0.002);
  EXPECT_LT(ms, 0.05);
  EXPECT_NEAR(result["modelled"]["tflops"].get<double>() * ms, 2 * 256. * 256 * 256 / 1e9, 1e-6);
  EXPECT_EQ(result["launches"].size(), 1u);
  EXPECT_EQ(result["launches"][0]["figures"]["blocks"], 256);
  EXPECT_TRUE(contains(result["bound"]["sentence"], "Bound by"));
}

TEST(Time, StandsBesideTheRecordedOne) {
  const Words large = {"time", "12_warp_tiling", "-m", "2048", "-n", "2048", "-k", "1024"};
  const json result = json_of(fine(with(large, {"--json"})));
  ASSERT_FALSE(result["recorded"].is_null());
  const double modelled = result["modelled"]["milliseconds"], recorded = result["recorded"]["milliseconds"];
  EXPECT_NEAR(result["recorded"]["error"].get<double>(), modelled / recorded - 1, 1e-9);
  EXPECT_EQ(result["recorded"]["file"], "h200.json");
  const std::string text = fine(large).out;
  EXPECT_TRUE(contains(text, fmt::format("the model is {:+.1f} % off", 100 * (modelled / recorded - 1))))
      << text;
}

// An error against a recording would be nonsense: half an H200 was never timed.
TEST(Time, AChangedDeviceHasNoRecording) {
  const Words half = {"time", "12_warp_tiling", "-m", "2048", "-n", "2048", "-k", "1024", "--set", "sms=66"};
  EXPECT_TRUE(json_of(fine(with(half, {"--json"})))["recorded"].is_null());
  const std::string text = fine(half).out;
  EXPECT_TRUE(contains(text, "on NVIDIA H200, changed")) << text;
  EXPECT_FALSE(contains(text, " off")) << text;
}

TEST(Time, FollowsTheDevice) {
  const json result = json_of(fine(with(kSmall, {"--device", "rtxa4000", "--json"})));
  EXPECT_EQ(result["experiment"]["arch"], "sm_86");
  EXPECT_EQ(result["device"]["name"], "NVIDIA RTX A4000");
  EXPECT_TRUE(result["recorded"].is_null()) << "another GPU's";
  const json given = json_of(fine(with(kSmall, {"--device", "rtxa4000", "--arch", "sm_90", "--json"})));
  EXPECT_EQ(given["experiment"]["arch"], "sm_90");
}

TEST(Time, OfADeviceThatIsChanged) {
  const double whole = json_of(fine(with(kSmall, {"--json"})))["modelled"]["milliseconds"];
  const json slow = json_of(fine(with(kSmall, {"--set", "clock_mhz=990", "--set", "launch_us=0", "--json"})));
  EXPECT_EQ(slow["device"]["changed"], json({{"clock_mhz", 990.0}, {"launch_us", 0.0}}));
  EXPECT_GT(slow["modelled"]["milliseconds"].get<double>(), whole);
}

TEST(Time, ExplainsADifference) {
  const std::string text = fine(with(kSmall, {"--versus", "02_naive_coalesced"})).out;
  EXPECT_TRUE(contains(text, "Against 02_naive_coalesced: 03_shared_tile ")) << text;
  const json toggles = json_of(fine({"time", "09_conflict_free", "--toggle", "LAYOUT=0", "--versus",
                                     "09_conflict_free:LAYOUT=2", "--json"}));
  EXPECT_EQ(toggles["difference"].get<std::string>().find("LAYOUT=0 "), 0u) << toggles["difference"];
}

TEST(Time, ListsTheDevicesNumbers) {
  const CommandResult text = fine({"time", "--parameters", "--device", "t4"});
  EXPECT_TRUE(contains(text.out, "NVIDIA T4, compute capability 7.5")) << text.out;
  EXPECT_TRUE(contains(text.out, "ffma_interval")) << text.out;
  const json list = json_of(fine({"time", "--parameters", "--set", "sms=7", "--json"}))["parameters"];
  const auto sms = std::find_if(list.begin(), list.end(), [](const json& p) { return p["name"] == "sms"; });
  ASSERT_NE(sms, list.end());
  EXPECT_EQ((*sms)["value"], 7);
  EXPECT_EQ((*sms)["source"], "--set");
}

TEST(Time, BadUse) {
  for (const auto& [arguments, part] :
       {std::pair(Words{"--device", "warp"}, "there is no device \"warp\"; the program has a100"),
        {Words{"--set", "sms"}, "NAME=VALUE"},
        {Words{"--set", "sms=x"}, "\"x\" is not a number"},
        {Words{"--set", "sms=0"}, "sms cannot be 0"},
        {Words{"--set", "turbo=1"}, "no parameter turbo"},
        {Words{"--versus", "99_warp_drive"}, "99_warp_drive"},
        {Words{"--versus", "09_conflict_free:LAYOUT"}, "ID:NAME=VALUE"},
        {Words{"--toggle", "TURBO=1"}, "TURBO"}}) {
    const CommandResult result = run_command(with(kSmall, arguments));
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  }
}

TEST(Time, OfABrokenDeviceFileNamesKeyAndLine) {
  const TemporaryFile file("mine.toml",
                           "name = \"Mine\"\ncompute_capability = \"9.0\"\n[parameters]\nturbo = 1\n");
  const CommandResult result = run_command(with(kSmall, {"--device", file.path()}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "mine.toml:4: key \"turbo\" is not a parameter")) << result.err;
}

TEST(Time, OfAWarpgroupsInstructionsIsNone) {
  const Words own = {GEMMSCOPE_TEST_DATA "/compile/warpgroup.cu",
                     "--arch",
                     "sm_90",
                     "--entry",
                     "warpgroup",
                     "--block-dim",
                     "128",
                     "--grid-dim",
                     "1"};
  const CommandResult result = run_command(with({"time"}, own));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "WARPGROUP")) << result.err;
}

// A kernel of square matrices may give its sizes other names: then K is not how deep its loop goes, and it is
// not executed at a smaller K.
TEST(Time, OfAKernelWhoseDepthIsNotK) {
  const TemporaryFile kernel("depth.cu",
                             R"(extern "C" __global__ void depth(const float* A, const float* B, float* C,
                                                              int M, int N, int K) {
  const int depth = DEPTH_IS_N ? N : K, columns = DEPTH_IS_N ? K : N;
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || column >= columns) return;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += A[row * depth + k] * B[k * columns + column];
  C[row * columns + column] = sum;
}
)");
  const auto milliseconds = [&](const char* define) {
    const json result = json_of(fine({"time", kernel.path(), "--entry", "depth", "--block-dim", "16,16",
                                      "--grid-dim", "ceil_div(N,16),ceil_div(M,16)", "-m", "768", "-n", "768",
                                      "-k", "768", "--define", define, "--device", "mx330", "--json"}));
    return result["modelled"]["milliseconds"].get<double>();
  };
  const double depth_is_k = milliseconds("DEPTH_IS_N=0"), depth_is_n = milliseconds("DEPTH_IS_N=1");
  EXPECT_NEAR(depth_is_n / depth_is_k, 1, 0.05);
}

// Eight-bit tensor cores: the model has no time for them.
TEST(Time, OfAnInstructionWithoutATimeIsNone) {
  const TemporaryFile kernel("imma.cu",
                             R"(extern "C" __global__ void imma(const int* A, const int* B, int* C) {
  int d[4] = {0, 0, 0, 0};
  const int lane = threadIdx.x;
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(A[lane]), "r"(A[lane + 32]), "r"(A[lane + 64]), "r"(A[lane + 96]), "r"(B[lane]), "r"(B[lane + 32]));
  for (int i = 0; i < 4; ++i) C[lane * 4 + i] = d[i];
}
)");
  const Words own = {kernel.path(),
                     "--entry",
                     "imma",
                     "--block-dim",
                     "32",
                     "--grid-dim",
                     "1",
                     "--parameter",
                     "name=A,buffer=128,type=int32",
                     "--parameter",
                     "name=B,buffer=64,type=int32",
                     "--parameter",
                     "name=C,buffer=128,type=int32"};
  const CommandResult code = run_command(with({"disasm"}, with(own, {"--arch", "sm_90"})));
  if (code.exit_code != 0) GTEST_SKIP() << code.err;
  ASSERT_TRUE(contains(code.out, "IMMA")) << code.out;
  for (const char* command : {"time", "stalls"}) {
    const CommandResult result = run_command(with({command}, own));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "") << "no number";
    EXPECT_TRUE(contains(result.err, "IMMA") && contains(result.err, "no modelled time")) << result.err;
  }
}

TEST(Stalls, AddUpOverInstructionsAndLines) {
  const json result =
      json_of(fine({"stalls", "07_register_tile", "-m", "256", "-n", "256", "-k", "256", "--json"}));
  const json& figures = result["figures"];
  EXPECT_NEAR(figures["warp_cycles_per_instruction"]["selected"].get<double>(), 1, 1e-9);
  std::map<std::string, double> by_instruction, by_line;
  double issued = 0;
  for (const json& row : result["instructions"]) {
    issued += row["issued"].get<double>();
    for (const auto& [reason, cycles] : row["warp_cycles"].items())
      by_instruction[reason] += cycles.get<double>();
  }
  for (const json& row : result["lines"])
    for (const auto& [reason, cycles] : row["warp_cycles"].items()) by_line[reason] += cycles.get<double>();
  EXPECT_NEAR(issued, figures["warp_instructions"].get<double>(), 1);
  EXPECT_GT(by_instruction.size(), 4u);
  for (const auto& [reason, cycles] : by_instruction) {
    EXPECT_NEAR(by_line[reason] / cycles, 1, 1e-9) << reason;
    EXPECT_NEAR(cycles / issued, figures["warp_cycles_per_instruction"][reason].get<double>(), 1e-6)
        << reason;
  }
  size_t exposed = 0;
  for (const json& row : result["instructions"])
    if (row.contains("latency")) {
      const json& latency = row["latency"];
      EXPECT_GE(latency["cycles"], latency["exposed_to_warp"]) << row["text"];
      EXPECT_GE(latency["exposed_to_warp"], latency["exposed_to_sub_core"]) << row["text"];
      exposed += latency["exposed_to_warp"] > 0 ? 1 : 0;
    }
  EXPECT_GT(exposed, 0u);
  for (const char* name : {"achieved_occupancy", "issue_slot_use", "l1_hit_rate"}) {
    EXPECT_GE(figures[name].get<double>(), 0) << name;
    EXPECT_LE(figures[name].get<double>(), 1) << name;
  }
}

TEST(Stalls, AreListedInWords) {
  const std::string text = fine({"stalls", "03_shared_tile"}).out;
  for (const char* part : {"issue slots used", "achieved occupancy", "L1 hit rate", "FMA pipe", "barrier",
                           "short_scoreboard", "03_shared_tile.cu:", "LDS"})
    EXPECT_TRUE(contains(text, part)) << part << " is not in: " << text;
}

TEST(TraceEvents, AreWrittenForPerfetto) {
  const TemporaryFile file("trace.json", "");
  const CommandResult result =
      fine({"stalls", "01_naive_rows", "-m", "32", "-n", "32", "-k", "32", "--trace-event", file.path()});
  EXPECT_TRUE(contains(result.err, file.path())) << result.err;
  std::ifstream stream(file.path());
  const json trace = json::parse(stream);
  std::map<std::string, int> count;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X") ++count[event["cat"]];
  for (const char* category : {"kernel", "sm", "block", "warp", "instruction"})
    EXPECT_GT(count[category], 0) << category;
  EXPECT_GT(count["instruction"], 32 * count["warp"]) << "a pass of the loop for each k";
  EXPECT_EQ(run_command({"stalls", "01_naive_rows", "--trace-event", "/nowhere/trace.json"}).exit_code, 1);
}

std::string recording(const std::string& device) {
  return R"({"gemmscope_recording":1,"date":"2026-01-31","device":{"name":")" + device +
         R"("},"runs":[{"m":128,"n":128,"k":128,"variants":[
  {"id":"03_shared_tile","samples":[[0,0.005,0]]},
  {"id":"99_register_tile","samples":[[0,0.004,0]]},
  {"id":"nothing","samples":[[0,1,0]]},
  {"id":"cublas_fp32","title":"cuBLAS FP32","library":true,"samples":[[0,0.002,0]]}]}]})";
}

TEST(TimeOfARecording, IsATableOfErrors) {
  const TemporaryFile file("r.json", recording("NVIDIA H200"));
  const CommandResult text = fine({"time", "--recording", file.path()});
  for (const char* part :
       {"128 x 128 x 128", "03_shared_tile", "07_register_tile", "0.0050",
        "The catalogue has no such kernel.", "2 of 3 entries: mean absolute error", "Kendall's tau"})
    EXPECT_TRUE(contains(text.out, part)) << part << " is not in: " << text.out;
  EXPECT_TRUE(contains(text.err, "99_register_tile is now 07_register_tile")) << text.err;
  const json result = json_of(fine({"time", "--recording", file.path(), "--json"}));
  ASSERT_EQ(result["entries"].size(), 3u);
  double sum = 0;
  for (const json& entry : result["entries"])
    if (!entry["error"].is_null()) sum += std::abs(entry["error"].get<double>());
  EXPECT_NEAR(result["summary"]["mean_absolute_error"].get<double>(), sum / 2, 1e-9);
  EXPECT_EQ(result["summary"]["pairs"], 1);
}

TEST(TimeOfARecording, NeedsADeviceAndAFile) {
  const TemporaryFile file("r.json", recording("A GPU without a file"));
  const CommandResult unknown = run_command({"time", "--recording", file.path()});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.err, "A GPU without a file") && contains(unknown.err, "--device"))
      << unknown.err;
  EXPECT_EQ(run_command({"time", "--recording", file.path(), "--device", "rtx3080"}).exit_code, 0);
  const CommandResult missing = run_command({"time", "--recording", "nowhere"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(contains(missing.err, "nowhere")) << missing.err;
}

}  // namespace
}  // namespace gemmscope::cli
