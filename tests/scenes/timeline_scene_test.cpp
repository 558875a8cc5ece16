#include "scenes/timeline_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

TEST(Timeline, EveryStepIsCountedOnce) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    for (const int warp : {kAllWarps, 0, 7})
      for (const int wanted : {-3, 0, 1, 7, 600, 1'000'000}) {
        const Timeline timeline = make_timeline(*block, warp, wanted);
        const size_t steps = step_count(*block, warp);
        ASSERT_GE(timeline.buckets, 1);
        EXPECT_LE(timeline.buckets, std::max(1, wanted));
        EXPECT_EQ(timeline.counts.size(), static_cast<size_t>(timeline.buckets) * kWorkKinds);
        EXPECT_EQ(std::accumulate(timeline.counts.begin(), timeline.counts.end(), size_t{0}), steps)
            << kernel << ", warp " << warp << ", " << wanted << " buckets";
      }
  }
}

TEST(Timeline, BucketsHoldEqualShares) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const Timeline timeline = make_timeline(*block, 0, 50);
  const size_t share = step_count(*block, 0) / 50;
  for (size_t bucket = 0; bucket < 50; ++bucket) {
    const auto first = timeline.counts.begin() + static_cast<ptrdiff_t>(bucket * kWorkKinds);
    const size_t held = std::accumulate(first, first + kWorkKinds, size_t{0});
    EXPECT_TRUE(held == share || held == share + 1) << "bucket " << bucket << " holds " << held;
  }
}

TEST(Timeline, KindsAddUpToTheCounters) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const Timeline timeline = make_timeline(*block, kAllWarps, 100);
  const metrics::CounterSummary summary = metrics::summarize(block->counters, block->compiled->instructions);
  std::array<uint64_t, kWorkKinds> kinds{};
  for (size_t i = 0; i < timeline.counts.size(); ++i) kinds[i % kWorkKinds] += timeline.counts[i];
  const auto issued = [&](std::initializer_list<const char*> opcodes) {
    uint64_t sum = 0;
    for (const char* opcode : opcodes)
      if (const auto it = summary.by_opcode.find(opcode); it != summary.by_opcode.end()) sum += it->second;
    return sum;
  };
  EXPECT_EQ(kinds[static_cast<size_t>(WorkKind::math)], issued({"FFMA", "FADD", "FMUL"}));
  EXPECT_EQ(kinds[static_cast<size_t>(WorkKind::shared)], issued({"LDS", "STS"}));
  EXPECT_EQ(kinds[static_cast<size_t>(WorkKind::global)], issued({"LDG", "STG"}));
  EXPECT_EQ(kinds[static_cast<size_t>(WorkKind::wait)], issued({"BAR"}));
}

// Atomics, spills and waits for copies are not "addresses, control".
TEST(Timeline, EveryAccessAndEveryWaitHasItsKind) {
  using isa::Opcode;
  const auto kind_of = [](Opcode opcode) {
    isa::Instruction instruction;
    instruction.opcode = opcode;
    return work_kind(instruction);
  };
  for (const Opcode opcode : {Opcode::red, Opcode::atomg, Opcode::atom, Opcode::ldl, Opcode::stl, Opcode::ldg,
                              Opcode::stg, Opcode::ldgsts})
    EXPECT_EQ(kind_of(opcode), WorkKind::global) << static_cast<int>(opcode);
  for (const Opcode opcode : {Opcode::atoms, Opcode::atoms_cas, Opcode::stsm, Opcode::ldsm, Opcode::lds})
    EXPECT_EQ(kind_of(opcode), WorkKind::shared) << static_cast<int>(opcode);
  for (const Opcode opcode : {Opcode::bar, Opcode::ldgdepbar, Opcode::depbar})
    EXPECT_EQ(kind_of(opcode), WorkKind::wait) << static_cast<int>(opcode);
  for (const Opcode opcode : {Opcode::imad, Opcode::bra, Opcode::s2r})
    EXPECT_EQ(kind_of(opcode), WorkKind::other) << static_cast<int>(opcode);
}

TEST(Timeline, PassesOfTheMainLoopStartInOrder) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const Timeline timeline = make_timeline(*block, 0, 100);
  // K = 64 in tiles of 16.
  ASSERT_EQ(timeline.k_tile_starts.size(), 4u);
  EXPECT_EQ(timeline.k_tile_starts.front(), 0);
  EXPECT_TRUE(std::is_sorted(timeline.k_tile_starts.begin(), timeline.k_tile_starts.end()));
  EXPECT_LT(timeline.k_tile_starts.back(), 1);
}

TEST(Timeline, NothingTraced) {
  experiment::BlockResult block;
  block.compiled = std::make_shared<experiment::CompiledKernel>();
  const Timeline timeline = make_timeline(block, kAllWarps, 100);
  EXPECT_EQ(timeline.buckets, 1);
  EXPECT_EQ(timeline.counts, std::vector<uint32_t>(kWorkKinds, 0));
  EXPECT_TRUE(timeline.k_tile_starts.empty());
}

}  // namespace
}  // namespace gemmscope::scenes
