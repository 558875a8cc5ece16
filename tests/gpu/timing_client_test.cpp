// Prepares and times kernels with runners that die, hang, lie and flood meanwhile.
#include <thread>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ClientSettings impatient(const std::string& mode, const std::string& argument = "") {
  ClientSettings settings = fake_settings(mode, argument);
  settings.start_timeout = kStart;
  settings.reply_timeout = kShort;
  return settings;
}

TimeRequest time_of(uint64_t handle) { return {handle, 2, false, 200}; }

class BadPrepare : public testing::TestWithParam<Case> {};
TEST_P(BadPrepare, EndsAsAnError) {
  Client client(impatient(GetParam().mode));
  ASSERT_TRUE(client.hello().has_value());
  const auto start = steady_clock::now();
  const Outcome<Prepared> reply = client.prepare(small_prepare());
  EXPECT_LT(steady_clock::now() - start, kShort + milliseconds(4000));
  ASSERT_FALSE(reply.has_value());
  expect_error(reply.error(), GetParam());
  EXPECT_TRUE(client.hello().has_value()) << "the next runner does not start";
}
INSTANTIATE_TEST_SUITE_P(
    TimingClient, BadPrepare,
    testing::Values(Case{"hang_in_run", ErrorKind::no_answer, "did not answer in time"},
                    Case{"flood_in_run", ErrorKind::flood, "more than the 65536 bytes"},
                    Case{"no_handle", ErrorKind::garbage, "gave no handle"},
                    Case{"text_handle", ErrorKind::garbage, "\"handle\" of what was prepared"},
                    Case{"negative_handle", ErrorKind::garbage, "\"handle\" of what was prepared"},
                    Case{"negative_first", ErrorKind::garbage, "a first launch of -1 ms"},
                    Case{"no_verification", ErrorKind::garbage, "the verification is missing"},
                    Case{"infinite_error", ErrorKind::garbage, "cannot be used"},
                    Case{"half_prepared", ErrorKind::garbage, "of what was prepared is missing"},
                    Case{"no_buffer", ErrorKind::garbage, "a different question"},
                    Case{"twice", ErrorKind::garbage, "question 1 instead of 2"},
                    Case{"error_and_hang", ErrorKind::kernel_fault, "the kernel failed"},
                    Case{"error_and_go_on", ErrorKind::no_such_kernel, "there is none"}),
    [](const auto& test) { return test.param.mode; });

class BadTime : public testing::TestWithParam<Case> {};
TEST_P(BadTime, EndsAsAnErrorAndTheHandleIsGone) {
  Client client(impatient(GetParam().mode));
  const Outcome<Prepared> prepared = client.prepare(small_prepare());
  ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
  const auto start = steady_clock::now();
  const Outcome<TimeReply> reply = client.time(time_of(prepared->handle));
  EXPECT_LT(steady_clock::now() - start, kShort + milliseconds(4000));
  ASSERT_FALSE(reply.has_value());
  expect_error(reply.error(), GetParam());
  const Outcome<TimeReply> again = client.time(time_of(prepared->handle));
  ASSERT_FALSE(again.has_value());
  expect_error(again.error(), {"", ErrorKind::not_prepared, "prepare the kernel again"});
  EXPECT_TRUE(client.release({prepared->handle}).has_value());
  EXPECT_TRUE(client.prepare(small_prepare()).has_value()) << "the next runner does not start";
}
INSTANTIATE_TEST_SUITE_P(
    TimingClient, BadTime,
    testing::Values(Case{"hang_in_time", ErrorKind::no_answer, "did not answer in time"},
                    Case{"die_in_time", ErrorKind::died, "in the middle of its answer"},
                    Case{"flood_in_time", ErrorKind::flood, "more than the 65536 bytes"},
                    Case{"other_answer_in_time", ErrorKind::garbage, "a different question"},
                    Case{"next_version_in_time", ErrorKind::wrong_version, "version 2"},
                    Case{"negative_time", ErrorKind::garbage, "reports -0.25 ms"},
                    Case{"zero_time", ErrorKind::garbage, "reports 0 ms"},
                    Case{"nan_time", ErrorKind::garbage, "not a line"},
                    Case{"null_time", ErrorKind::garbage, "\"ms\" of the time"},
                    Case{"infinite_time", ErrorKind::garbage, "cannot be used"},
                    Case{"text_time", ErrorKind::garbage, "\"ms\" of the time"},
                    Case{"late_error", ErrorKind::device_lost, "the GPU is gone"},
                    Case{"unknown_error", ErrorKind::driver_error, "of a later version"}),
    [](const auto& test) { return test.param.mode; });

