// The client meets runners that die, hang, lie and flood. Each call ends in time with an error that says what
// happened, and the next call works again.
#include <signal.h>

#include <fstream>
#include <thread>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class BadHello : public testing::TestWithParam<Case> {};
TEST_P(BadHello, EndsAsAnError) {
  const TemporaryPath file("hello");
  ClientSettings settings = fake_settings(GetParam().mode, file.text());
  settings.start_timeout = GetParam().kind == ErrorKind::no_answer ? kShort : kStart;
  Client client(settings);
  const auto start = steady_clock::now();
  const Outcome<DeviceFacts> facts = client.hello();
  EXPECT_LT(steady_clock::now() - start, settings.start_timeout + milliseconds(3000));
  ASSERT_FALSE(facts.has_value());
  expect_error(facts.error(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Client, BadHello,
    testing::Values(Case{"hang", ErrorKind::no_answer, "did not answer in time"},
                    Case{"trickle", ErrorKind::no_answer, "did not answer in time"},
                    Case{"flood_stderr", ErrorKind::no_answer, "its last words: \""},
                    Case{"die_in_line", ErrorKind::died,
                         "killed by signal 11 (Segmentation fault) in the middle of its answer"},
                    Case{"not_found", ErrorKind::died,
                         "exit code 127 before it answered; its last words: \"bash: line 1: gemmscope"},
                    Case{"leave_child", ErrorKind::died, "exit code 5"},
                    Case{"close_stdout", ErrorKind::died, "is still running before it answered"},
                    Case{"next_version", ErrorKind::wrong_version, "version 2"},
                    Case{"text_version", ErrorKind::wrong_version, "version"},
                    Case{"banner", ErrorKind::garbage, "\"Welcome to lab-gpu!\""},
                    Case{"bytes", ErrorKind::garbage, "????"}, Case{"deep", ErrorKind::garbage, "[[[["},
                    Case{"empty_line", ErrorKind::garbage, "\"\" is not a line"},
                    Case{"flood", ErrorKind::flood, "more than the 65536 bytes"},
                    Case{"long_line", ErrorKind::flood, "more than the 65536 bytes"},
                    Case{"flood_lines", ErrorKind::garbage, "\"x\""},
                    Case{"wrong_id", ErrorKind::garbage, "question 77 instead of 1"},
                    Case{"other_question", ErrorKind::garbage, "a different question"},
                    Case{"wrong_member", ErrorKind::garbage, "\"sm_count\" of the device"}),
    [](const auto& test) { return test.param.mode; });

class BadRun : public testing::TestWithParam<Case> {};
TEST_P(BadRun, EndsAsAnError) {
  ClientSettings settings = fake_settings(GetParam().mode);
  settings.start_timeout = kStart;
  settings.reply_timeout = kShort;
  Client client(settings);
  ASSERT_TRUE(client.hello().has_value());
  const auto start = steady_clock::now();
  const Outcome<RunReply> reply = client.run(small_run());
  EXPECT_LT(steady_clock::now() - start, kShort + milliseconds(4000));
  ASSERT_FALSE(reply.has_value());
  expect_error(reply.error(), GetParam());
  EXPECT_TRUE(client.hello().has_value()) << "the next runner does not start";
}
INSTANTIATE_TEST_SUITE_P(Client, BadRun,
                         testing::Values(Case{"hang_in_run", ErrorKind::no_answer, "did not answer in time"},
                                         Case{"flood_in_run", ErrorKind::flood, "more than the"},
                                         Case{"no_buffer", ErrorKind::garbage, "a different size"},
                                         Case{"short_buffer", ErrorKind::garbage, "a different size"},
                                         Case{"wild_write", ErrorKind::garbage, "parameter 9"},
                                         Case{"twice", ErrorKind::garbage, "question 1 instead of 2"},
                                         Case{"error_and_hang", ErrorKind::kernel_fault, "the kernel failed"},
                                         Case{"error_and_go_on", ErrorKind::no_such_kernel, "there is none"}),
                         [](const auto& test) { return test.param.mode; });

TEST(Client, AGoodRunnerAnswers) {
  Client client(fake_settings("good"));
  const Outcome<DeviceFacts> facts = client.hello();
  ASSERT_TRUE(facts.has_value()) << facts.error().message;
  EXPECT_EQ(*facts, (DeviceFacts{"Fake GPU", 90, 4, 1000.5, uint64_t{1} << 33, "1.2.3", "13.0"}));
  for (const size_t size : {size_t{0}, size_t{24}, size_t{3'000'001}}) {
    const RunRequest request = small_run(size);
    const Outcome<RunReply> reply = client.run(request);
    ASSERT_TRUE(reply.has_value()) << reply.error().message;
    ASSERT_EQ(reply->buffers.size(), 1u);
    std::vector<std::byte> expected = std::get<BufferParameter>(request.parameters[0]).initial;
    for (std::byte& byte : expected) byte = ~byte;
    EXPECT_TRUE(reply->buffers[0] == expected) << size;
  }
}

TEST(Client, ARunnerThatDiedIsStartedAgain) {
  const TemporaryPath file("die-once");
  Client client(fake_settings("die_once", file.text()));
  const Outcome<RunReply> first = client.run(small_run());
  ASSERT_FALSE(first.has_value());
  EXPECT_EQ(first.error().kind, ErrorKind::died);
  EXPECT_TRUE(client.run(small_run()).has_value());
}

TEST(Client, ADeathBetweenRequestsGoesUnnoticed) {
  const TemporaryPath file("idle-death");
  Client client(fake_settings("idle_death", file.text()));
  ASSERT_TRUE(client.hello().has_value());
  std::this_thread::sleep_for(milliseconds(500));
  const Outcome<RunReply> reply = client.run(small_run());
  EXPECT_TRUE(reply.has_value()) << reply.error().message;
}

TEST(Client, ChildrenOfAWrapperEndToo) {
  const TemporaryPath file("child");
  Client client(fake_settings("leave_child", file.text()));
  EXPECT_FALSE(client.hello().has_value());
  pid_t child = 0;
  std::ifstream(file.text()) >> child;
  ASSERT_GT(child, 0);
  for (int tries = 0; tries < 100 && kill(child, 0) == 0; ++tries) {
    std::string state, word;
    std::ifstream status(fmt::format("/proc/{}/stat", child));
    status >> word >> word >> state;
    if (state == "Z" || state == "X") break;  // dead, but not yet reaped by its new parent
    ASSERT_LT(tries, 99) << "process " << child << " still lives";
    std::this_thread::sleep_for(milliseconds(20));
  }
}

TEST(Client, ARunnerThatDoesNotReadTakesNoTimeBeyondTheLimit) {
  ClientSettings settings = fake_settings("never_quit");
  settings.reply_timeout = kShort;
  settings.slowest_bytes_per_second = 1e9;
  Client client(settings);
  const auto start = steady_clock::now();
  const Outcome<RunReply> reply = client.run(small_run(20'000'000));
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().kind, ErrorKind::no_answer);
  EXPECT_LT(steady_clock::now() - start, milliseconds(12'000));
}

TEST(Client, WorkCanBeCancelled) {
  Client client(fake_settings("hang_in_run"));
  ASSERT_TRUE(client.hello().has_value());
  std::atomic<bool> cancelled{false};
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(100));
    cancelled = true;
  });
  const auto start = steady_clock::now();
  const Outcome<RunReply> reply = client.run(small_run(), &cancelled);
  canceller.join();
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().kind, ErrorKind::cancelled);
  EXPECT_LT(steady_clock::now() - start, milliseconds(3000));
}

