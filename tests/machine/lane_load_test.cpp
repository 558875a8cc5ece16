// Checks loads and stores of a whole warp against a loop over its lanes: which addresses qualify, where they
// point, what is read there, and what memory holds after a store.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {
namespace {

constexpr size_t kMemoryBytes = 4096;
using Lanes = std::array<uint32_t, kWarpLanes>;

// Returns offsets like those of kernels; some of them are invalid.
std::array<uint64_t, kWarpLanes> some_offsets(std::mt19937& random, uint32_t width) {
  std::array<uint64_t, kWarpLanes> offsets;
  const uint64_t start = random() % (kMemoryBytes / width) * width;
  const uint32_t kind = random() % 11, lane = random() % kWarpLanes;
  for (uint64_t l = 0; l < kWarpLanes; ++l)
    offsets[l] = kind == 0    ? start
                 : kind == 1  ? start + l * width
                 : kind == 2  ? start + l / 8 * width
                 : kind == 3  ? start - l * width
                 : kind == 6  ? start + l % 16 * width
                 : kind == 7  ? start + l % 16 * 64
                 : kind == 8  ? start + (l / 8 % 2 * 3 + l % 2) * width
                 : kind == 9  ? start + (l ^ lane) * width
                 : kind == 10 ? start + l / 16 * 1024 + l % 3 * width
                              : random() % (kMemoryBytes / width) * width;
  if (kind == 5) {
    const uint64_t wrong[] = {uint64_t{1} << 32, kMemoryBytes, 1, ~uint64_t{0}, uint64_t{1} << 31};
    offsets[lane] += wrong[random() % std::size(wrong)];
  }
  return offsets;
}

bool fits(uint64_t offset, const LaneBounds& bounds) {
  return offset >= bounds.first && offset <= bounds.last && offset % bounds.width == 0;
}

LanePattern pattern_of(const std::array<uint64_t, kWarpLanes>& offsets, uint32_t width) {
  bool same = true, consecutive = true;
  for (size_t l = 0; l < kWarpLanes; ++l) {
    same &= offsets[l] == offsets[0];
    consecutive &= offsets[l] == offsets[0] + l * width;
  }
  return same ? LanePattern::same : consecutive ? LanePattern::consecutive : LanePattern::any;
}

// Returns the mask of the lanes with no later lane at their address.
uint32_t last_lanes_of(const std::array<uint64_t, kWarpLanes>& offsets) {
  uint32_t last = 0;
  for (size_t l = 0; l < kWarpLanes; ++l)
    if (std::count(offsets.begin() + static_cast<ptrdiff_t>(l), offsets.end(), offsets[l]) == 1)
      last |= 1u << l;
  return last;
}

void expect_words(const LaneOps& ops, const std::vector<std::byte>& memory, const LanePlaces& places,
                  const std::array<uint64_t, kWarpLanes>& offsets, uint32_t words) {
  alignas(64) std::array<Lanes, 4> rows{};
  ops.memory.read(rows[0].data(), memory.data(), places, words);
  for (size_t l = 0; l < kWarpLanes; ++l) {
    ASSERT_EQ(places[l], offsets[l]);
    for (size_t w = 0; w < words; ++w)
      ASSERT_EQ(std::memcmp(&rows[w][l], memory.data() + offsets[l] + 4 * w, 4), 0);
  }
}

// Expects the loaded words to be stamped, and no others.
void expect_stamps(const LaneOps& ops, const LanePlaces& places,
                   const std::array<uint64_t, kWarpLanes>& offsets, uint32_t words) {
  constexpr uint8_t kBefore = 3, kStamp = 7;
  std::vector<uint8_t> map(kMemoryBytes / 4, kBefore), expected = map;
  for (const uint64_t offset : offsets)
    std::fill_n(expected.begin() + static_cast<ptrdiff_t>(offset / 4), words, kStamp);
  ops.memory.stamp(map.data(), places, words, kStamp);
  ASSERT_EQ(map, expected);
}

// Loads from shared memory at moved addresses. Expects the words and their stamps, or no change if a lane's
// address is out of bounds.
void expect_moved_load(const LaneOps& ops, const std::vector<std::byte>& memory, LanePlaces places,
                       const std::array<uint64_t, kWarpLanes>& offsets, const LaneBounds& bounds,
                       std::mt19937& random) {
  constexpr uint8_t kBefore = 3, kStamp = 7;
  const uint32_t words = bounds.width / 4;
  const uint64_t by = (random() % 64 - 32ull) * (random() % 8 == 0 ? 2 : bounds.width);
  std::vector<uint8_t> map(kMemoryBytes / 4, kBefore), expected_map = map;
  alignas(64) std::array<Lanes, 4> rows{};
  std::array<Lanes, 4> expected{};
  bool all_fit = true;
  for (const uint64_t offset : offsets) all_fit &= fits(offset + by, bounds);
  for (size_t l = 0; all_fit && l < kWarpLanes; ++l) {
    std::fill_n(expected_map.begin() + static_cast<ptrdiff_t>((offsets[l] + by) / 4), words, kStamp);
    for (size_t w = 0; w < words; ++w)
      std::memcpy(&expected[w][l], memory.data() + offsets[l] + by + 4 * w, 4);
  }
  const StampedMemory stamped{memory.data(), map.data(), kStamp};
  ASSERT_EQ(ops.memory.load_moved(rows[0].data(), stamped, places, offsets[0] + by, bounds), all_fit);
  ASSERT_EQ(map, expected_map);
  ASSERT_EQ(rows, expected);
}

void expect_stores(const LaneOps& ops, std::vector<std::byte> memory, const LanePlaces& places,
                   const std::array<uint64_t, kWarpLanes>& offsets, uint32_t words, std::mt19937& random) {
  std::vector<std::byte> expected = memory;
  std::array<Lanes, 4> rows;
  for (Lanes& row : rows)
    for (uint32_t& word : row) word = static_cast<uint32_t>(random());
  for (size_t l = 0; l < kWarpLanes; ++l)
    for (size_t w = 0; w < words; ++w) std::memcpy(expected.data() + offsets[l] + 4 * w, &rows[w][l], 4);
  ops.memory.write(rows[0].data(), memory.data(), places, words);
  ASSERT_EQ(memory, expected);
}

TEST(LaneAccesses, WidePlacesAndWords) {
  std::mt19937 random(1);
  std::vector<std::byte> memory(kMemoryBytes);
  for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t width = 4u << random() % 3;
    const LaneBounds bounds{0, static_cast<uint32_t>(kMemoryBytes) - width, width};
    const std::array<uint64_t, kWarpLanes> offsets = some_offsets(random, width);
    const uint64_t added = static_cast<uint64_t>(random()) << 32 | random();
    Lanes low, high;
    bool all_fit = true;
    for (size_t l = 0; l < kWarpLanes; ++l) {
      low[l] = static_cast<uint32_t>(offsets[l] - added);
      high[l] = static_cast<uint32_t>((offsets[l] - added) >> 32);
      all_fit &= fits(offsets[l], bounds);
    }
    taken += all_fit ? 1 : 0;
    for (const LaneOps* ops : usable_lane_ops()) {
      LanePlaces places;
      ASSERT_EQ(ops->memory.wide_places(low.data(), high.data(), added, bounds, places), all_fit);
      if (!all_fit) continue;
      EXPECT_EQ(places.pattern, pattern_of(offsets, width));
      expect_words(*ops, memory, places, offsets, width / 4);
      expect_stores(*ops, memory, places, offsets, width / 4, random);
      if (!places.last_lanes_known) {
        EXPECT_EQ(places.last_lanes, kAllLanes);
      }
      expect_stamps(*ops, places, offsets, width / 4);
      expect_moved_load(*ops, memory, places, offsets, bounds, random);
      ops->memory.study(places, width);
      expect_moved_load(*ops, memory, places, offsets, bounds, random);
      expect_stamps(*ops, places, offsets, width / 4);
      EXPECT_EQ(places.last_lanes, last_lanes_of(offsets));
      expect_words(*ops, memory, places, offsets, width / 4);
      expect_stores(*ops, memory, places, offsets, width / 4, random);
    }
  }
  EXPECT_GT(taken, 5'000);
}

TEST(LaneAccesses, SharedPlaces) {
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t width = 4u << random() % 3, scale = random() % 2 == 0 ? 0 : random() % 5,
                   added = random() % 2 == 0 ? random() % 4096 : static_cast<uint32_t>(random());
    const LaneBounds bounds{1024, static_cast<uint32_t>(kMemoryBytes) - width, width};
    const std::array<uint64_t, kWarpLanes> wanted = some_offsets(random, width);
    Lanes base;
    std::array<uint64_t, kWarpLanes> offsets;
    bool all_fit = true;
    for (size_t l = 0; l < kWarpLanes; ++l) {
      base[l] = (static_cast<uint32_t>(wanted[l]) - added) >> scale;
      offsets[l] = ((base[l] << scale) + added) & 0xffffff;
      all_fit &= fits(offsets[l], bounds);
    }
    for (const LaneOps* ops : usable_lane_ops()) {
      LanePlaces places;
      ASSERT_EQ(ops->memory.shared_places(base.data(), scale, added, bounds, places), all_fit);
      if (!all_fit) continue;
      EXPECT_EQ(places.pattern, pattern_of(offsets, width));
      for (size_t l = 0; l < kWarpLanes; ++l) ASSERT_EQ(places[l], offsets[l]);
    }
  }
}

