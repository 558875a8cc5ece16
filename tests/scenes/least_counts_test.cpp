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

}  // namespace
}  // namespace gemmscope::scenes
