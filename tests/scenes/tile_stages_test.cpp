// The stages of the k-tiles, and the sums that the pipeline picture is drawn from.
#include "experiment/tile_stages.h"

#include "modelled_blocks.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockStages;
using experiment::CodeStages;
using experiment::ModelResult;
using experiment::StageBar;
using experiment::TileStage;

const StageBar* find(const BlockStages& stages, TileStage stage, int tile) {
  for (const StageBar& bar : stages.bars)
    if (bar.stage == stage && bar.tile == tile) return &bar;
  return nullptr;
}

// ---- tiles

TEST(TileStages, ThePassDepthIsTheTileOfTheDescription) {
  for (const char* kernel : {"07_register_tile", "11_prefetch", "13_async_copy"}) {
    SCOPED_TRACE(kernel);
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    EXPECT_EQ(m.model->code.pass_depth, 16);
  }
}

TEST(TileStages, BuffersAreCountedByWhereTheTilesAreStored) {
  const std::pair<const char*, int> kSlots[] = {
      {"07_register_tile", 1}, {"11_prefetch", 2}, {"13_async_copy", 4}};
  for (const auto& [kernel, slots] : kSlots) {
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    EXPECT_EQ(m.model->code.slots, slots) << kernel;
    EXPECT_EQ(m.model->code.async_copies, std::string(kernel) == "13_async_copy");
  }
}

// The point of the picture: where tiles are fetched ahead, the load of tile k + 1 begins before the math on
// tile k has ended; without, it begins after it.
TEST(TileStages, ALoadLiesUnderTheMathOfTheTileBeforeWhereItIsPrefetched) {
  const std::pair<const char*, int> kAhead[] = {
      {"07_register_tile", 0}, {"11_prefetch", 1}, {"13_async_copy", 3}};
  for (const auto& [kernel, ahead] : kAhead) {
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    const BlockStages& stages = m.model->stages[0];
    int seen = 0;
    for (int tile = 5; tile < 14; ++tile) {
      SCOPED_TRACE(std::string(kernel) + ", tile " + std::to_string(tile));
      const StageBar* load = find(stages, TileStage::global_load, tile);
      const StageBar* before = find(stages, TileStage::math, tile - 1);
      ASSERT_NE(load, nullptr);
      ASSERT_NE(before, nullptr);
      if (ahead == 0) {
        EXPECT_GE(load->begin + 200, before->end);  // the first warp may be through before the last one
      } else {
        EXPECT_LT(load->begin, find(stages, TileStage::math, tile - ahead)->end);
      }
      ++seen;
    }
    EXPECT_EQ(seen, 9);
  }
}