// Addresses that move must keep each lane's distance from the first lane; otherwise they do not qualify.
TEST(LaneAccesses, DistancesAndBounds) {
  std::mt19937 random(3);
  const Lanes zeroes{};
  for (int i = 0; i < 20'000; ++i) {
    const LaneBounds bounds{64, kMemoryBytes - 4, 4};
    Lanes row, moved, high{};
    for (uint32_t& place : row) place = 64 + random() % 1000 * 4;
    const uint32_t by = random() % 1200 * 4 + (random() % 8 == 0 ? 2 : 0), stray = random() % 64;
    bool kept = true, all_fit = true;
    for (size_t l = 0; l < kWarpLanes; ++l) {
      moved[l] = row[l] + by;
      all_fit &= fits(moved[l], bounds);
    }
    if (stray < kWarpLanes) moved[stray] += random() % 2 == 0 ? 4 : 0;
    if (stray == 40) high[random() % kWarpLanes] = 1, kept = false;
    for (size_t l = 0; l < kWarpLanes; ++l) kept &= moved[l] - moved[0] == row[l] - row[0];
    for (const LaneOps* ops : usable_lane_ops()) {
      LanePlaces places;
      ASSERT_TRUE(ops->memory.wide_places(row.data(), zeroes.data(), 0, bounds, places));
      ASSERT_EQ(ops->memory.keeps_wide_distances(moved.data(), high.data(), places), kept);
      ASSERT_EQ(ops->memory.keeps_distances(moved.data(), places), kept || high != zeroes);
      if (!kept) continue;
      ASSERT_EQ(places.move_to(moved[0], bounds), all_fit);
      for (size_t l = 0; all_fit && l < kWarpLanes; ++l) ASSERT_EQ(places[l], moved[l]);
    }
  }
}

}  // namespace
}  // namespace gemmscope::machine
