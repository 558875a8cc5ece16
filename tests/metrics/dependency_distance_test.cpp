// The distances of dependent instructions, against a plain search forwards from each of them.
#include "metrics/dependency_distance.h"

#include <gtest/gtest.h>

#include <optional>

#include "isa/register_use.h"
#include "ladder_traces.h"

namespace gemmscope::metrics {
namespace {

bool writes(const isa::Instruction& instruction, uint8_t reg) {
  for (const isa::RegisterRange& range : isa::register_use(instruction).writes)
    if (range.reg <= reg && reg < range.reg + range.words) return true;
  return false;
}
bool reads(const isa::Instruction& instruction, uint8_t reg) {
  for (const isa::RegisterRead& read : isa::register_use(instruction).reads)
    if (read.reg == reg) return true;
  return false;
}

struct Steps {
  const BlockResult& block;
  std::span<const uint32_t> records;

  const machine::TraceRecord& record(size_t step) const { return block.trace.records[records[step]]; }
  const isa::Instruction& at(size_t step) const {
    return block.compiled->instructions[record(step).instruction];
  }
  TracedWarp warp() const { return {block.trace, block.compiled->instructions, records}; }
};

// The first later FFMA that reads the result of the FFMA at `step`; none once something else is in its
// register.
std::optional<size_t> user_of(const Steps& steps, size_t step) {
  const uint8_t reg = isa::register_use(steps.at(step)).writes.begin()->reg;
  for (size_t later = step + 1; later < steps.records.size(); ++later) {
    if (steps.record(later).executed == 0) continue;
    const isa::Instruction& instruction = steps.at(later);
    if (instruction.opcode == isa::Opcode::ffma && reads(instruction, reg)) return later;
    if (writes(instruction, reg)) return std::nullopt;
  }
  return std::nullopt;
}

TEST(DependencyDistance, EachFfmaFindsTheFirstThatReadsItsResult) {
  for (const std::string& id : experiment::ladder_ids()) {
    const auto block = traced_block(id, {128, 128, 16}, isa::Arch::sm_90);
    ASSERT_NE(block, nullptr);
    const std::span<const uint32_t> all = block->warp_records.at(0);
    const Steps steps{*block, all.first(std::min<size_t>(all.size(), 3000))};
    std::map<size_t, size_t> expected, found;
    for (size_t step = 0; step < steps.records.size(); ++step)
      if (steps.at(step).opcode == isa::Opcode::ffma && steps.record(step).executed != 0)
        if (const auto user = user_of(steps, step)) expected[step] = *user;
    for (const Dependency& dependency : ffma_dependencies(steps.warp()))
      EXPECT_TRUE(found.emplace(dependency.from, dependency.to).second) << id;
    EXPECT_EQ(found, expected) << id;
  }
}

TEST(DependencyDistance, EachLoadFindsTheInstructionThatWaitsForIt) {
  for (const std::string& id : experiment::ladder_ids()) {
    const auto block = traced_block(id, {128, 128, 16}, isa::Arch::sm_90);
    ASSERT_NE(block, nullptr);
    const Steps steps{*block, block->warp_records.at(0)};
    std::map<size_t, size_t> expected, found;
    for (size_t step = 0; step < steps.records.size(); ++step) {
      const uint8_t scoreboard = steps.at(step).control.write_scoreboard;
      if (steps.at(step).opcode != isa::Opcode::ldg || steps.record(step).executed == 0 || scoreboard >= 6)
        continue;
      for (size_t later = step + 1; later < steps.records.size(); ++later)
        if ((steps.at(later).control.wait_mask >> scoreboard & 1u) != 0) {
          expected[step] = later;
          break;
        }
    }
    for (const Dependency& load : load_waits(steps.warp())) found[load.from] = load.to;
    EXPECT_EQ(found, expected) << id;
  }
}

// A sum that takes one multiply-add after the other waits for each; 8 x 8 sums take turns.
TEST(DependencyDistance, ARegisterTileHasRoomBetweenDependentFfma) {
  const auto naive = traced_block("02_naive_coalesced", {128, 128, 32});
  const auto tile = traced_block("07_register_tile", {128, 128, 32});
  ASSERT_TRUE(naive != nullptr && tile != nullptr);
  EXPECT_GE(naive->ffma_distances.least, 1u);
  EXPECT_GE(tile->ffma_distances.median, 64);
  EXPECT_LT(naive->ffma_distances.median, tile->ffma_distances.median);
}

TEST(DependencyDistance, SummariesOfKnownDistances) {
  DistanceCounts counts;
  EXPECT_EQ(counts.summary().count, 0u);
  counts.add({{0, 1}, {3, 4}, {2, 6}});
  EXPECT_EQ(counts.summary().median, 1);
  EXPECT_EQ(counts.summary().mean, 2);
  counts.add({{10, 20}});
  const DistanceSummary summary = counts.summary();
  EXPECT_EQ(summary.count, 4u);
  EXPECT_EQ(summary.least, 1u);
  EXPECT_EQ(summary.median, 2.5);
  EXPECT_EQ(summary.mean, 4);
}

}  // namespace
}  // namespace gemmscope::metrics
