// The analysis follows every path: the shortest counts.
#include "code.h"

namespace gemmscope::lint {
namespace {

constexpr Schedule kLong{.stall = 10};

TEST(Path, TheShorterOfTwoCounts) {
  const auto code = [](uint64_t branch_stall) {
    return Code()
        .add(isetp(0, 1, 2), kLong)
        .add(ffma(50, 51, 52, 53), kLong)
        .add(ffma(4, 1, 2, 3), {.stall = 1})
        .add(guarded(bra(16), 0), {.stall = branch_stall})  // over the next instruction
        .add(ffma(54, 51, 52, 53), kLong)
        .add(ffma(5, 4, 1, 2))
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(3), Missing{});
  EXPECT_EQ(code(2), Missing{"0x0050: needs 4 cycles, has 3"});
}

TEST(Path, GoesAroundALoop) {
  const auto code = [](uint64_t branch_stall) {
    return Code()
        .add(isetp(0, 1, 2), kLong)
        .add(ffma(4, 4, 1, 2), {.stall = 10})  // the loop: reads what it wrote a pass ago
        .add(ffma(6, 6, 6, 6), {.stall = 1})
        .add(guarded(bra(-32), 0), {.stall = branch_stall})  // to FFMA R6
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(3), Missing{});
  EXPECT_EQ(code(2), Missing{"0x0020: needs 4 cycles, has 3"});
}

// Compilers write both results of a choice, each under its guard.
TEST(Path, OppositeGuardsExcludeEachOther) {
  Code code;
  code.add(isetp(0, 1, 2), kLong).add(ffma(50, 51, 52, 53), kLong);
  code.add(guarded(ffma(4, 1, 2, 3), 0)).add(guarded(ffma(5, 4, 1, 2), 0, true)).add(exit());
  EXPECT_EQ(code.missing(), Missing{});
}

TEST(Path, OppositeGuardsMeanNothingOnceThePredicateChanged) {
  Code code;
  code.add(isetp(0, 1, 2), kLong).add(ffma(50, 51, 52, 53), kLong);
  code.add(guarded(ldg(4, 10), 0), {.stall = 2, .write = 1});
  code.add(isetp(0, 1, 3), kLong).add(ffma(50, 51, 52, 53), kLong);
  code.add(guarded(ffma(5, 4, 1, 2), 0, true)).add(exit());
  EXPECT_EQ(code.missing(), Missing{"0x0050: no wait on scoreboard 1"});
}

// What one caller has pending does not return to another. Two calls: at 0x00 and at 0x60.
TEST(Path, ReturnsGoToTheirOwnCaller) {
  Code code;
  code.add(ldg(20, 10), {.stall = 2, .write = 3});            // 0x00
  code.add(call(6 * 16), {.stall = 5});                       // 0x10 to 0x80
  code.add(ffma(5, 20, 1, 2), {.stall = 5, .wait = 1 << 3});  // 0x20
  code.add(ffma(50, 51, 52, 53), kLong);                      // 0x30
  code.add(call(3 * 16), {.stall = 5});                       // 0x40 to 0x80
  code.add(ffma(6, 20, 1, 2), {.stall = 5});                  // 0x50: nothing is pending here
  code.add(exit());                                           // 0x60
  code.add(exit());                                           // 0x70
  code.add(ffma(7, 1, 2, 3), {.stall = 5});                   // 0x80
  code.add(ret(2), {.stall = 5});                             // 0x90
  EXPECT_EQ(code.missing(), Missing{});
}

TEST(Path, ACalledFunctionsResultsReturn) {
  Code code;
  code.add(call(3 * 16), {.stall = 5});             // 0x00 to 0x40
  code.add(ffma(6, 20, 1, 2), {.stall = 5});        // 0x10: no wait for the load
  code.add(exit()).add(exit());                     // 0x20
  code.add(ldg(20, 10), {.stall = 2, .write = 3});  // 0x40
  code.add(ret(2), {.stall = 5});
  EXPECT_EQ(code.missing(), Missing{"0x0010: no wait on scoreboard 3"});
}

}  // namespace
}  // namespace gemmscope::lint