TEST(TimingClient, AGoodRunnerPreparesTimesAndReleases) {
  Client client(impatient("good"));
  const Outcome<Prepared> kernel = client.prepare(small_prepare());
  ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
  EXPECT_EQ(*kernel, (Prepared{7, GpuVerification{true, 1e-6, 0.25, 0, "float64 of the fake"}, 0.5, ""}));
  const Outcome<Prepared> library = client.prepare(PrepareLibraryRequest{{8, 8, 8, 1, 0}, Precision::fp32});
  ASSERT_TRUE(library.has_value()) << library.error().message;
  EXPECT_EQ(library->library, "cuBLAS 0.0.0");
  EXPECT_EQ(client.time(time_of(kernel->handle)), (TimeReply{0.875, 1000.5}));
  EXPECT_EQ(client.time(time_of(library->handle)), (TimeReply{1, 1000.5}));
  EXPECT_TRUE(client.release({kernel->handle}).has_value());
  const Outcome<TimeReply> released = client.time(time_of(kernel->handle));
  ASSERT_FALSE(released.has_value());
  EXPECT_EQ(released.error().kind, ErrorKind::not_prepared);
  EXPECT_EQ(client.time(time_of(library->handle)), (TimeReply{1, 1000.5})) << "that runner goes on";
}

TEST(TimingClient, OneHandleForTwoKernelsIsRefused) {
  Client client(impatient("same_handle"));
  ASSERT_TRUE(client.prepare(small_prepare()).has_value());
  const Outcome<Prepared> second = client.prepare(small_prepare());
  ASSERT_FALSE(second.has_value());
  expect_error(second.error(), {"", ErrorKind::garbage, "the handle 7 to two kernels"});
}

TEST(TimingClient, AHandleDoesNotOutliveItsRunnerEvenIfTheNextOneGivesTheSame) {
  const TemporaryPath file("die-in-run");
  Client client(impatient("die_in_run_once", file.text()));
  const Outcome<Prepared> first = client.prepare(small_prepare());
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_FALSE(client.run(small_run()).has_value());
  const Outcome<TimeReply> stale = client.time(time_of(first->handle));
  ASSERT_FALSE(stale.has_value());
  EXPECT_EQ(stale.error().kind, ErrorKind::not_prepared);
  EXPECT_EQ(client.prepare(small_prepare())->handle, first->handle);
}

TEST(TimingClient, ContradictionsAreRefusedBeforeTheRunnerStarts) {
  ClientSettings settings;
  settings.command = {"/nowhere/runner"};
  PrepareRequest request = small_prepare();
  request.launches[0].parameters = {99};
  const Outcome<Prepared> prepared = Client(settings).prepare(request);
  ASSERT_FALSE(prepared.has_value());
  EXPECT_EQ(prepared.error().kind, ErrorKind::bad_request);
  const Outcome<Prepared> library =
      Client(settings).prepare(PrepareLibraryRequest{{0, 8, 8, 1, 0}, Precision::fp32});
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().kind, ErrorKind::bad_request);
}

TEST(TimingClient, TimingCanBeCancelled) {
  Client client(impatient("hang_in_time"));
  const Outcome<Prepared> prepared = client.prepare(small_prepare());
  ASSERT_TRUE(prepared.has_value());
  std::atomic<bool> cancelled{false};
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(100));
    cancelled = true;
  });
  const auto start = steady_clock::now();
  const Outcome<TimeReply> reply = client.time(time_of(prepared->handle), &cancelled);
  canceller.join();
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().kind, ErrorKind::cancelled);
  EXPECT_LT(steady_clock::now() - start, milliseconds(1400));
}

}  // namespace
}  // namespace gemmscope::gpu
