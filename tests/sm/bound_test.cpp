// What bounds a launch and how two variants differ, from made-up figures.
#include "sm/bound.h"

#include <gtest/gtest.h>

namespace gemmscope::sm {
namespace {

// A launch that fills the chip and uses nothing much.
LaunchFigures idle_launch() {
  LaunchFigures f;
  f.milliseconds = 1;
  f.cycles = 1e6;
  f.instructions = 1.2e6;
  f.issue = 0.3;
  f.pipes[static_cast<size_t>(Unit::fma)] = 0.2;
  f.stalls[static_cast<size_t>(Stall::selected)] = 1;
  f.stalls[static_cast<size_t>(Stall::long_scoreboard)] = 20;
  f.stalls[static_cast<size_t>(Stall::not_selected)] = 3;
  f.blocks = 800;
  f.sms = 100;
  f.blocks_of_busiest_sm = 8;
  f.waves = 1;
  f.blocks_per_sm = 8;
  f.warps_per_block = 8;
  f.most_warps = 64;
  f.achieved_warps = 60;
  f.registers = 32;
  f.occupancy_limit = "registers";
  return f;
}

TEST(Bound, IsTheBusiestUnit) {
  struct Case {
    Bound bound;
    double LaunchFigures::*figure;
    const char* part;
  };
  for (const Case& c : {Case{Bound::memory, &LaunchFigures::dram, "DRAM is busy in 90 % of the cycles"},
                        Case{Bound::memory, &LaunchFigures::l2, "the way from L2 to an SM is busy in 90 %"},
                        Case{Bound::memory, &LaunchFigures::stores, "stores"},
                        Case{Bound::memory, &LaunchFigures::global_lsu, "load-store unit is busy in 90 %"},
                        Case{Bound::memory, &LaunchFigures::global_data, "mostly with global memory"},
                        Case{Bound::shared_memory, &LaunchFigures::shared_data, "mostly with shared memory"},
                        Case{Bound::shared_memory, &LaunchFigures::shared_lsu, "load-store unit"},
                        Case{Bound::issue, &LaunchFigures::issue, "issue slot"}}) {
    LaunchFigures f = idle_launch();
    f.*c.figure = 0.9;
    const BoundReport report = bound_of(f);
    EXPECT_EQ(report.bound, c.bound) << report.sentence;
    EXPECT_NE(report.sentence.find(c.part), std::string::npos) << report.sentence;
    EXPECT_EQ(report.sentence.find(std::string("Bound by ") + bound_name(c.bound) + ": "), 0u)
        << report.sentence;
    EXPECT_DOUBLE_EQ(report.share, 0.9);
  }
}

TEST(Bound, IsComputeWhereThePipeFillsTheIssueSlots) {
  LaunchFigures f = idle_launch();
  f.issue = 0.9;
  f.pipes[static_cast<size_t>(Unit::fma)] = 0.8;
  EXPECT_EQ(bound_of(f).bound, Bound::compute);
  EXPECT_EQ(bound_of(f).sentence,
            "Bound by compute: the FMA pipe is busy in 80 % of the cycles; issue slots in 90 %.");
  f.pipes[static_cast<size_t>(Unit::fma)] = 0.55;
  EXPECT_EQ(bound_of(f).bound, Bound::issue) << "over a third of the slots is for others";
}

TEST(Bound, IsTheTailWhereSmsAreIdle) {
  LaunchFigures f = idle_launch();
  f.blocks = 64;
  f.blocks_of_busiest_sm = 1;
  f.pipes[static_cast<size_t>(Unit::fma)] = 0.9;
  const BoundReport report = bound_of(f);
  EXPECT_EQ(report.bound, Bound::tail);
  EXPECT_EQ(report.sentence,
            "Bound by the tail: 64 blocks on 100 SMs, of which the busiest gets 1: 36 % of the SMs' time is "
            "idle.");
}

TEST(Bound, IsLatencyOrOccupancyWhereNothingIsBusy) {
  LaunchFigures f = idle_launch();
  BoundReport report = bound_of(f);
  EXPECT_EQ(report.bound, Bound::latency);
  EXPECT_NE(report.sentence.find("70 % of the issue slots are empty"), std::string::npos) << report.sentence;
  EXPECT_NE(report.sentence.find("long_scoreboard (20.0 cycles"), std::string::npos) << report.sentence;
  f.blocks_per_sm = 1;
  report = bound_of(f);
  EXPECT_EQ(report.bound, Bound::occupancy);
  EXPECT_NE(report.sentence.find("8 of 64 warps fit on an SM (registers allow 1 block)"), std::string::npos)
      << report.sentence;
}

TEST(Difference, NamesWhatTookTheRoom) {
  const LaunchFigures before = [] {
    LaunchFigures f = idle_launch();
    f.registers = 118;
    f.blocks_per_sm = 2;
    return f;
  }();
  LaunchFigures after = before;
  after.registers = 168;
  after.blocks_per_sm = 1;
  after.milliseconds = 1.2;
  EXPECT_EQ(explain_difference("double buffering", before, after),
            "double buffering costs 20.0 % here: 118 → 168 registers, 2 → 1 block an SM; bound by occupancy "
            "before and after.");
}

TEST(Difference, PutsTheReasonsBeforeWhatSpeaksAgainstThem) {
  const LaunchFigures before = idle_launch();
  LaunchFigures after = before;
  after.milliseconds = 0.25;
  after.instructions = before.instructions / 4;
  after.registers = 128;
  after.blocks_per_sm = 2;
  after.pipes[static_cast<size_t>(Unit::fma)] = 0.7;
  EXPECT_EQ(
      explain_difference("the larger tile", before, after),
      "the larger tile is 4.00x as fast here: 1.20 M → 300 k warp instructions of the busiest SM, against "
      "32 → 128 registers, 8 → 2 blocks an SM; bound by latency before, by compute after.");
}

TEST(Difference, OfEqualFiguresIsNothing) {
  EXPECT_EQ(explain_difference("PAD=1", idle_launch(), idle_launch()),
            "PAD=1 changes next to nothing here; bound by latency before and after.");
}

TEST(Difference, NamesTheStallThatChanged) {
  const LaunchFigures before = idle_launch();
  LaunchFigures after = before;
  after.cycles = 1.3e6;
  after.milliseconds = 1.3;
  after.stalls[static_cast<size_t>(Stall::barrier)] = 15;
  const std::string sentence = explain_difference("the barrier", before, after);
  EXPECT_NE(sentence.find("0.0 → 15.0 cycles of barrier an instruction"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace gemmscope::sm
