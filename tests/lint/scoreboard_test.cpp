// Variable latencies: which waits cover which results and sources.
#include "code.h"

namespace gemmscope::lint {
namespace {

TEST(Scoreboard, AResultNeedsAWait) {
  const auto code = [](uint64_t wait) {
    return Code()
        .add(ldg(4, 10), {.stall = 4, .write = 2})
        .add(ffma(5, 4, 1, 2), {.wait = wait})
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(1 << 2), Missing{});
  EXPECT_EQ(code(0), Missing{"0x0010: no wait on scoreboard 2"});
  EXPECT_EQ(code(1 << 3), Missing{"0x0010: no wait on scoreboard 2"});
}

TEST(Scoreboard, AnEarlierInstructionMayWait) {
  Code code;
  code.add(ldg(4, 10), {.stall = 4, .write = 2}).add(ffma(50, 51, 52, 53), {.stall = 4, .wait = 1 << 2});
  EXPECT_EQ(code.add(ffma(5, 4, 1, 2)).add(exit()).missing(), Missing{});
}

// The count is up only in the second cycle.
TEST(Scoreboard, AWaitInTheNextCycleIsTooEarly) {
  const auto code = [](uint64_t stall) {
    return Code()
        .add(ldg(4, 10), {.stall = stall, .write = 2})
        .add(ffma(5, 4, 1, 2), {.wait = 1 << 2})
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(2), Missing{});
  EXPECT_EQ(code(1), Missing{"0x0010: no wait on scoreboard 2"});
}

TEST(Scoreboard, AResultWithoutOneCannotBeWaitedFor) {
  EXPECT_EQ(Code().add(ldg(4, 10), {.stall = 4}).add(ffma(5, 4, 1, 2), {.wait = 0x3f}).add(exit()).missing(),
            Missing{"0x0010: sets no scoreboard"});
}

// Loads from shared memory return in the order of issue: the last one's scoreboard covers all.
TEST(Scoreboard, CoversEarlierInstructionsOfAUnitInOrder) {
  const auto code = [](bool last_sets) {
    const uint64_t first = last_sets ? 7 : 0, second = last_sets ? 0 : 7;
    return Code()
        .add(lds(4, 10), {.stall = 2, .write = first})
        .add(lds(5, 11), {.stall = 2, .write = second})
        .add(ffma(6, 4, 5, 1), {.wait = 1})
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(true), Missing{});
  EXPECT_EQ(code(false), Missing{"0x0020: sets no scoreboard"});
}

TEST(Scoreboard, LoadsFromGlobalMemoryHaveNoOrder) {
  EXPECT_EQ(Code()
                .add(ldg(4, 10), {.stall = 2})
                .add(ldg(5, 12), {.stall = 2, .write = 0})
                .add(ffma(6, 4, 5, 1), {.wait = 1})
                .add(exit())
                .missing(),
            Missing{"0x0020: sets no scoreboard"});
}

TEST(Scoreboard, SourcesMustBeReadBeforeTheyAreOverwritten) {
  const auto code = [](uint64_t read, uint64_t wait) {
    return Code()
        .add(stg(10, 4), {.stall = 2, .read = read})
        .add(iadd3(4, 1, 2), {.wait = wait})
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(1, 1 << 1), Missing{});
  EXPECT_EQ(code(1, 0), Missing{"0x0010: no wait on scoreboard 1"});
  EXPECT_EQ(code(7, 1 << 1), Missing{"0x0010: sets no scoreboard"});
}

TEST(Scoreboard, AResultCoversTheSourcesToo) {
  EXPECT_EQ(Code()
                .add(ldg(4, 10), {.stall = 2, .write = 0})
                .add(iadd3(10, 1, 2), {.wait = 1})
                .add(exit())
                .missing(),
            Missing{});
}

TEST(Scoreboard, ALoadMayOverwriteWhatAnEarlierAccessReads) {
  EXPECT_EQ(Code().add(sts(10, 4), {.stall = 4}).add(lds(4, 11), {.write = 0}).add(exit()).missing(),
            Missing{});
}

TEST(Scoreboard, ABarrierWaitsForTheSourcesOfStores) {
  EXPECT_EQ(Code()
                .add(sts(10, 4), {.stall = 4})
                .add(bar_sync(), {.stall = 6})
                .add(iadd3(4, 1, 2), {.stall = 4})
                .add(exit())
                .missing(),
            Missing{});
}

TEST(Scoreboard, AResultMustNotOverwriteALaterOne) {
  const auto code = [](uint64_t wait) {
    return Code()
        .add(ldg(4, 10), {.stall = 4, .write = 5})
        .add(iadd3(4, 1, 2), {.stall = 4, .wait = wait})
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(1 << 5), Missing{});
  EXPECT_EQ(code(0), Missing{"0x0010: no wait on scoreboard 5"});
}

// DEPBAR.LE SB0, n waits for all but the last n that set SB0.
TEST(Scoreboard, DepbarLeavesTheLastOnes) {
  const auto code = [](uint64_t most, uint64_t reg) {
    return Code()
        .add(ldg(4, 10), {.stall = 2, .write = 0})
        .add(ldg(5, 12), {.stall = 2, .write = 0})
        .add(depbar(most), {.stall = 4})
        .add(ffma(6, reg, 1, 2))
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(0, 4), Missing{});
  EXPECT_EQ(code(0, 5), Missing{});
  EXPECT_EQ(code(1, 4), Missing{});
  EXPECT_EQ(code(1, 5), Missing{"0x0030: no wait on scoreboard 0"});
}

TEST(Scoreboard, DepbarMustStall) {
  EXPECT_EQ(Code().add(depbar(0), {.stall = 4}).add(exit()).missing(), Missing{});
  EXPECT_EQ(Code().add(depbar(0), {.stall = 3}).add(exit()).missing(),
            Missing{"0x0000: needs 4 cycles, has 3"});
}

TEST(Scoreboard, CopiesNeedOneToBeWaitedFor) {
  EXPECT_EQ(Code().add(ldgdepbar(), {.stall = 2, .write = 0}).add(exit()).missing(), Missing{});
  EXPECT_EQ(Code().add(ldgdepbar(), {.stall = 2}).add(exit()).missing(),
            Missing{"0x0000: sets no scoreboard"});
}

}  // namespace
}  // namespace gemmscope::lint
