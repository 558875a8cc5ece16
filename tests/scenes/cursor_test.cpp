// Compares the cursor's position and what it finds with a walk through the whole trace.
#include "scenes/cursor.h"

#include <gtest/gtest.h>

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockResult;

std::vector<int> all_warps_of(const BlockResult& block) {
  std::vector<int> warps{kAllWarps};
  for (uint32_t w = 0; w < block.trace.warp_count; ++w) warps.push_back(static_cast<int>(w));
  return warps;
}

bool belongs_to(const BlockResult& block, size_t record, int warp) {
  return warp == kAllWarps || block.trace.records[record].warp == warp;
}

TEST(Cursor, StepsOfAllWarpsAreTheTrace) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(step_count(*block, kAllWarps), block->trace.records.size());
    size_t steps = 0;
    for (int warp = 0; warp < static_cast<int>(block->trace.warp_count); ++warp)
      steps += step_count(*block, warp);
    EXPECT_EQ(steps, block->trace.records.size()) << kernel;
  }
}

TEST(Cursor, PositionsAndRecordsAreInverse) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  for (const int warp : all_warps_of(*block)) {
    const size_t steps = step_count(*block, warp);
    ASSERT_GT(steps, 100u);
    size_t before = 0;
    for (size_t position = 0; position < steps; ++position) {
      const size_t record = record_at(*block, warp, position);
      ASSERT_TRUE(belongs_to(*block, record, warp));
      ASSERT_TRUE(position == 0 || record > before) << "warp " << warp << ", position " << position;
      ASSERT_EQ(position_of(*block, warp, record), position) << "warp " << warp;
      before = record;
    }
    EXPECT_EQ(record_at(*block, warp, steps), record_at(*block, warp, steps - 1));
    EXPECT_EQ(record_at(*block, warp, SIZE_MAX), record_at(*block, warp, steps - 1));
  }
}

TEST(Cursor, ARecordOfAnotherWarpIsAtTheLastStepBefore) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  constexpr int kWarp = 3;
  size_t position = 0;
  for (size_t record = 0; record < block->trace.records.size(); ++record) {
    if (block->trace.records[record].warp == kWarp && record > record_at(*block, kWarp, 0)) ++position;
    ASSERT_EQ(position_of(*block, kWarp, record), position) << "record " << record;
  }
}

TEST(Cursor, NothingTraced) {
  BlockResult block;
  block.compiled = std::make_shared<experiment::CompiledKernel>();
  block.warp_records.resize(1);
  for (const int warp : {kAllWarps, 0}) {
    EXPECT_EQ(step_count(block, warp), 0u);
    EXPECT_EQ(position_of(block, warp, 7), 0u);
    EXPECT_EQ(record_at(block, warp, 7), 0u);
    EXPECT_FALSE(next_event(block, warp, 0, Event::barrier));
    EXPECT_FALSE(previous_event(block, warp, 0, Event::barrier));
  }
  EXPECT_FALSE(shown_shared_access(block, 0));
}

// Finds the events again, from the trace alone.
bool happens(const BlockResult& block, size_t record, Event event) {
  const machine::TraceRecord& r = block.trace.records[record];
  for (const machine::TraceAccess& access : block.trace.accesses_of(r)) {
    const bool shared = access.space == machine::Space::shared;
    if (event == Event::shared_access && shared) return true;
    if (event == Event::bank_conflict && shared &&
        metrics::count_wavefronts(metrics::shared_access(access)).excess() > 0)
      return true;
    if (event == Event::uncoalesced && access.space == machine::Space::global) {
      std::set<uint64_t> sectors;
      uint64_t bytes = 0;
      std::set<uint64_t> starts;
      for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
        if ((access.mask >> lane & 1u) == 0) continue;
        for (uint64_t b = 0; b < access.width_bytes; b += 4) {
          sectors.insert((access.addresses[lane] + b) / 32);
          starts.insert(access.addresses[lane] + b);
        }
      }
      bytes = 4 * starts.size();
      if (sectors.size() > (bytes + 31) / 32) return true;
    }
  }
  if (event == Event::barrier)
    return block.compiled->text[r.instruction].find("BAR.SYNC") != std::string::npos;
  if (event != Event::k_tile) return false;
  for (size_t before = record; before-- > 0;)
    if (block.trace.records[before].warp == r.warp) return block.trace.records[before].k_tile != r.k_tile;
  return true;
}

TEST(Cursor, EventsAgreeWithAWalkThroughTheTrace) {
  std::mt19937 random(1);
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    for (const Event event :
         {Event::bank_conflict, Event::uncoalesced, Event::barrier, Event::shared_access, Event::k_tile}) {
      std::vector<char> here(block->trace.records.size());
      for (size_t i = 0; i < here.size(); ++i) here[i] = happens(*block, i, event) ? 1 : 0;
      for (const int warp : {kAllWarps, 0, 5}) {
        for (int round = 0; round < 30; ++round) {
          const size_t record = record_at(*block, warp, random() % step_count(*block, warp));
          std::optional<size_t> next, previous;
          for (size_t i = record + 1; i < here.size() && !next; ++i)
            if (here[i] != 0 && belongs_to(*block, i, warp)) next = i;
          for (size_t i = record; i-- > 0 && !previous;)
            if (here[i] != 0 && belongs_to(*block, i, warp)) previous = i;
          const auto where = testing::Message() << kernel << ", event " << static_cast<int>(event)
                                                << ", warp " << warp << ", record " << record;
          ASSERT_EQ(next_event(*block, warp, record, event), next) << where;
          ASSERT_EQ(previous_event(*block, warp, record, event), previous) << where;
        }
      }
    }
  }
}

TEST(Cursor, TheLadderHasTheEventsThatItsTextsPointAt) {
  const BlockPointer naive = small_block("01_naive_rows"), tile = small_block("07_register_tile");
  ASSERT_TRUE(naive && tile);
  EXPECT_TRUE(next_event(*naive, 0, 0, Event::uncoalesced));
  EXPECT_FALSE(next_event(*naive, 0, 0, Event::shared_access));
  EXPECT_TRUE(next_event(*tile, 0, 0, Event::shared_access));
  EXPECT_TRUE(next_event(*tile, 0, 0, Event::barrier));
  EXPECT_TRUE(next_event(*tile, 0, 0, Event::k_tile));
}

TEST(Cursor, ShownAccessIsItsOwnOrTheWarpsLast) {
  for (const char* kernel : {"07_register_tile", "11_prefetch"}) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    std::vector<std::optional<size_t>> last(block->trace.warp_count);
    for (size_t record = 0; record < block->trace.records.size(); ++record) {
      const uint16_t warp = block->trace.records[record].warp;
      const bool own = happens(*block, record, Event::shared_access);
      if (own) last[warp] = record;
      const std::optional<ShownAccess> shown = shown_shared_access(*block, record);
      ASSERT_EQ(shown.has_value(), last[warp].has_value()) << kernel << ", record " << record;
      if (!shown) continue;
      ASSERT_EQ(shown->record, *last[warp]);
      ASSERT_EQ(shown->current, own);
      ASSERT_NE(shown->access, nullptr);
      ASSERT_EQ(shown->access->space, machine::Space::shared);
    }
    EXPECT_FALSE(shown_shared_access(*block, block->trace.records.size()));
  }
}

TEST(Cursor, WithoutSharedMemoryNoAccessIsShown) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(shown_shared_access(*block, block->trace.records.size() - 1));
}

}  // namespace
}  // namespace gemmscope::scenes
