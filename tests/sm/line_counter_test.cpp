// Distinct lines by block, against sets.
#include "sm/line_counter.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace gemmscope::sm {
namespace {

TEST(LineCounter, CountsWhatSetsCount) {
  std::mt19937 random(20261128);
  for (int round = 0; round < 20; ++round) {
    const auto first = static_cast<uint32_t>(random() % 1000),
               size = 1 + static_cast<uint32_t>(random() % 200);
    LineCounter counter(first, first + size);
    std::set<uint32_t> all;
    uint64_t of_blocks = 0;
    const size_t blocks = 1 + random() % LineCounter::kMostBlocks;
    for (size_t b = 0; b < blocks; ++b) {
      std::set<uint32_t> of_block;
      for (size_t loads = random() % 300; loads > 0; --loads) {
        const uint32_t line = first + static_cast<uint32_t>(random() % size);
        counter.add(line);
        of_block.insert(line);
      }
      counter.end_block();
      of_blocks += of_block.size();
      all.insert(of_block.begin(), of_block.end());
    }
    EXPECT_EQ(counter.of_blocks(), of_blocks);
    EXPECT_EQ(counter.distinct(), all.size());
  }
}

TEST(LineCounter, CountsTheLinesOfItsBufferOnly) {
  const auto counted = [](uint32_t line) {
    LineCounter counter(7, 9);
    counter.add(line);
    return counter.distinct() == 1 && counter.of_blocks() == 1;
  };
  EXPECT_FALSE(counted(6));
  EXPECT_TRUE(counted(7));
  EXPECT_TRUE(counted(8));
  EXPECT_FALSE(counted(9));
}

}  // namespace
}  // namespace gemmscope::sm
