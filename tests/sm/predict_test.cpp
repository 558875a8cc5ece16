#include "sm/predict.h"

#include "hand_made.h"

namespace gemmscope::sm {
namespace {

double stored_a_cycle(uint32_t blocks, const SmConfig& config) {
  LaunchTrace launch = launch_of({plain()}, 4);
  launch.grid = {blocks, 1, 1};
  launch.blocks_per_sm = 2;
  return chip_share(launch, config, 0).line_store_bytes * std::min<double>(blocks, config.sms);
}

// The slowest of 132 SMs stores a line in 8.6 cycles, the mean one in 7.4 (local.txt).
TEST(ChipShare, OneWaveOfStoresWaitsForTheSlowestSm) {
  const SmConfig config = plain_device();
  const auto sms = static_cast<uint32_t>(config.sms);
  EXPECT_DOUBLE_EQ(stored_a_cycle(sms, config), config.store_chip_line_bytes);
  EXPECT_DOUBLE_EQ(stored_a_cycle(2 * sms, config), config.store_chip_line_bytes);
}

TEST(ChipShare, OfSeveralWavesFasterSmsTakeMore) {
  const SmConfig config = plain_device();
  const auto sms = static_cast<uint32_t>(config.sms);
  const double slowest = config.store_chip_line_bytes, mean = slowest * config.store_mean_share;
  // Two waves: one at the mean rate and one at the slowest SM's.
  EXPECT_NEAR(stored_a_cycle(4 * sms, config), 2 / (1 / mean + 1 / slowest), 1e-6);
  EXPECT_NEAR(stored_a_cycle(2000 * sms, config), mean, 1);
  EXPECT_LT(stored_a_cycle(2000 * sms, config), mean);
}

// Stored lines that L2 cannot keep go on to DRAM.
TEST(ChipShare, StoresBeyondL2WaitForDram) {
  SmConfig config = plain_device();
  LaunchTrace launch = launch_of({plain()}, 4);
  launch.grid = {static_cast<uint32_t>(config.sms), 1, 1};
  config.store_chip_bytes = 2 * config.dram_bytes_per_cycle();
  config.store_sm_bytes = config.store_chip_bytes;
  const auto stored = [&](double share_of_l2) {
    launch.buffers = {{.bytes = share_of_l2 * config.l2_mib * 1024 * 1024, .stored = true}};
    return chip_share(launch, config, 0).store_bytes * config.sms;
  };
  EXPECT_DOUBLE_EQ(stored(0.4), config.store_chip_bytes);
  EXPECT_NEAR(stored(4), config.dram_bytes_per_cycle(), 1e-6);
}

// A few SMs are limited by their own way out.
TEST(ChipShare, AnSmStoresNoMoreThanItsOwnRate) {
  const SmConfig config = plain_device();
  EXPECT_DOUBLE_EQ(stored_a_cycle(8, config), 8 * config.store_sm_bytes);
}

}  // namespace
}  // namespace gemmscope::sm
