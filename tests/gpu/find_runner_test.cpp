#include "gpu/find_runner.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

TEST(SplitCommand, WordsAndQuotes) {
  EXPECT_EQ(*split_command(""), Words{});
  EXPECT_EQ(*split_command("  \t "), Words{});
  EXPECT_EQ(*split_command(" ssh  lab-gpu gemmscope-gpu-runner "),
            (Words{"ssh", "lab-gpu", "gemmscope-gpu-runner"}));
  EXPECT_EQ(*split_command(R"(sh -c 'module load cuda; exec "$R"')"),
            (Words{"sh", "-c", R"(module load cuda; exec "$R")"}));
  EXPECT_EQ(*split_command(R"("/opt/my tools/r" a\ b '' "x"y'z' 'c:\d' "\"")"),
            (Words{"/opt/my tools/r", "a b", "", "xyz", "c:\\d", "\""}));
}

TEST(SplitCommand, AnOpenQuoteIsAnError) {
  for (const char* line : {"a 'b", "a \"b", "\"a\\\""}) EXPECT_FALSE(split_command(line).has_value()) << line;
}

class RunnerCommand : public testing::Test {
 protected:
  RunnerCommand() : root_(temporary_.text()) {
    for (const char* folder : {"beside", "first", "second"}) fs::create_directories(root_ / folder);
  }
  ~RunnerCommand() override {
    std::error_code error;
    fs::remove_all(root_, error);
  }
  std::string put_runner(const char* folder, fs::perms permissions = fs::perms::owner_all) {
    const fs::path path = root_ / folder / kRunnerProgram;
    std::ofstream(path) << "#!/bin/sh\n";
    fs::permissions(path, permissions);
    return path.string();
  }
  Result<Words> find(std::string_view setting = "") {
    return runner_command(setting, root_ / "beside",
                          (root_ / "first").string() + "::" + (root_ / "second").string());
  }

  TemporaryPath temporary_{"find-runner"};
  fs::path root_;
};

TEST_F(RunnerCommand, TheSettingThenBesideThenPath) {
  const std::string second = put_runner("second");
  EXPECT_EQ(*find(), Words{second});
  const std::string first = put_runner("first");
  EXPECT_EQ(*find(), Words{first});
  const std::string beside = put_runner("beside");
  EXPECT_EQ(*find(), Words{beside});
  EXPECT_EQ(*find("ssh lab-gpu runner"), (Words{"ssh", "lab-gpu", "runner"}));
}

TEST_F(RunnerCommand, WhatCannotBeRunIsPassedOver) {
  fs::create_directories(root_ / "beside" / kRunnerProgram);
  const std::string second = put_runner("second");
  EXPECT_EQ(*find(), Words{second});
}

TEST_F(RunnerCommand, NoneIsAnErrorThatSaysWhereItLooked) {
  const Result<Words> none = find();
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("beside"), std::string::npos) << none.error().message;
  EXPECT_NE(none.error().message.find("settings"), std::string::npos) << none.error().message;
}

}  // namespace
}  // namespace gemmscope::gpu
