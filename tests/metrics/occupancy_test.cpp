#include "metrics/occupancy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

namespace gemmscope::metrics {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

// The rows are the answers of NVIDIA's cuda_occupancy.h; see tests/data/metrics/README.md.
TEST(Occupancy, EqualsTheVendorsCalculator) {
  std::ifstream file(std::string(GEMMSCOPE_TEST_DATA) + "/metrics/occupancy.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  size_t rows = 0;
  while (std::getline(file, line)) {
    const std::vector<std::string> cell = cells_of(line);
    const auto number = [&](size_t i) { return std::stoi(cell.at(i)); };
    const int capability = static_cast<int>(std::lround(std::stod(cell.at(0)) * 10));
    if (capability == 30 && number(2) > 63) continue;  // the calculator lets pass what the chip cannot
    const SmLimits* sm = sm_limits(capability);
    ASSERT_NE(sm, nullptr) << line;
    const Occupancy o = occupancy(*sm, {number(1), number(2), number(3) + number(4)});
    unsigned mask = 0;
    for (size_t i = 0; i < kOccupancyLimits; ++i)
      if (o.limited_by(static_cast<OccupancyLimit>(i))) mask |= 1u << i;
    ASSERT_EQ(o.blocks, number(6)) << line;
    ASSERT_EQ(o.warps, number(7)) << line;
    ASSERT_EQ(mask, static_cast<unsigned>(number(8))) << line;
    const auto limit = [&](int i) { return o.limits[static_cast<size_t>(i)].value_or(-1); };
    ASSERT_EQ(limit(1), number(9)) << line;
    ASSERT_EQ(limit(2), number(10)) << line;
    ASSERT_EQ(limit(0), number(11)) << line;
    ASSERT_EQ(limit(3), number(12)) << line;
    ASSERT_EQ(limit(4), number(13)) << line;
    ASSERT_EQ(o.registers_per_block, number(14)) << line;
    ASSERT_EQ(o.shared_per_block, number(15)) << line;
    ++rows;
  }
  EXPECT_GT(rows, 2000u);
}

// The course's example: a Tesla C2050 (2.0), blocks of 16 x 16, 21 registers and then 22.
TEST(Occupancy, TheTextbooksRuleGivesTheTextbooksNumbers) {
  const SmLimits& c2050 = *sm_limits(20);
  EXPECT_EQ(simple_occupancy(c2050, {256, 21, 0}).blocks, 6);
  EXPECT_EQ(simple_occupancy(c2050, {256, 22, 0}).blocks, 5);
  // With allocation units of 64 registers per warp, 21 count as 22: 704 per warp.
  EXPECT_EQ(occupancy(c2050, {256, 21, 0}).blocks, 5);
  EXPECT_EQ(occupancy(c2050, {256, 20, 0}).blocks, 6);
}

// The course's exercise: 2048 threads, 32 blocks, 64 K registers and 96 KB on an SM, as on a GPU of 5.2.
TEST(Occupancy, TheTextbooksExercise) {
  const SmLimits& sm = *sm_limits(52);
  const Occupancy a = simple_occupancy(sm, {64, 27, 4096}), b = simple_occupancy(sm, {256, 31, 8192});
  EXPECT_EQ(a.blocks, 24);  // 96 KB / 4 KB, 1,536 threads
  EXPECT_TRUE(a.limited_by(OccupancyLimit::shared));
  EXPECT_EQ(b.blocks, 8);  // 2,048 threads
  EXPECT_TRUE(b.limited_by(OccupancyLimit::warps));
}

// Blocks of 32 threads fill the block slots first, on the GPUs of the course's table.
TEST(Occupancy, ThreadsPerBlockThatFillTheSm) {
  struct Row {
    int capability, threads;
  };
  for (const Row& row : {Row{20, 192}, Row{35, 128}, Row{60, 64}}) {
    const SmLimits& sm = *sm_limits(row.capability);
    EXPECT_EQ(simple_occupancy(sm, {row.threads, 0, 0}).blocks * row.threads, sm.threads);
    EXPECT_LT(simple_occupancy(sm, {row.threads - 32, 0, 0}).blocks * (row.threads - 32), sm.threads);
  }
}

TEST(Occupancy, TheNextCliff) {
  const SmLimits& sm = *sm_limits(86);
  // 137 registers are 4,384, rounded up to 4,608 per warp. 16,384 / 4,608 gives 3 warps in each of 4
  // sub-partitions: one block of 8 warps.
  const BlockNeeds block{256, 137, 0};
  EXPECT_EQ(occupancy(sm, block).blocks, 1);
  EXPECT_EQ(registers_for_one_more(sm, block), 128);  // 4,096 a warp: 16 warps
  EXPECT_FALSE(shared_for_one_more(sm, block));
  EXPECT_EQ(occupancy(sm, {256, 128, 0}).blocks, 2);
  EXPECT_EQ(occupancy(sm, {256, 129, 0}).blocks, 1);
  const BlockNeeds large{128, 16, 40 * 1024};  // 41 KB with what is reserved: 2 in 100 KB
  EXPECT_EQ(occupancy(sm, large).blocks, 2);
  const std::optional<int> bytes = shared_for_one_more(sm, large);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(occupancy(sm, {128, 16, *bytes}).blocks, 3);
  EXPECT_EQ(occupancy(sm, {128, 16, *bytes + 1}).blocks, 2);
}

TEST(Occupancy, WhatDoesNotFitAtAll) {
  const SmLimits& sm = *sm_limits(75);
  EXPECT_EQ(occupancy(sm, {1056, 16, 0}).blocks, 0);
  EXPECT_EQ(occupancy(sm, {1024, 65, 0}).blocks, 0);
  EXPECT_EQ(occupancy(sm, {32, 16, 65 * 1024}).blocks, 0);
  EXPECT_EQ(sm_limits(99), nullptr);
}

}  // namespace
}  // namespace gemmscope::metrics
