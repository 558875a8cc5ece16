#include "metrics/sectors.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <vector>

namespace gemmscope::metrics {
namespace {

constexpr uint32_t kAll = 0xffffffffu;

GlobalAccess access_of(int width_bytes, uint32_t mask,
                       const std::function<uint64_t(uint64_t)>& address_of_lane) {
  GlobalAccess access{width_bytes, mask, {}};
  for (uint64_t l = 0; l < 32; ++l) access.addresses[l] = 0x7f5000000000 + address_of_lane(l);
  return access;
}

TEST(Sectors, FullWarpBestCases) {
  for (const auto& [width, sectors] : {std::pair(1, 1), {2, 2}, {4, 4}, {8, 8}, {16, 16}}) {
    const SectorCount count = count_sectors(
        access_of(width, kAll, [w = width](uint64_t l) { return l * static_cast<uint64_t>(w); }));
    EXPECT_EQ(count.sectors, sectors) << width;
    EXPECT_EQ(count.minimum, sectors) << width;
    EXPECT_EQ(count.excess(), 0);
    EXPECT_EQ(count.lines, (sectors + 3) / 4);
  }
}

TEST(Sectors, OneAddressForAllIsOneSector) {
  EXPECT_EQ(count_sectors(access_of(4, kAll, [](uint64_t) { return 64u; })).sectors, 1);
  EXPECT_EQ(count_sectors(access_of(4, kAll, [](uint64_t) { return 64u; })).minimum, 1);
}

TEST(Sectors, AColumnTakesOneForEachLane) {
  const SectorCount count = count_sectors(access_of(4, kAll, [](uint64_t l) { return l * 4096; }));
  EXPECT_EQ(count.sectors, 32);
  EXPECT_EQ(count.lines, 32);
  EXPECT_EQ(count.minimum, 4);
  EXPECT_EQ(count.excess(), 28);
}

TEST(Sectors, AShiftedRowTakesOneMore) {
  EXPECT_EQ(count_sectors(access_of(4, kAll, [](uint64_t l) { return 4 + 4 * l; })).sectors, 5);
  EXPECT_EQ(count_sectors(access_of(4, kAll, [](uint64_t l) { return 4 + 4 * l; })).lines, 2);
}

TEST(Sectors, NoActiveLaneTakesNothing) {
  const SectorCount count = count_sectors(access_of(16, 0, [](uint64_t l) { return l; }));
  EXPECT_EQ(count.sectors, 0);
  EXPECT_EQ(count.minimum, 0);
  EXPECT_EQ(count.lines, 0);
}

// Collects every byte that the active lanes touch in sets.
TEST(SectorProperty, EqualsTheSetsOfBytes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const int width = 1 << random() % 5;
    const uint64_t range = 1ull << random() % 12, stride = random() % 3 == 0 ? random() % 64 : 0;
    const uint32_t mask = random() % 2 == 0 ? kAll : static_cast<uint32_t>(random());
    const GlobalAccess access = access_of(width, mask, [&](uint64_t l) {
      return (random() % range + stride * l) * static_cast<uint64_t>(width);
    });
    std::set<uint64_t> bytes, sectors, lines;
    for (size_t l = 0; l < 32; ++l)
      for (uint64_t b = 0; b < static_cast<uint64_t>(width) && (mask >> l & 1u) != 0; ++b) {
        bytes.insert(access.addresses[l] + b);
        sectors.insert((access.addresses[l] + b) / 32);
        lines.insert((access.addresses[l] + b) / 128);
      }
    const SectorCount count = count_sectors(access);
    EXPECT_EQ(static_cast<size_t>(count.sectors), sectors.size());
    EXPECT_EQ(static_cast<size_t>(count.lines), lines.size());
    EXPECT_EQ(static_cast<size_t>(count.minimum), (bytes.size() + 31) / 32);
  }
}

// Serializes pass by pass: each lane joins the first pass in which no lane has its address yet, and a pass
// touches its lanes' sectors.
TEST(AtomicSectors, EqualThoseOfThePasses) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const int width = random() % 2 == 0 ? 4 : 8;
    const uint64_t range = 1ull << random() % 8;
    const uint32_t mask = random() % 2 == 0 ? kAll : static_cast<uint32_t>(random());
    const GlobalAccess access =
        access_of(width, mask, [&](uint64_t) { return random() % range * static_cast<uint64_t>(width); });
    std::vector<std::set<uint64_t>> passes;  // their addresses
    for (size_t l = 0; l < 32; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      size_t pass = 0;
      while (pass < passes.size() && passes[pass].contains(access.addresses[l])) ++pass;
      if (pass == passes.size()) passes.emplace_back();
      passes[pass].insert(access.addresses[l]);
    }
    size_t sectors = 0;
    for (const std::set<uint64_t>& pass : passes) {
      std::set<uint64_t> touched;
      for (const uint64_t address : pass) touched.insert(address / 32);
      sectors += touched.size();
    }
    const SectorCount count = count_atomic_sectors(access), plain = count_sectors(access);
    EXPECT_EQ(static_cast<size_t>(count.sectors), sectors);
    EXPECT_EQ(count.lines, plain.lines);
    EXPECT_EQ(count.minimum, plain.minimum);
  }
  EXPECT_EQ(count_atomic_sectors(access_of(4, kAll, [](uint64_t) { return 64; })).sectors, 32);
  EXPECT_EQ(count_atomic_sectors(access_of(4, kAll, [](uint64_t l) { return 4 * l; })).sectors, 4);
  EXPECT_EQ(count_atomic_sectors(access_of(4, 0, [](uint64_t) { return 0; })).sectors, 0);
}

// Byte by byte: word w of lane l lies at (32 w + l) * 4.
TEST(LocalSectors, EqualThoseOfTheInterleavedAddresses) {
  std::mt19937_64 random(29);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const int width = 1 << random() % 5;
    const uint64_t range = 1ull << random() % 8;
    const uint32_t mask = random() % 2 == 0 ? kAll : static_cast<uint32_t>(random());
    const GlobalAccess access =
        access_of(width, mask, [&](uint64_t) { return random() % range * static_cast<uint64_t>(width); });
    std::set<uint64_t> sectors;
    for (uint64_t l = 0; l < 32; ++l)
      for (uint64_t b = access.addresses[l]; b < access.addresses[l] + static_cast<uint64_t>(width); ++b)
        if ((mask >> l & 1u) != 0) sectors.insert(((b / 4 * 32 + l) * 4 + b % 4) / 32);
    const SectorCount count = count_local_sectors(access);
    EXPECT_EQ(static_cast<size_t>(count.sectors), sectors.size());
    EXPECT_LE(count.minimum, count.sectors);
  }
  EXPECT_EQ(count_local_sectors(access_of(4, kAll, [](uint64_t) { return 0; })).sectors, 4);
  EXPECT_EQ(count_local_sectors(access_of(16, kAll, [](uint64_t) { return 0; })).sectors, 16);
}

}  // namespace
}  // namespace gemmscope::metrics
