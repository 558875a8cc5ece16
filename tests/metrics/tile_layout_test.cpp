// The fixes that the bank explorer proposes, against brute force.
#include "metrics/tile_layout.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace gemmscope::metrics {
namespace {

TileLayout tile(int64_t rows, int64_t columns, uint32_t element_bytes = 4) {
  TileLayout layout;
  layout.rows = rows;
  layout.columns = columns;
  layout.element_bytes = element_bytes;
  return layout;
}

template <typename Line, typename Column>
TileAccess access_of(SharedOp op, int bytes, const Line& line, const Column& column) {
  TileAccess access;
  access.op = op;
  access.bytes = bytes;
  access.words = std::max(1, bytes / 4);
  for (int lane = 0; lane < 32; ++lane) {
    access.line[static_cast<size_t>(lane)] = line(lane);
    access.column[static_cast<size_t>(lane)] = column(lane);
  }
  return access;
}

int wavefronts_of(const TileLayout& layout, const TileAccess& access) {
  return count_wavefronts(placed(layout, access).access).wavefronts;
}

TEST(TileLayout, AColumnOf32RowsTakesWhatItsPitchSays) {
  const TileAccess column = access_of(
      SharedOp::load, 4, [](int l) { return l; }, [](int) { return 5; });
  for (int padding = 0; padding <= 32; ++padding) {
    TileLayout layout = tile(32, 32);
    layout.padding = padding;
    EXPECT_EQ(wavefronts_of(layout, column), std::gcd(32 + padding, 32)) << padding;
  }
  TileLayout swizzled = tile(32, 32);
  swizzled.swizzle = {0, 31, 0};
  EXPECT_EQ(wavefronts_of(swizzled, column), 1);
  EXPECT_EQ(expression_of(swizzled.swizzle, swizzled), "column ^ row");
  EXPECT_EQ(operation_count(swizzled.swizzle, swizzled), 1);
}

TEST(TileLayout, EveryXorSwizzleKeepsEachRow) {
  for (const auto& [rows, columns] : {std::pair{32, 32}, {16, 128}, {8, 96}, {64, 40}, {3, 8}, {5, 33}}) {
    const TileLayout layout = tile(rows, columns);
    std::set<std::vector<int64_t>> seen;
    for (const XorSwizzle& swizzle : xor_swizzles(layout)) {
      std::vector<int64_t> places;
      for (int64_t row = 0; row < rows; ++row) {
        std::set<int64_t> taken;
        for (int64_t column = 0; column < columns; ++column) taken.insert(swizzle.place(row, column));
        EXPECT_EQ(*taken.begin(), 0);
        EXPECT_EQ(*taken.rbegin(), columns - 1) << expression_of(swizzle, layout);
        EXPECT_EQ(taken.size(), static_cast<size_t>(columns));
        places.insert(places.end(), swizzle.place(row, 0));
      }
      EXPECT_TRUE(seen.insert(places).second) << "twice: " << expression_of(swizzle, layout);
    }
  }
  EXPECT_TRUE(xor_swizzles(tile(32, 33)).empty());
}

TEST(TileLayout, WhatDoesNotFitIsSaid) {
  const TileAccess quads = access_of(
      SharedOp::load, 16, [](int l) { return l / 8; }, [](int l) { return l % 8 * 4; });
  TileLayout layout = tile(4, 32);
  EXPECT_EQ(placed(layout, quads).misfit, Misfit::none);
  layout.padding = 1;
  EXPECT_EQ(placed(layout, quads).misfit, Misfit::misaligned);
  EXPECT_EQ(placed(layout, quads).lane, 8);
  layout.padding = 0;
  layout.swizzle = {0, 3, 0};
  EXPECT_EQ(placed(layout, quads).misfit, Misfit::torn) << "the swizzle moves single floats";
  layout.swizzle = {0, 3, 2};
  EXPECT_EQ(placed(layout, quads).misfit, Misfit::none);
}

// ---- brute force: the rule of metrics/README.md on addresses that are computed here

bool free_by_hand(const TileLayout& shape, int padding, const XorSwizzle& swizzle,
                  const std::vector<TileAccess>& accesses) {
  for (const TileAccess& access : accesses) {
    SharedAccess real{access.op, access.words, access.mask, {}};
    const int64_t elements = std::max<int64_t>(1, access.bytes / shape.element_bytes);
    for (size_t lane = 0; lane < 32; ++lane) {
      if ((access.mask >> lane & 1u) == 0) continue;
      const int64_t row = access.line[lane], column = access.column[lane];
      const auto byte_of = [&](int64_t c) {
        const int64_t moved = c ^ (((row >> swizzle.row_shift) & swizzle.mask) << swizzle.column_shift);
        return (row * (shape.columns + padding) + moved) * shape.element_bytes;
      };
      if (byte_of(column) % access.bytes != 0) return false;
      for (int64_t i = 1; i < elements; ++i)
        if (byte_of(column + i) != byte_of(column) + i * shape.element_bytes) return false;
      real.addresses[lane] = static_cast<uint64_t>(byte_of(column));
    }
    if (count_wavefronts(real).excess() != 0) return false;
  }
  return true;
}

TileAccess random_access(const TileLayout& shape, std::mt19937& random) {
  const auto pick = [&](std::initializer_list<int> values) {
    return *(values.begin() + static_cast<int64_t>(random() % values.size()));
  };
  int bytes = 0;
  do {
    bytes = pick({2, 4, 8, 16});
  } while (bytes < static_cast<int>(shape.element_bytes));
  const int elements = bytes / static_cast<int>(shape.element_bytes);
  const int vectors = static_cast<int>(shape.columns) / elements;
  const int lane_rows = pick({1, 2, 4, 8, 16, 32}), k = static_cast<int>(random() % 8);
  const bool down = random() % 2 == 0;
  return access_of(
      random() % 2 == 0 ? SharedOp::load : SharedOp::store, bytes,
      [&](int l) { return (down ? l % lane_rows : l / (32 / lane_rows)) % shape.rows; },
      [&](int l) { return ((down ? l / lane_rows : l % (32 / lane_rows)) + k) % vectors * elements; });
}

TEST(FindFixes, EachProposalIsFreeAndNothingSmallerOrMissingIs) {
  std::mt19937 random(7);
  int with_padding = 0, with_swizzle = 0, without = 0;
  for (int round = 0; round < 1500; ++round) {
    const uint32_t element = 1u << (1 + random() % 4);
    const TileLayout shape = tile(8 << random() % 4, 16 << random() % 4, element);
    std::vector<TileAccess> accesses;
    for (size_t i = 0; i < 1 + random() % 3; ++i) accesses.push_back(random_access(shape, random));
    TileLayout asked = shape;  // what is set now must not matter
    asked.padding = static_cast<int>(random() % 5);
    const LayoutFixes fixes = find_fixes(asked, accesses, 16);

    int smallest = 0;
    while (smallest <= 16 && !free_by_hand(shape, smallest, {}, accesses)) ++smallest;
    ASSERT_EQ(fixes.padding.value_or(17), smallest) << "round " << round;
    if (fixes.padding) {
      EXPECT_EQ(fixes.padding_bytes, shape.rows * *fixes.padding * shape.element_bytes);
    }

    size_t free = 0;
    for (const XorSwizzle& swizzle : xor_swizzles(shape))
      free += free_by_hand(shape, 0, swizzle, accesses) ? 1 : 0;
    ASSERT_EQ(fixes.swizzles.size(), free) << "round " << round;
    for (size_t i = 0; i < fixes.swizzles.size(); ++i) {
      ASSERT_TRUE(free_by_hand(shape, 0, fixes.swizzles[i], accesses)) << "round " << round;
      if (i > 0) {
        EXPECT_LE(operation_count(fixes.swizzles[i - 1], shape), operation_count(fixes.swizzles[i], shape));
      }
    }
    with_padding += smallest > 0 && smallest <= 16 ? 1 : 0;
    with_swizzle += free > 0 && smallest > 0 ? 1 : 0;
    without += smallest > 16 && free == 0 ? 1 : 0;
  }
  EXPECT_GT(with_padding, 50);
  EXPECT_GT(with_swizzle, 50);
  EXPECT_GT(without, 5) << "some have no fix of these forms";
}

// Ladder 09: no padding serves both the transposing store and the aligned load of four floats, the swizzle of
// its source does.
TEST(FindFixes, TheLaddersTransposedTile) {
  std::vector<TileAccess> accesses;
  for (int n = 0; n < 4; ++n)
    accesses.push_back(access_of(
        SharedOp::store, 4, [=](int l) { return l % 4 * 4 + n; }, [](int l) { return l / 4; }));
  EXPECT_EQ(find_fixes(tile(16, 128), accesses).padding, 2);
  for (int k = 0; k < 16; ++k)
    accesses.push_back(access_of(
        SharedOp::load, 16, [=](int) { return k; }, [](int l) { return l / 16 * 8; }));
  const LayoutFixes fixes = find_fixes(tile(16, 128), accesses);
  EXPECT_EQ(fixes.padding, std::nullopt) << "two floats would misalign the loads of four";
  EXPECT_NE(std::find(fixes.swizzles.begin(), fixes.swizzles.end(), XorSwizzle{2, 3, 3}),
            fixes.swizzles.end());
}

}  // namespace
}  // namespace gemmscope::metrics