TEST(Client, EndsWithoutWaitingForARunnerThatIgnoresQuit) {
  const auto start = steady_clock::now();
  {
    Client client(fake_settings("never_quit"));
    ASSERT_TRUE(client.hello().has_value());
  }
  EXPECT_LT(steady_clock::now() - start, milliseconds(12'000));
}

TEST(Client, ACommandThatDoesNotExist) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"/nowhere/runner"}, {"no-such-program-7"}, {""}, {}}) {
    ClientSettings settings;
    settings.command = command;
    Client client(settings);
    const Outcome<DeviceFacts> facts = client.hello();
    ASSERT_FALSE(facts.has_value());
    EXPECT_EQ(facts.error().kind, ErrorKind::cannot_start);
    EXPECT_NE(facts.error().message.find("check its command line"), std::string::npos)
        << facts.error().message;
  }
}

TEST(Client, ARequestBeyondTheLimitIsRefusedBeforeItIsSent) {
  ClientSettings settings;
  settings.command = {"/nowhere/runner"};
  settings.max_request_bytes = 3 << 20;
  const Outcome<RunReply> reply = Client(settings).run(small_run(3 << 20));
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().kind, ErrorKind::bad_request);
  EXPECT_NE(
      reply.error().message.find("take 4 MB on their way to the GPU runner, which accepts 3 MB at most"),
      std::string::npos)
      << reply.error().message;
}

TEST(Client, TheLogHoldsTheConversation) {
  std::string log;
  ClientSettings settings = fake_settings("good");
  settings.log = [&](char direction, std::string_view line) {
    log += fmt::format("{}{}\n", direction, line.substr(0, 20));
  };
  ASSERT_TRUE(Client(settings).hello().has_value());
  EXPECT_EQ(log,
            ">{\"gemmscope_gpu\":1,\"\n<{\"gemmscope_gpu\": "
            "1,\n>{\"gemmscope_gpu\":1,\"\n<{\"gemmscope_gpu\": 1,\n");
}

}  // namespace
}  // namespace gemmscope::gpu
