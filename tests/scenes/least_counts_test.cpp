// What a GPU may count more of says so beside the code and over the banks: wavefronts of asynchronous copies.
#include <gtest/gtest.h>

#include "scene_blocks.h"
#include "scenes/bank_scene.h"
#include "scenes/code_counts.h"

namespace gemmscope::scenes {
namespace {

TEST(LeastCounts, AreThoseOfAsynchronousCopies) {
  for (const auto& [kernel, copies] : {std::pair("13_async_copy", true), {"07_register_tile", false}}) {
    SCOPED_TRACE(kernel);
    const BlockPointer block = traced(kernel, {256, 256, 64});
    ASSERT_NE(block, nullptr);
    const CodeCounts counts = count_code(*block->compiled, block->counters, nullptr);
    EXPECT_EQ(counts.total.is_least(CodeColumn::wavefronts), copies);
    EXPECT_EQ(counts.total.is_least(CodeColumn::excess_wavefronts), copies);
    EXPECT_FALSE(counts.total.is_least(CodeColumn::sectors));
    size_t copies_seen = 0, loads_seen = 0;
    for (size_t i = 0; i < counts.instructions.size(); ++i) {
      const CodeCount& count = counts.instructions[i];
      if (!count.applies(CodeColumn::wavefronts)) continue;
      const bool is_copy = block->compiled->instructions[i].opcode == isa::Opcode::ldgsts;
      EXPECT_EQ(count.is_least(CodeColumn::wavefronts), is_copy) << block->compiled->text[i];
      ++(is_copy ? copies_seen : loads_seen);
    }
    EXPECT_EQ(copies_seen > 0, copies);
    EXPECT_GT(loads_seen, 0u);
    const SceneMetrics metrics{1, 17, 15, 8, 7, 8};
    std::set<bool> seen;
    for (size_t record = 0; record < block->trace.records.size(); ++record) {
      const uint32_t instruction = block->trace.records[record].instruction;
      const isa::Opcode opcode = block->compiled->instructions[instruction].opcode;
      if (block->trace.records[record].access_count == 0 ||
          (opcode != isa::Opcode::ldgsts && opcode != isa::Opcode::lds) ||
          !seen.insert(opcode == isa::Opcode::lds).second)
        continue;
      const BankScene scene = layout_banks(*block, {record, kAllWavefronts}, {}, {0, 0, 800, 500}, metrics);
      EXPECT_EQ(scene.is_least, opcode == isa::Opcode::ldgsts);
    }
    EXPECT_EQ(seen.size(), copies ? 2u : 1u);
  }
}

// Beyond the edges of a matrix lanes copy zeros (step 13) or the edge once more (step 16): there a GPU may
// count fewer wavefronts than the addresses take, and the figure of the picture says that it is by address.
TEST(LeastCounts, SayWhereTheyAreByAddress) {
  for (const char* kernel : {"13_async_copy", "16_serpentine"}) {
    SCOPED_TRACE(kernel);
    const BlockPointer block = traced(kernel, {20, 20, 20});
    ASSERT_NE(block, nullptr);
    const SceneMetrics metrics{1, 17, 15, 8, 7, 8};
    size_t by_address = 0;
    uint64_t of_pictures = 0, counted = 0;
    for (size_t record = 0; record < block->trace.records.size(); ++record) {
      const uint32_t instruction = block->trace.records[record].instruction;
      if (block->compiled->instructions[instruction].opcode != isa::Opcode::ldgsts) continue;
      const BankScene scene = layout_banks(*block, {record, kAllWavefronts}, {}, {0, 0, 800, 500}, metrics);
      if (scene.record != record) continue;  // no lane is active
      EXPECT_NE(scene.is_least, scene.is_by_address);
      by_address += scene.is_by_address ? 1 : 0;
      of_pictures += static_cast<uint64_t>(scene.count.wavefronts);
    }
    for (const metrics::InstructionTraffic& traffic : block->counters.traffic)
      counted += traffic.async_shared.wavefronts;
    EXPECT_GT(by_address, 0u);
    EXPECT_LT(counted, of_pictures);
  }
}

}  // namespace
}  // namespace gemmscope::scenes
