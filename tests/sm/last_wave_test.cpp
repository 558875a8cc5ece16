#include "sm/last_wave.h"

#include <array>

#include "hand_made.h"
#include "sm/predict.h"

namespace gemmscope::sm {
namespace {

constexpr uint64_t kSms = 132;
constexpr double kSpread = 0.0025;

// blocks.csv: 512 blocks, three an SM, leave 116: some SMs take three of them where their blocks end
// together, each takes one where they end one after the other.
TEST(LastWave, BlocksThatEndTogetherAreFollowedTogether) {
  constexpr std::array<double, 3> kTogether = {1000, 1000, 1000}, kApart = {900, 950, 1000};
  EXPECT_EQ(most_blocks_of_an_sm(kTogether, kSms, 116, kSpread), 3u);
  EXPECT_EQ(most_blocks_of_an_sm(kApart, kSms, 116, kSpread), 1u);
}

TEST(LastWave, NoSmTakesMoreThanItsPlaces) {
  constexpr std::array<double, 2> kEnds = {1000, 1001};
  EXPECT_EQ(most_blocks_of_an_sm(kEnds, kSms, 2 * kSms, kSpread), 2u);
  EXPECT_EQ(most_blocks_of_an_sm(kEnds, kSms, 5 * kSms, kSpread), 2u);
  EXPECT_EQ(most_blocks_of_an_sm({}, kSms, 7, kSpread), 0u);
}

LaunchTrace launch_with(uint32_t blocks, int blocks_per_sm) {
  LaunchTrace launch = launch_of({plain()}, 4);
  launch.grid = {blocks, 1, 1};
  launch.blocks_per_sm = blocks_per_sm;
  return launch;
}

TEST(LastWave, TheBusiestSmHasAtLeastItsShare) {
  SmConfig config = plain_device();
  config.sm_spread = kSpread;
  constexpr std::array<double, 3> kTogether = {1000, 1000, 1000};
  EXPECT_EQ(blocks_of_busiest_sm(launch_with(512, 3), config, kTogether), 6u);
  EXPECT_EQ(blocks_of_busiest_sm(launch_with(396, 3), config, kTogether), 3u) << "no block is left";
  EXPECT_EQ(blocks_of_busiest_sm(launch_with(256, 3), config, kTogether), 2u) << "one wave";
  config.sm_spread = 0;
  EXPECT_EQ(blocks_of_busiest_sm(launch_with(512, 3), config, kTogether), 4u);
}

double modelled_us(const LaunchTrace& launch, const SmConfig& config) {
  SampledLaunch sampled;
  sampled.deep = sampled.shallow = launch;
  const auto time = predict(sampled, config);
  EXPECT_TRUE(time.has_value());
  return time ? time->milliseconds * 1e3 : 0;
}

// blocks.csv: 1796 to 1813 MHz instead of 1980.
TEST(Predict, TensorKernelsRunAtALowerClock) {
  SmConfig config = plain_device();
  config.launch_interval_us = config.launch_us = 0;
  LaunchTrace launch = launch_of(std::vector<TimedInstruction>(20000, plain()), 4);
  const double without = modelled_us(launch, config);
  launch.code.back().unit = Unit::tensor;
  EXPECT_NEAR(without / modelled_us(launch, config), config.tensor_clock_share, 0.001);
}

// ncu_h200_stalls.csv: elapsed cycles go on at 1975 MHz, so DRAM is as fast as ever.
TEST(Predict, TensorKernelsDoNotSlowDram) {
  SmConfig config = plain_device();
  config.launch_interval_us = config.launch_us = 0;
  LaunchTrace launch = launch_of({plain()}, 4);
  launch.buffers.push_back({.first_line = 0, .end_line = 1, .bytes = 4e9, .stored = true});
  const double without = modelled_us(launch, config);
  EXPECT_NEAR(without, 4e9 / (config.dram_gb_s * 1e3), 1);
  launch.code.back().unit = Unit::tensor;
  EXPECT_NEAR(modelled_us(launch, config), without, 1e-6 * without);
}

TEST(Predict, ALaunchTakesAtLeastTheInterval) {
  const SmConfig config = plain_device();
  EXPECT_EQ(modelled_us(launch_of({plain()}, 4), config), config.launch_interval_us);
}

}  // namespace
}  // namespace gemmscope::sm
