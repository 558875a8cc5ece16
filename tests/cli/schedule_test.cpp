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
