#include "scenes/first_record.h"

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

TEST(FirstRecord, AProductOpensAtItsFirstMultiplyAdd) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    const size_t shown = first_record_to_show(*block, 1);
    const auto opcode = [&](size_t record) {
      return block->compiled->instructions[block->trace.records[record].instruction].opcode;
    };
    EXPECT_EQ(block->trace.records[shown].warp, 1);
    EXPECT_EQ(opcode(shown), isa::Opcode::ffma) << kernel;
    for (const uint32_t before : block->warp_records[1]) {
      if (before >= shown) break;
      EXPECT_TRUE(opcode(before) != isa::Opcode::ffma || block->trace.records[before].executed == 0);
    }
  }
}

// The accesses have 2-way, 4-way and no conflicts; the picture of banks opens at the 4-way one.
TEST(FirstRecord, ABankPictureOpensAtTheWorstConflict) {
  std::vector<machine::TraceAccess> accesses;
  for (const uint64_t stride : {8u, 16u, 4u}) {
    machine::TraceAccess access;
    access.mask = 0xffffffff;
    access.space = machine::Space::shared;
    machine::LaneDistances addresses;
    for (uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = lane * stride;
    access.addresses = kept(addresses);
    accesses.push_back(access);
  }
  BlockResult block = made_up_block(accesses);
  block.banks = metrics::bank_report(block.trace);
  auto compiled = std::make_shared<experiment::CompiledKernel>(*block.compiled);
  compiled->kernel.picture = catalog::Picture::banks;
  block.compiled = compiled;
  EXPECT_EQ(first_record_to_show(block, 0), 1u);
  EXPECT_EQ(first_record_to_show(block, -1), 1u);
}

}  // namespace
}  // namespace gemmscope::scenes
