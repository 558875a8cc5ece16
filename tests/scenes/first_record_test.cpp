#include "scenes/first_record.h"

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

TEST(FirstRecord, AProductInSharedMemoryOpensAtItsFirstMultiplyAdd) {
  for (const std::string kernel : {"07_register_tile", "11_prefetch"}) {
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

// 01 loads a sector of A for each of 16 rows. 02 has no excess, and of its loads that of A is a broadcast.
TEST(FirstRecord, AProductWithoutSharedMemoryOpensAtTheLoadThatShowsMost) {
  for (const auto& [kernel, matrix, words] : {std::tuple("01_naive_rows", metrics::kMatrixA, 16),
                                              std::tuple("02_naive_coalesced", metrics::kMatrixB, 16)}) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    const machine::TraceRecord& record = block->trace.records[first_record_to_show(*block, 0)];
    const auto accesses = block->trace.accesses_of(record);
    ASSERT_EQ(accesses.size(), 1u) << kernel;
    std::set<uint64_t> touched;
    for (const uint64_t address : accesses[0].addresses.all()) touched.insert(address);
    EXPECT_EQ(touched.size(), static_cast<size_t>(words)) << kernel;
    const std::optional<metrics::Element> element = block->layout.element_at(*touched.begin());
    ASSERT_TRUE(element);
    EXPECT_EQ(element->matrix, matrix) << kernel;
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
