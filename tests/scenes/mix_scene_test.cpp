// The bars of the instruction mix cover all instructions, each once.
#include "scenes/mix_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "../experiment/ladder_run.h"
#include "experiment/pipeline.h"
#include "layout_checks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::BlockResult;

constexpr SceneMetrics kMetrics{1, 16, 13, 7};

std::shared_ptr<const BlockResult> traced(const std::string& kernel) {
  const experiment::Experiment e =
      experiment::experiment_on(kernel, isa::Arch::sm_86, {.m = 128, .n = 128, .k = 64});
  const auto compiled = experiment::compile_ladder(e);
  if (compiled == nullptr) return nullptr;
  return experiment::run_block(compiled, e, nullptr).value_or(nullptr);
}

uint64_t counted(const MixBar& bar) {
  return std::accumulate(bar.parts.begin(), bar.parts.end(), uint64_t{0},
                         [](uint64_t sum, const MixPart& part) { return sum + part.count; });
}

TEST(MixScene, BarsOfLoopWarpAndBlockCountTheirInstructions) {
  const auto block = traced("03_shared_tile");
  ASSERT_NE(block, nullptr);
  const MixScene scene = layout_mix(*block, nullptr, {}, {0, 0, 800, 300}, kMetrics);
  ASSERT_EQ(scene.bars.size(), 3u);
  EXPECT_EQ(scene.bars[0].name, "one pass of the loop");
  EXPECT_EQ(scene.bars[1].name, "warp 0");
  EXPECT_EQ(scene.bars[2].name, "this block");
  EXPECT_EQ(counted(scene.bars[1]), block->warp_records[0].size());
  EXPECT_EQ(counted(scene.bars[2]), block->trace.records.size());
  EXPECT_LT(2 * counted(scene.bars[0]), counted(scene.bars[1]));
  EXPECT_NE(scene.bars[1].text.find("for each FFMA"), std::string::npos);

  const metrics::CounterSummary grid = metrics::summarize(block->counters, block->compiled->instructions);
  EXPECT_EQ(layout_mix(*block, &grid, {}, {0, 0, 800, 300}, kMetrics).bars[2].name, "whole grid");
}

// A pass from the middle has every instruction of the loop; the first and the last may have more around them.
TEST(MixScene, ThePassIsTheCursorsOrOneFromTheMiddle) {
  const auto block = traced("03_shared_tile");
  ASSERT_NE(block, nullptr);
  const std::vector<uint32_t>& records = block->warp_records[0];
  const auto pass = mix_of_loop(*block, 0, records.front());
  EXPECT_GT(metrics::total(pass.mix), 0u);
  EXPECT_EQ(pass.mix, mix_of_loop(*block, 0, records.back()).mix);
  for (const uint32_t record : records)
    if (block->trace.records[record].k_tile == 2) {
      EXPECT_EQ(pass.mix, mix_of_loop(*block, 0, record).mix);
    }
}

TEST(MixScene, PartsFillTheirBarAndStayInTheArea) {
  const auto block = traced("07_register_tile");
  ASSERT_NE(block, nullptr);
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area)) {
      const MixScene scene = layout_mix(*block, nullptr, {}, area, metrics);
      for (const MixBar& bar : scene.bars) {
        ASSERT_FALSE(bar.parts.empty());
        for (size_t i = 0; i < bar.parts.size(); ++i) {
          const Rect& rect = bar.parts[i].rect;
          EXPECT_GE(rect.top, area.top);
          EXPECT_LE(rect.bottom, area.bottom + 0.01f);
          if (i > 0) {
            EXPECT_NEAR(rect.left, bar.parts[i - 1].rect.right, 0.01f);
          }
        }
        EXPECT_NEAR(bar.parts.front().rect.left, area.left, 0.01f);
        EXPECT_NEAR(bar.parts.back().rect.right, area.right, 0.01f + 1e-4f * area.width());
      }
      for (const MixKey& key : scene.keys) EXPECT_LE(key.name_rect.right, area.right);
    }
}

// As beside a lesson on a projector: two bars that can be read, and a key for each kind.
TEST(MixScene, InALowPictureNamesKeepOffTheBars) {
  const auto block = traced("07_register_tile");
  ASSERT_NE(block, nullptr);
  const SceneMetrics metrics{2.08f, 40, 34, 17};
  const MixScene scene = layout_mix(*block, nullptr, {}, {0, 0, 1080, 240}, metrics);
  ASSERT_EQ(scene.bars.size(), 2u);
  EXPECT_EQ(scene.bars.front().name, "one pass of the loop");
  for (const MixBar& bar : scene.bars) {
    EXPECT_GE(bar.name_rect.height(), metrics.small_height);
    EXPECT_GE(bar.parts.front().rect.height(), 0.85f * metrics.small_height);
  }
  const metrics::InstructionMix mix =
      mix_of(metrics::summarize(block->counters, block->compiled->instructions)).mix;
  EXPECT_EQ(scene.keys.size(),
            static_cast<size_t>(std::ranges::count_if(mix, [](uint64_t n) { return n > 0; })));
}

TEST(MixScene, InATallPictureTheKeysStayNearTheBars) {
  const auto block = traced("07_register_tile");
  ASSERT_NE(block, nullptr);
  const MixScene scene = layout_mix(*block, nullptr, {}, {0, 0, 600, 900}, kMetrics);
  ASSERT_FALSE(scene.keys.empty());
  const float bars_end = scene.bars.back().parts.front().rect.bottom;
  EXPECT_GT(scene.keys.front().rect.top, bars_end);
  EXPECT_LT(scene.keys.front().rect.top, bars_end + 60);
  const MixBar& bar = scene.bars.front();
  EXPECT_GT(bar.parts.front().rect.height(), 40) << "and the bars take some of the height";
  EXPECT_GE(bar.name_rect.height(), kMetrics.small_height * 1.2f) << "a name does not touch its bar";
}

}  // namespace
}  // namespace gemmscope::scenes
