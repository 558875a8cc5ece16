// What a launch takes from DRAM, and what L2 has for it.
#include "sm/figures.h"

#include <gtest/gtest.h>

#include "hand_made.h"

namespace gemmscope::sm {
namespace {

// Blocks that load a buffer of `mib`, of which every line is read by 8 blocks, 4 of them together, and store
// another one.
SampledLaunch reading(double mib, const SmConfig& config) {
  SampledLaunch launch;
  launch.deep = launch_of({plain()}, 1);
  launch.deep.grid = {static_cast<uint32_t>(config.sms), 1, 1};
  launch.deep.buffers = {
      {.first_line = 0, .end_line = 100, .bytes = mib * 1024 * 1024, .readers = 8, .readers_at_once = 4},
      {.first_line = 200, .end_line = 300, .bytes = mib * 1024 * 1024, .stored = true}};
  return launch;
}

LaunchFigures figures_of_reading(double mib, const SmConfig& config) {
  LaunchTime time;
  time.cycles = 1e6;
  time.blocks_of_busiest_sm = 1;
  // Each SM loads its share of the 8 readings.
  time.counters.l2_load_sectors = static_cast<uint64_t>(8 * mib * 1024 * 1024 / 32 / config.sms);
  return figures_of(reading(mib, config), time, config);
}

TEST(Figures, NothingComesFromDramWhereL2KeepsAll) {
  const SmConfig config = plain_device();
  const LaunchFigures f = figures_of_reading(config.l2_mib / 100, config);
  EXPECT_EQ(f.dram_read_bytes, 0);
  EXPECT_EQ(f.dram_written_bytes, 0);
  EXPECT_DOUBLE_EQ(f.l2_hit_rate(), 1);
}

// Where L2 has lost every line, each of the two groups of four blocks fetches the buffer once: of eight
// readings two miss.
TEST(Figures, EachGroupOfReadersFetchesWhatL2HasLost) {
  const SmConfig config = plain_device();
  const double mib = 100 * config.l2_mib, bytes = mib * 1024 * 1024;
  const LaunchFigures f = figures_of_reading(mib, config);
  EXPECT_DOUBLE_EQ(f.dram_read_bytes, 2 * bytes);
  EXPECT_DOUBLE_EQ(f.dram_written_bytes, bytes);
  EXPECT_NEAR(f.l2_hit_rate(), 0.75, 1e-4);
}

}  // namespace
}  // namespace gemmscope::sm
