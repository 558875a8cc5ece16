// Tests the thread around TimingRun: what the UI sees, and that the UI never waits.
#include "experiment/live_timing.h"

#include <gtest/gtest.h>

#include "fake_timing_device.h"

namespace gemmscope::experiment {
namespace {

using namespace std::chrono_literals;

// Takes updates until `enough` returns true; null after ten seconds.
std::shared_ptr<const Timings> take_until(LiveTiming& live,
                                          const std::function<bool(const Timings&)>& enough) {
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  while (std::chrono::steady_clock::now() < deadline) {
    if (auto timings = live.take(); timings != nullptr && enough(*timings)) return timings;
    std::this_thread::sleep_for(1ms);
  }
  return nullptr;
}

bool has_samples(const Timings& timings, const std::string& id, size_t count) {
  for (const TimedVariant& v : timings.variants)
    if (v.id == id) return v.samples.size() >= count;
  return false;
}

// Each sample takes some time, as on a GPU.
std::unique_ptr<FakeTimingDevice> slow_device(std::chrono::milliseconds moment = 1ms) {
  auto device = std::make_unique<FakeTimingDevice>();
  device->while_timing = [moment] { std::this_thread::sleep_for(moment); };
  return device;
}

TEST(LiveTiming, MeasuresUntilStoppedAndWakesTheWindow) {
  std::atomic<int> woken{0};
  LiveTiming live(
      slow_device(), [&] { ++woken; }, fake_compile);
  EXPECT_EQ(live.take(), nullptr);
  EXPECT_FALSE(live.busy());
  live.start(fake_job({"a", "b"}));
  const auto first = take_until(live, [](const Timings& t) { return has_samples(t, "b", 5); });
  ASSERT_NE(first, nullptr);
  EXPECT_NE(take_until(live, [](const Timings& t) { return has_samples(t, "b", 20); }), nullptr);
  EXPECT_TRUE(live.busy());
  EXPECT_GT(woken, 1);
  EXPECT_EQ(first->provenance, Provenance::measured);
}

TEST(LiveTiming, IsQuickAtFirstAndThenTakesARoundEachTenthOfASecond) {
  LiveTiming live(
      std::make_unique<FakeTimingDevice>(), [] {}, fake_compile);
  live.start(fake_job({"a", "b"}));
  const auto timings = take_until(live, [](const Timings& t) { return has_samples(t, "b", 34); });
  ASSERT_NE(timings, nullptr);
  const std::vector<Sample>& samples = timings->variants[1].samples;
  EXPECT_LT(samples[28].at_seconds - samples[0].at_seconds, 28 * 0.1);
  for (size_t i = 30; i < samples.size(); ++i)
    EXPECT_GT(samples[i].at_seconds - samples[i - 1].at_seconds, 0.05) << i;
}

// Checks after every post, because `wake` follows immediately.
TEST(LiveTiming, NoUpdateOfAnOlderChoiceComesAfterStart) {
  std::atomic<LiveTiming*> live{nullptr};
  std::atomic<int> started{-1}, taken{0}, older{0};
  const auto look = [&] {
    LiveTiming* const timing = live;
    const int choice = started;  // before take(): the update is then for this choice or a newer one
    if (timing == nullptr) return;
    const auto timings = timing->take();
    if (timings == nullptr) return;
    ++taken;
    if (std::stoi(timings->variants[0].id) < choice) ++older;
  };
  {
    LiveTiming timing(slow_device(), look, fake_compile);
    live = &timing;
    for (int choice = 0; choice < 200; ++choice) {
      timing.start(fake_job({std::to_string(choice)}));
      started = choice;
      std::this_thread::sleep_for(std::chrono::milliseconds(choice % 4));
    }
    for (int i = 0; i < 5000 && taken < 50; ++i) std::this_thread::sleep_for(1ms);
    live = nullptr;
  }
  EXPECT_GE(taken, 50);
  EXPECT_EQ(older, 0);
}

TEST(LiveTiming, CallsReturnAtOnceAndItEndsQuickly) {
  auto device = std::make_unique<FakeTimingDevice>();
  FakeTimingDevice* const fake = device.get();
  std::atomic<bool> in_request{false};
  fake->while_timing = [&] {
    in_request = true;
    std::this_thread::sleep_for(300ms);
  };
  const auto begin = std::chrono::steady_clock::now();
  {
    LiveTiming live(
        std::move(device), [] {}, fake_compile);
    live.start(fake_job({"a"}));
    while (!in_request) std::this_thread::sleep_for(1ms);
    const auto before = std::chrono::steady_clock::now();
    live.start(fake_job({"b"}));
    live.take();
    live.stop();
    live.start(fake_job({"c"}));
    EXPECT_LT(std::chrono::steady_clock::now() - before, 100ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST(LiveTiming, StopGivesTheMemoryBack) {
  auto device = slow_device();
  FakeTimingDevice* const fake = device.get();
  LiveTiming live(
      std::move(device), [] {}, fake_compile);
  live.start(fake_job({"a"}));
  ASSERT_NE(take_until(live, [](const Timings& t) { return has_samples(t, "a", 5); }), nullptr);
  live.stop();
  EXPECT_FALSE(live.busy());
  live.start(fake_job({"a"}));  // the samples were kept
  ASSERT_NE(take_until(live, [](const Timings& t) { return has_samples(t, "a", 6); }), nullptr);
  live.stop();
  for (int i = 0; i < 1000 && fake->held() > 0; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(fake->held(), 0u);
}

TEST(LiveTiming, FinishesWhenEachHasEnoughSamples) {
  LiveTiming live(
      std::make_unique<FakeTimingDevice>(), [] {}, fake_compile);
  TimingOptions options;
  options.samples_wanted = 20;
  live.start(fake_job({"a", "b"}, options));
  std::shared_ptr<const Timings> last;
  while (live.busy()) std::this_thread::sleep_for(1ms);
  while (auto timings = live.take()) last = timings;
  ASSERT_NE(last, nullptr);
  for (const TimedVariant& v : last->variants) EXPECT_EQ(v.samples.size(), 20u) << v.id;
}

TEST(LiveTiming, WithoutAGpuItSaysSoAndStops) {
  auto device = std::make_unique<FakeTimingDevice>();
  device->describe_error = gpu::RunnerError{gpu::ErrorKind::no_driver, "there is no driver"};
  LiveTiming live(
      std::move(device), [] {}, fake_compile);
  live.start(fake_job({"a"}));
  const auto timings = take_until(live, [](const Timings& t) { return !t.trouble.empty(); });
  ASSERT_NE(timings, nullptr);
  EXPECT_EQ(timings->trouble, "there is no driver");
  for (int i = 0; i < 1000 && live.busy(); ++i) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(live.busy());
}

}  // namespace
}  // namespace gemmscope::experiment
