// All tables of lane functions give the same bits, for every operation with random operands, modes, masks and
// overlaps.
#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

class LaneAgreement : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ops, LaneAgreement, testing::Range(0, static_cast<int>(LaneOp::count)),
                         [](const auto& test) {
                           return std::string(kLaneOpNames[static_cast<size_t>(test.param)]);
                         });

TEST_P(LaneAgreement, AllTablesGiveTheSameBits) {
  if (usable_lane_ops().size() == 1) GTEST_SKIP() << "this CPU has neither AVX2 with FMA nor AVX-512";
  const auto lane_op = static_cast<LaneOp>(GetParam());
  LaneRandom random(1000 + static_cast<uint64_t>(GetParam()));
  for (int i = 0; i < 4000; ++i) {
    MicroOp op = random.operands();
    choose_variant(lane_op, op, random);
    // The destination is often one of the sources, as in FFMA R4, R8, R9, R4. CS2R reads special registers
    // only.
    if (random.coin() && lane_op != LaneOp::cs2r) op.destination = op.source[random.below(3)];
    if (op.destination == kTestZero) op.destination = kTestDestination;
    const uint32_t mask = random.mask();
    const LaneState before = random.state();
    LaneState baseline = before;
    baseline.execute(baseline_lane_ops(), lane_op, op, mask);
    for (const LaneOps* table : usable_lane_ops()) {
      LaneState other = before;
      other.execute(*table, lane_op, op, mask);
      ASSERT_EQ(baseline.predicates, other.predicates)
          << table->name << " case " << i << " mode " << int{op.mode} << " flags " << int{op.flags};
      for (Row row = 0; row < kTestRows; ++row)
        for (int l = 0; l < kWarpLanes; ++l)
          ASSERT_EQ(baseline.at(row, l), other.at(row, l))
              << table->name << " case " << i << " row " << row << " lane " << l << " mode " << int{op.mode}
              << " flags " << int{op.flags};
    }
  }
}

// Lanes outside the mask keep their values, and so do rows and predicates that are not destinations.
TEST_P(LaneAgreement, NothingElseChanges) {
  const auto lane_op = static_cast<LaneOp>(GetParam());
  const int results = lane_op == LaneOp::dmma                              ? 8
                      : lane_op == LaneOp::hmma || lane_op == LaneOp::imma ? 4
                                                                           : 2;
  const bool to_all_lanes =
      lane_op == LaneOp::read_first_lane || lane_op == LaneOp::redux || lane_op == LaneOp::elect;
  LaneRandom random(2000 + static_cast<uint64_t>(GetParam()));
  for (int i = 0; i < 1000; ++i) {
    MicroOp op = random.operands();
    choose_variant(lane_op, op, random);
    const uint32_t mask = random.mask();
    const LaneState before = random.state();
    LaneState after = before;
    after.execute(lane_ops(), lane_op, op, mask);
    const bool uniform = to_all_lanes || (lane_op == LaneOp::vote && (op.flags & kWide) != 0);
    for (Row row = 0; row < kTestRows; ++row)
      for (int l = 0; l < kWarpLanes; ++l) {
        const bool may_change =
            row >= op.destination && row < op.destination + results && (uniform || (mask >> l & 1u) != 0);
        if (may_change) continue;
        ASSERT_EQ(after.at(row, l), before.at(row, l)) << "case " << i << " row " << row << " lane " << l;
      }
    for (size_t p = 0; p < kTrashPredicate; ++p) {
      const bool written = p == op.predicate_out[0] || p == op.predicate_out[1] ||
                           (lane_op == LaneOp::r2p && p < 7 && (op.immediate >> p & 1u) != 0);
      const uint32_t may_change = written ? (uniform ? kAllLanes : mask) : 0;
      ASSERT_EQ((after.predicates[p] ^ before.predicates[p]) & ~may_change, 0u)
          << "case " << i << " predicate " << p;
    }
  }
}

}  // namespace
}  // namespace gemmscope::machine