TEST(TileStages, EveryStepLiesInABarOfItsStage) {
  for (const char* kernel : {"07_register_tile", "11_prefetch", "13_async_copy"}) {
    SCOPED_TRACE(kernel);
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    const ModelResult& model = *m.model;
    uint64_t in_bars = 0;
    for (const BlockStages& stages : model.stages)
      for (const StageBar& bar : stages.bars)
        if (bar.stage != TileStage::epilogue) in_bars += bar.steps;
    uint64_t counted = 0;
    for (const sm::WarpTimeline& warp : model.timeline.warps)
      for (size_t k = 0; k < warp.steps.size(); ++k) {
        const sm::TimelineStep& step = warp.steps[k];
        const CodeStages::Of& of = model.code.instructions[step.instruction];
        const bool active =
            model.launch().blocks[model.timeline.blocks[warp.block].trace].warps[warp.warp][k].lanes != 0;
        if (!of.counts || !of.known || !active || of.stage == TileStage::barrier) continue;
        ++counted;
        const StageBar* bar = find(model.stages[warp.block], of.stage, std::max(0, step.pass + of.ahead));
        ASSERT_NE(bar, nullptr) << model.compiled->text[step.instruction];
        EXPECT_LE(bar->begin, step.issued);
        EXPECT_GE(bar->end, step.done);
      }
    EXPECT_GT(counted, 10'000u);
    EXPECT_GE(in_bars, counted);
  }
}

TEST(TileStages, BarsOfALaneDoNotOverlap) {
  for (const char* kernel : {"07_register_tile", "11_prefetch", "13_async_copy"}) {
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    for (const BlockStages& stages : m.model->stages)
      for (const StageBar& a : stages.bars) {
        EXPECT_LT(a.lane, stages.lanes[static_cast<size_t>(a.stage)]);
        for (const StageBar& b : stages.bars) {
          if (&a == &b || a.stage != b.stage || a.lane != b.lane) continue;
          EXPECT_TRUE(a.end <= b.begin || b.end <= a.begin)
              << kernel << ": " << experiment::kTileStageNames[static_cast<size_t>(a.stage)] << " " << a.tile
              << " and " << b.tile;
        }
      }
  }
}

TEST(TileStages, ATileIsFilledBeforeItIsRead) {
  for (const char* kernel :
       {"07_register_tile", "11_prefetch", "13_async_copy", "18_tensor_copy_tf32", "19_tensor_copy_bf16"}) {
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    EXPECT_FALSE(m.model->stages[0].slots.empty()) << kernel;
    for (const experiment::SlotBar& slot : m.model->stages[0].slots) {
      EXPECT_LT(slot.begin, slot.filled);
      EXPECT_LE(slot.filled, slot.end);
      EXPECT_EQ(slot.slot, slot.tile % m.model->code.slots);
      for (const experiment::SlotBar& other : m.model->stages[0].slots)
        if (&other != &slot && other.slot == slot.slot) {
          EXPECT_TRUE(slot.end <= other.begin || other.end <= slot.begin)
              << kernel << ": tiles " << slot.tile << " and " << other.tile << " share a buffer";
        }
    }
  }
}

// ---- groups of asynchronous copies

// The copies of the steps, counted by the commits between them, warp by warp.
TEST(CopyGroups, AGroupLastsFromItsFirstCopyUntilItsLastIsComplete) {
  const Modelled m = modelled("13_async_copy");
  ASSERT_NE(m.model, nullptr);
  const ModelResult& model = *m.model;
  std::map<int, std::pair<uint32_t, uint32_t>> expected;
  for (const sm::WarpTimeline& warp : model.timeline.warps) {
    if (warp.block != 0) continue;
    int group = 0;
    for (size_t k = 0; k < warp.steps.size(); ++k) {
      const sm::TimelineStep& step = warp.steps[k];
      const std::string& text = model.compiled->text[step.instruction];
      if (text.find("LDGDEPBAR") != std::string::npos) ++group;
      const bool active =
          model.launch().blocks[model.timeline.blocks[0].trace].warps[warp.warp][k].lanes != 0;
      if (text.find("LDGSTS") == std::string::npos || !active) continue;
      const auto [at, added] = expected.try_emplace(group, step.issued, step.done);
      at->second.first = std::min(at->second.first, step.issued);
      at->second.second = std::max(at->second.second, step.done);
    }
  }
  const std::vector<experiment::CopyGroup>& groups = model.stages[0].groups;
  ASSERT_EQ(groups.size(), expected.size());
  EXPECT_GT(groups.size(), 10u);
  for (const experiment::CopyGroup& group : groups) {
    SCOPED_TRACE(group.group);
    EXPECT_EQ(group.begin, expected[group.group].first);
    EXPECT_EQ(group.end, expected[group.group].second);
    EXPECT_EQ(group.tile, group.group);  // one commit for each tile
    EXPECT_GE(group.waited, group.end);
    EXPECT_LE(group.stall_begin, group.stall_end);
    EXPECT_LE(group.stall_end, group.waited);
    for (const experiment::CopyGroup& other : groups)
      if (&other != &group && other.lane == group.lane) {
        EXPECT_TRUE(group.waited <= other.begin || other.waited <= group.begin);
      }
  }
}

// STAGES is 4: while the block multiplies tile k, the copies of three tiles are on their way or have landed.
TEST(CopyGroups, ThreeAreOutstandingUnderTheMath) {
  const Modelled m = modelled("13_async_copy");
  ASSERT_NE(m.model, nullptr);
  const BlockStages& stages = m.model->stages[0];
  EXPECT_EQ(m.model->code.slots, 4);
  EXPECT_EQ(stages.group_lanes, 3);
  for (int tile = 4; tile < 12; ++tile) {
    const StageBar* math = find(stages, TileStage::math, tile);
    ASSERT_NE(math, nullptr);
    int most = 0;
    for (uint32_t cycle = math->begin; cycle < math->end; ++cycle) {
      int outstanding = 0;
      for (const experiment::CopyGroup& group : stages.groups)
        outstanding += group.begin <= cycle && cycle < group.waited && group.tile > tile;
      most = std::max(most, outstanding);
    }
    EXPECT_EQ(most, 3) << "tile " << tile;
  }
}

TEST(CopyGroups, NoneWithoutAsynchronousCopies) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  EXPECT_TRUE(m.model->stages[0].groups.empty());
  EXPECT_EQ(m.model->stages[0].group_lanes, 0);
}

// ---- bulk copies and barrier objects

struct CopiedTiles {
  const char* kernel;
  int copies;  // of one tile
};
constexpr CopiedTiles kCopiedTiles[] = {{"18_tensor_copy_tf32", 5}, {"19_tensor_copy_bf16", 3}};

