// gemmscope schedule on kernels and cubins.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "command.h"

namespace gemmscope::cli {
namespace {

std::string temporary_path(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("gemmscope_" + std::to_string(getpid()) + "_" + name))
      .string();
}

const std::string kFakeRunner = "python3 '" GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py' ";

TEST(ScheduleCommand, RewritesAKernelAndWritesTheCubin) {
  const std::string path = temporary_path("scheduled.cubin");
  const CommandResult result = run_command({"schedule", "09_conflict_free", "--arch", "sm_86", "-m", "128",
                                            "-n", "128", "-k", "64", "-o", path, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_GT(json["before"]["lost_port_cycles_per_ffma"].get<double>(), 0.05);
  EXPECT_LT(json["after"]["lost_port_cycles_per_ffma"].get<double>(), 0.02);
  EXPECT_EQ(json["executed"]["elements"], 128 * 128);
  EXPECT_EQ(json["executed"]["different"], 0);
  EXPECT_GT(json["modelled_ms"]["after"].get<double>(), 0);
  // What was written is a cubin without hazards.
  EXPECT_EQ(run_command({"lint", path}).exit_code, 0);
  std::filesystem::remove(path);
}

// A large K is modelled from smaller ones: there the changed code must be taken as well.
TEST(ScheduleCommand, ModelsTheRewrittenCodeOfALargeK) {
  const nlohmann::json json = json_of(run_command(
      {"schedule", "09_conflict_free", "--arch", "sm_86", "-m", "128", "-n", "128", "-k", "2048", "--json"}));
  const double before = json["modelled_ms"]["before"], after = json["modelled_ms"]["after"];
  EXPECT_LT(after, 0.99 * before) << "its loop takes 7 % fewer cycles";
}

TEST(ScheduleCommand, ExecutesALargeGridAtASmallerSizeAndSaysSo) {
  const std::vector<std::string> large = {"schedule", "16_serpentine", "--arch", "sm_90", "-m", "4096",
                                          "-n",       "4096",          "-k",     "4096"};
  const CommandResult text = run_command(large);
  EXPECT_NE(text.out.find("executed on the CPU at 1024 x 1024 x 1024, where the machine code is the same, "
                          "1048576 elements of C equal bit for bit"),
            std::string::npos)
      << text.out << text.err;
}

TEST(ScheduleCommand, MeasuresBothBesideTheLibrary) {
  const nlohmann::json json =
      json_of(run_command({"schedule", "09_conflict_free", "--arch", "sm_86", "-m", "128", "-n", "128", "-k",
                           "64", "--measure", "--samples", "3", "--json", "--runner", kFakeRunner + "good"}));
  std::vector<std::string> names;
  for (const nlohmann::json& variant : json["measured"]["variants"]) {
    names.push_back(variant["id"]);
    EXPECT_EQ(variant["samples_ms"].size(), 3u) << names.back();
    EXPECT_GT(variant["median_ms"].get<double>(), 0) << names.back();
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"09_conflict_free", "09_conflict_free scheduled", "cublas_fp32"}));
}

TEST(ScheduleCommand, RefusesWithASentenceAndWritesNothing) {
  const std::string path = temporary_path("nothing.cubin");
  const CommandResult result = run_command({"schedule", "02_naive_coalesced", "--arch", "sm_86", "-o", path});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("No order was found"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScheduleCommand, RefusesADamagedCubin) {
  const std::string path = temporary_path("damaged.cubin");
  std::ofstream(path, std::ios::binary) << "\x7f"
                                           "ELF but no more";
  const CommandResult result = run_command({"schedule", path});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find(path), std::string::npos) << result.err;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gemmscope::cli
