// Tests the sectors of copies past L1. The figures are parts of launches recorded on an H200
// (tests/calibration).
#include "metrics/bypass_sectors.h"

#include <gtest/gtest.h>

#include <functional>

namespace gemmscope::metrics {
namespace {

using Places = std::array<uint64_t, 32>;

Places places(const std::function<uint64_t(uint64_t)>& of_lane) {
  Places result{};
  for (uint64_t l = 0; l < 32; ++l) result[l] = of_lane(l);
  return result;
}
int sectors(uint32_t mask, const Places& from, const Places& to) {
  return count_bypass_sectors({16, mask, from}, to).sectors;
}

TEST(BypassSectors, EqualThoseOfALoadWhereSectorsStayWhole) {
  const Places side_by_side = places([](uint64_t l) { return 4096 + 16 * l; });
  EXPECT_EQ(sectors(0xffffffff, side_by_side, places([](uint64_t l) { return 16 * l; })), 16);
  EXPECT_EQ(sectors(0xffffffff, side_by_side, places([](uint64_t l) { return 16 * (l ^ 5); })), 16);
  EXPECT_EQ(sectors(0x1, side_by_side, places([](uint64_t l) { return 16 * l; })), 1);
  EXPECT_EQ(sectors(0, side_by_side, side_by_side), 0);
}

// Seventeen lanes side by side start in the middle of a sector. They touch 9 sectors in 3 lines, which are
// written as 4, 5 and 2.
TEST(BypassSectors, CountTheHalvesOfALineSeparately) {
  const Places from = places([](uint64_t l) { return 4096 + 16 + 16 * l; });
  EXPECT_EQ(sectors(0x1ffff, from, places([](uint64_t l) { return 16 * l; })), 11);
}

// Each lane copies the same quad at a matrix's edge again.
TEST(BypassSectors, CountEachDestinationSeparately) {
  const Places same = places([](uint64_t) { return 4096; });
  EXPECT_EQ(sectors(0xffffffff, same, places([](uint64_t l) { return 16 * l; })), 16);
  EXPECT_EQ(sectors(0x01010101, same, places([](uint64_t l) { return 16 * l; })), 4);
}

SectorCount copy(BypassSectors& bypass, uint32_t copying, uint32_t active, const Places& from,
                 const Places& to) {
  using namespace machine;
  if (copying != 0) bypass.load({0, Space::global, Direction::load, 16, copying, &from, Path::bypass_copy});
  return bypass.store({0, Space::shared, Direction::store, 16, active, &to, Path::bypass_copy});
}

TEST(BypassSectors, AreNotRequestedAgainWhileInFlight) {
  BypassSectors bypass;
  const Places from = places([](uint64_t l) { return 4096 + 16 * l; }),
               to = places([](uint64_t l) { return 16 * l; });
  // Odd lanes fill with zeroes, so their sectors were not requested.
  EXPECT_EQ(copy(bypass, 0x55555555, 0xffffffff, from, to).sectors, 16);
  EXPECT_EQ(copy(bypass, 0xffffffff, 0xffffffff, from, to).sectors, 16);
  EXPECT_EQ(copy(bypass, 0xffffffff, 0xffffffff, from, to).sectors, 0);
  EXPECT_EQ(copy(bypass, 0, 0xffffffff, from, to).sectors, 0);
  const Places elsewhere = places([](uint64_t l) { return 512 + 16 * l; });
  EXPECT_EQ(copy(bypass, 0xffffffff, 0xffffffff, from, elsewhere).sectors, 16);
  bypass.awaited();
  EXPECT_EQ(copy(bypass, 0xffffffff, 0xffffffff, from, to).sectors, 16);
}

}  // namespace
}  // namespace gemmscope::metrics
