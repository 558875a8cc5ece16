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

TEST_F(RunnerCommand, TheSettingThenTheProgramsFolderThenPath) {
  const std::string second = put_runner("second");
  EXPECT_EQ(*find(), Words{second});
  const std::string first = put_runner("first");
  EXPECT_EQ(*find(), Words{first});
  const std::string beside = put_runner("beside");
  EXPECT_EQ(*find(), Words{beside});
  EXPECT_EQ(*find("ssh lab-gpu runner"), (Words{"ssh", "lab-gpu", "runner"}));
}

TEST_F(RunnerCommand, FilesThatCannotBeRunAreSkipped) {
  fs::create_directories(root_ / "beside" / kRunnerProgram);
  const std::string second = put_runner("second");
  EXPECT_EQ(*find(), Words{second});
}

TEST_F(RunnerCommand, AMissingRunnerIsAnErrorThatSaysWhereItLooked) {
  const Result<Words> none = find();
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("beside"), std::string::npos) << none.error().message;
  EXPECT_NE(none.error().message.find("settings"), std::string::npos) << none.error().message;
}

TEST(RunnerOfTheEnvironment, TheVariableReplacesAnEmptySetting) {
  ASSERT_EQ(setenv("GEMMSCOPE_GPU_RUNNER", "ssh -T lab-gpu gemmscope-gpu-runner", 1), 0);
  EXPECT_EQ(*runner_command(""), (Words{"ssh", "-T", "lab-gpu", "gemmscope-gpu-runner"}));
  EXPECT_EQ(*runner_command("srun --gres=gpu:1 gemmscope-gpu-runner"),
            (Words{"srun", "--gres=gpu:1", "gemmscope-gpu-runner"}));
  ASSERT_EQ(setenv("GEMMSCOPE_GPU_RUNNER", "ssh 'lab", 1), 0);
  EXPECT_FALSE(runner_command("").has_value());
  ASSERT_EQ(unsetenv("GEMMSCOPE_GPU_RUNNER"), 0);
}

// The wrapper works like ssh and srun: it passes its arguments to a shell and the lines through its pipes. It
// may first write to stderr and take a while.
TEST(RunnerOfTheEnvironment, ARunnerBehindAWrapperAnswers) {
  const std::string wrapper = fmt::format(
      R"(sh -c 'echo "Warning: Permanently added lab-gpu" >&2; sleep 0.2; exec "$@"' ssh python3 "{}" good)",
      GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py");
  ASSERT_EQ(setenv("GEMMSCOPE_GPU_RUNNER", wrapper.c_str(), 1), 0);
  const Result<Words> command = runner_command("");
  ASSERT_EQ(unsetenv("GEMMSCOPE_GPU_RUNNER"), 0);
  ASSERT_TRUE(command.has_value()) << command.error().message;
  ClientSettings settings;
  settings.command = *command;
  Client client(settings);
  const Outcome<Prepared> prepared = client.prepare(small_prepare());
  ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
  EXPECT_EQ(client.time({prepared->handle, 1, false, 100})->ms, 0.875);
}

TEST(RunnerOfTheEnvironment, AWrapperThatFailsSaysWhy) {
  ClientSettings settings;
  settings.command = {"sh", "-c",
                      "echo 'ssh: connect to host lab-gpu port 22: No route to host' >&2; exit 255"};
  const Outcome<DeviceFacts> facts = Client(settings).hello();
  ASSERT_FALSE(facts.has_value());
  EXPECT_EQ(facts.error().kind, ErrorKind::died);
  EXPECT_NE(facts.error().message.find("No route to host"), std::string::npos) << facts.error().message;
}

}  // namespace
}  // namespace gemmscope::gpu
