// Runs the real runner on this computer. With a GPU it reports the GPU's facts, without one it says why not.
// No input line may crash it.
#include <gtest/gtest.h>

#include "fake_runner.h"
#include "gpu/connection.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ClientSettings real_runner() {
  ClientSettings settings;
  settings.command = {GEMMSCOPE_GPU_RUNNER};
  return settings;
}

TEST(Runner, SaysWhatThereIsOrWhyThereIsNone) {
  const Outcome<DeviceFacts> facts = Client(real_runner()).hello();
  if (facts) {
    EXPECT_GT(facts->compute_capability, 50);
    EXPECT_GT(facts->sm_count, 0);
    EXPECT_GT(facts->max_clock_mhz, 100);
    EXPECT_GT(facts->memory_bytes, uint64_t{1} << 28);
    EXPECT_FALSE(facts->name.empty());
    return;
  }
  const ErrorKind kind = facts.error().kind;
  EXPECT_TRUE(kind == ErrorKind::no_toolkit || kind == ErrorKind::no_driver || kind == ErrorKind::no_device)
      << facts.error().message;
  EXPECT_GT(facts.error().message.size(), 40u);
}

class RunnerLines : public testing::Test {
 protected:
  void SetUp() override {
    Result<Process> process = Process::start({GEMMSCOPE_GPU_RUNNER});
    ASSERT_TRUE(process.has_value()) << process.error().message;
    connection_.emplace(std::move(*process));
  }
  Reply ask(const std::string& line) {
    const Outcome<std::string> answer =
        connection_->exchange(line + '\n', {steady_clock::now() + milliseconds(10'000), 1 << 20, nullptr});
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    if (!answer) return {};
    const auto reply = decode_reply(*answer);
    EXPECT_TRUE(reply.has_value()) << *answer;
    return reply ? *reply : Reply{};
  }
  std::optional<Connection> connection_;
};

TEST_F(RunnerLines, AnInvalidLineGetsAnErrorAndTheNextRequestAnAnswer) {
  const std::string lines[] = {"",
                               "hello",
                               "{}",
                               "[[[[",
                               std::string(1, '\0'),
                               "\xff\xfe",
                               std::string(300'000, '['),
                               R"({"gemmscope_gpu":1,"id":8,"request":"run"})"};
  for (const std::string& line : lines) {
    const Reply reply = ask(line);
    const auto* error = std::get_if<RunnerError>(&reply.what);
    ASSERT_NE(error, nullptr) << line;
    EXPECT_EQ(error->kind, ErrorKind::bad_request) << error->message;
  }
  EXPECT_EQ(ask(R"({"gemmscope_gpu":1,"id":8,"request":"run"})").id, 8u);
  EXPECT_EQ(std::get<RunnerError>(ask(R"({"gemmscope_gpu":2,"id":9,"request":"hello"})").what).kind,
            ErrorKind::wrong_version);
  EXPECT_TRUE(std::holds_alternative<Goodbye>(ask(encode_request(10, QuitRequest{})).what));
  connection_->wait_for_end(milliseconds(5000));
  EXPECT_FALSE(connection_->running());
}

TEST(RunnerEnd, ItEndsWithItsInput) {
  Result<Process> process = Process::start({GEMMSCOPE_GPU_RUNNER});
  ASSERT_TRUE(process.has_value());
  process->in.close();
  EXPECT_TRUE(process->wait(milliseconds(5000)));
  EXPECT_EQ(process->end_text(), "ended with exit code 0");
}

TEST(RunnerEnd, ArgumentsAreRefusedWithAHint) {
  Result<Process> process = Process::start({GEMMSCOPE_GPU_RUNNER, "--device=1"});
  ASSERT_TRUE(process.has_value());
  EXPECT_TRUE(process->wait(milliseconds(5000)));
  EXPECT_EQ(process->end_text(), "ended with exit code 2");
}

}  // namespace
}  // namespace gemmscope::gpu