// The copies of the steps, counted by their order in the one warp that starts them.
TEST(BulkCopies, ATilesCopiesLastUntilItsBytesAreThereAndAreReadAfterThat) {
  for (const auto& [kernel, copies] : kCopiedTiles) {
    SCOPED_TRACE(kernel);
    const Modelled m = modelled(kernel, {256, 256, 512});
    ASSERT_NE(m.model, nullptr);
    const ModelResult& model = *m.model;
    std::vector<std::pair<uint32_t, uint32_t>> expected;  // by tile
    int seen = 0;
    for (const sm::TimelineStep& step : model.timeline.warps[0].steps) {
      if (model.compiled->text[step.instruction].find("UTMALDG") == std::string::npos) continue;
      if (seen++ % copies == 0) expected.emplace_back(step.issued, step.done);
      expected.back().second = std::max(expected.back().second, step.done);
    }
    const BlockStages& stages = model.stages[0];
    EXPECT_TRUE(model.code.bulk_copies);
    EXPECT_EQ(static_cast<int>(expected.size()), model.depth / model.code.pass_depth);
    ASSERT_EQ(stages.groups.size(), expected.size());
    for (const experiment::CopyGroup& group : stages.groups) {
      SCOPED_TRACE(group.tile);
      EXPECT_TRUE(group.bulk);
      ASSERT_LT(static_cast<size_t>(group.tile), expected.size());
      EXPECT_EQ(std::pair(group.begin, group.end), expected[static_cast<size_t>(group.tile)]);
      EXPECT_GE(group.waited, group.end);
      const StageBar* read = find(stages, TileStage::load_shared, group.tile);
      ASSERT_NE(read, nullptr);
      EXPECT_GE(read->begin, group.end) << "before its bytes are there";
      if (group.tile < 3) continue;
      EXPECT_LT(group.begin, find(stages, TileStage::math, group.tile - 1)->end) << "under math";
    }
  }
}

// Three stages. A stage that is copied to for the second time waits until it was read; that is no barrier.
TEST(BulkCopies, AWaitForAFreeBufferIsNoBarrier) {
  for (const auto& [kernel, copies] : kCopiedTiles) {
    SCOPED_TRACE(kernel);
    const Modelled m = modelled(kernel, {256, 256, 512});
    ASSERT_NE(m.model, nullptr);
    const BlockStages& stages = m.model->stages[0];
    EXPECT_EQ(m.model->code.slots, 3);
    const auto count = [&](TileStage stage) {
      return std::ranges::count(stages.bars, stage, &StageBar::stage);
    };
    EXPECT_EQ(count(TileStage::barrier), 1) << "before the loop";
    EXPECT_EQ(count(TileStage::object_wait), static_cast<long>(stages.groups.size()) - 3);
    for (const StageBar& bar : stages.bars) {
      if (bar.stage != TileStage::object_wait) continue;
      EXPECT_LT(bar.begin, bar.end);
      // Whoever waits starts the copies then.
      EXPECT_TRUE(std::ranges::any_of(stages.groups, [&](const experiment::CopyGroup& group) {
        return group.begin >= bar.end && group.begin < bar.end + 200;
      })) << bar.end;
    }
  }
}

// ---- sums

TEST(TimelineIndex, TheActivitiesOfAWarpAreItsLife) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  const sm::Timeline& timeline = m.model->timeline;
  for (size_t w = 0; w < timeline.warps.size(); ++w) {
    uint64_t sum = 0;
    for (const uint32_t cycles : m.model->index.activities(w, 0, m.model->index.buckets())) sum += cycles;
    EXPECT_EQ(sum, timeline.warps[w].steps.back().issued + 1 - timeline.warps[w].start);
  }
}

TEST(TimelineIndex, HotspotsOfARangeAreTheStallsOfItsSteps) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  const sm::Timeline& timeline = m.model->timeline;
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    uint32_t from = random() % timeline.cycles, to = random() % timeline.cycles;
    if (from > to) std::swap(from, to);
    const sm::StallCycles expected = sm::stall_cycles(timeline, from, to);
    const sm::StallCycles got = m.model->index.stalls(from, to);
    for (size_t r = 0; r < sm::kStalls; ++r)
      EXPECT_NEAR(got[r], expected[r], 1e-6) << sm::kStallNames[r] << " in " << from << ".." << to;
  }
}

TEST(TimelineIndex, ExposedLatencyIsAtMostTheWaitAndTheStricterFigureIsLess) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  double exposed = 0;
  for (const sm::ExposedLatency& e : m.model->index.exposed()) {
    EXPECT_LE(e.sub_core, e.warp);
    EXPECT_GE(e.sub_core, 0);
    exposed += e.warp;
  }
  const sm::StallCycles all = m.model->index.stalls(0, m.model->timeline.cycles + 1);
  const double waits = all[static_cast<size_t>(sm::Stall::long_scoreboard)] +
                       all[static_cast<size_t>(sm::Stall::short_scoreboard)];
  EXPECT_GT(exposed, 0);
  EXPECT_LE(exposed, waits + 0.5);
}

TEST(TimelineIndex, IssuedInstructionsAreCountedOnce) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  uint64_t issued = 0, steps = 0;
  for (size_t s = 0; s < 4; ++s) issued += m.model->index.issued(s, 0, m.model->timeline.cycles + 1);
  for (const sm::WarpTimeline& warp : m.model->timeline.warps) steps += warp.steps.size();
  EXPECT_EQ(issued, steps);
}

}  // namespace
}  // namespace gemmscope::scenes
