// The cursor of one experiment in another one's trace: by access, by pass, by cycle.
#include "scenes/paired_cursor.h"

#include <gtest/gtest.h>

#include "modelled_blocks.h"

namespace gemmscope::scenes {
namespace {

// The first store to shared memory of a pass by a warp.
size_t store_in_pass(const BlockResult& block, int warp, uint32_t pass) {
  for (const uint32_t record : block.warp_records[static_cast<size_t>(warp)]) {
    const machine::TraceRecord& r = block.trace.records[record];
    if (r.k_tile == pass && role_of(block, r.instruction).family == OpcodeFamily::shared_store) return record;
  }
  ADD_FAILURE() << "no store in pass " << pass;
  return 0;
}

TEST(PairedCursor, ByPassShowsTheSameWorkOfTheSamePass) {
  const BlockPointer a = traced("08_transposed_tile", {128, 128, 128}),
                     b = traced("09_conflict_free", {128, 128, 128});
  ASSERT_TRUE(a != nullptr && b != nullptr);
  for (const uint32_t pass : {1u, 3u, 6u}) {
    const size_t record = store_in_pass(*b, 2, pass);
    const Anchored found = paired_cursor(Pairing::pass, {b.get(), a.get(), {record, kAllWavefronts}, 2});
    const machine::TraceRecord &of_b = b->trace.records[record],
                               &of_a = a->trace.records[found.cursor.record];
    EXPECT_EQ(of_a.k_tile, pass);
    EXPECT_EQ(of_a.warp, 2);
    EXPECT_EQ(role_of(*a, of_a.instruction), role_of(*b, of_b.instruction));
    EXPECT_EQ(found.match, AnchorMatch::same_role);
  }
}

TEST(PairedCursor, OfTheSameBlockIsTheSamePlace) {
  const BlockPointer block = traced("08_transposed_tile", {128, 128, 128});
  ASSERT_NE(block, nullptr);
  for (const Pairing pairing : {Pairing::access, Pairing::pass})
    for (const size_t record : {size_t{1'000}, size_t{9'000}}) {
      const PairingInput input{block.get(), block.get(), {record, kAllWavefronts}, kAllWarps};
      const machine::TraceRecord& found = block->trace.records[paired_cursor(pairing, input).cursor.record];
      EXPECT_EQ(found.instruction, block->trace.records[record].instruction);
      EXPECT_EQ(found.k_tile, block->trace.records[record].k_tile);
    }
}

TEST(PairedCursor, ByCycleShowsWhatIssuedLast) {
  const Modelled a = modelled("08_transposed_tile"), b = modelled("09_conflict_free");
  ASSERT_TRUE(a.model != nullptr && b.model != nullptr);
  const PipelinePlaces places(a.block, a.model);
  PairingInput input{b.block.get(), a.block.get(), {0, kAllWavefronts}, 0, &places, 4'000};
  const Anchored found = paired_cursor(Pairing::cycle, input);
  const auto step = places.step_at(0, 0, 4'000);
  ASSERT_TRUE(step);
  EXPECT_EQ(found.cursor.record, places.record_of(*step));
  input.to_places = nullptr;
  const Anchored by_access = paired_cursor(Pairing::cycle, input);
  EXPECT_EQ(by_access.cursor, paired_cursor(Pairing::access, input).cursor) << "without a timeline";
}

TEST(TimelineShift, AlignsBlocksOrPasses) {
  const Modelled a = modelled("08_transposed_tile"), b = modelled("09_conflict_free");
  ASSERT_TRUE(a.model != nullptr && b.model != nullptr);
  const double of_block = timeline_shift(*b.model, 0, 5'000, *a.model, false);
  EXPECT_EQ(of_block,
            static_cast<double>(b.model->timeline.blocks[0].begin) - a.model->timeline.blocks[0].begin);
  const uint32_t pass = pass_at(b.model->stages[0], 5'000);
  ASSERT_GT(pass, 0u);
  EXPECT_EQ(timeline_shift(*b.model, 0, 5'000, *a.model, true),
            static_cast<double>(b.model->stages[0].pass_begins[pass]) - a.model->stages[0].pass_begins[pass]);
}

}  // namespace
}  // namespace gemmscope::scenes
