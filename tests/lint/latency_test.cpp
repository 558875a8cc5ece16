// Fixed latencies: with exactly the cycles of the table a dependency is met, with one fewer it is not. The
// numbers are those of README.md in app/lint.
#include "code.h"

namespace gemmscope::lint {
namespace {

using isa::Arch;

struct Pair {
  const char* what;
  Arch arch;
  Word producer, consumer;
  int needed;
};

TEST(Latency, EachPairNeedsItsCycles) {
  constexpr Arch kTuring = Arch::sm_75, kAmpere = Arch::sm_86, kHopper = Arch::sm_90;
  const Pair pairs[] = {
      {"FFMA to FFMA", kTuring, ffma(4, 1, 2, 3), ffma(5, 4, 1, 2), 4},
      {"FFMA to FFMA", kAmpere, ffma(4, 1, 2, 3), ffma(5, 1, 2, 4), 4},
      {"FFMA to FFMA", kHopper, ffma(4, 1, 2, 3), ffma(5, 1, 4, 2), 4},
      {"ALU to ALU", kTuring, iadd3(4, 1, 2), iadd3(5, 4, 1), 4},
      {"ALU to ALU", kHopper, iadd3(4, 1, 2), iadd3(5, 4, 1), 4},
      {"FMA to ALU", kTuring, ffma(4, 1, 2, 3), iadd3(5, 4, 1), 5},
      {"FMA to ALU", kAmpere, ffma(4, 1, 2, 3), iadd3(5, 4, 1), 5},
      {"FMA to ALU", kHopper, ffma(4, 1, 2, 3), iadd3(5, 4, 1), 4},
      {"ALU to FMA", kAmpere, iadd3(4, 1, 2), ffma(5, 4, 1, 2), 5},
      {"ALU to FMA", Arch::sm_80, iadd3(4, 1, 2), ffma(5, 4, 1, 2), 5},
      {"ALU to FMA", Arch::sm_89, iadd3(4, 1, 2), ffma(5, 4, 1, 2), 5},
      {"ALU to a load's address", kTuring, iadd3(4, 1, 2), lds(5, 4), 8},
      {"ALU to a load's address", kAmpere, iadd3(4, 1, 2), lds(5, 4), 5},
      {"FMA to a store's data", kHopper, ffma(4, 1, 2, 3), sts(1, 4), 5},
      {"ALU to MUFU", kTuring, iadd3(4, 1, 2), mufu(5, 4), 6},
      {"ALU to MUFU", kAmpere, iadd3(4, 1, 2), mufu(5, 4), 4},
      {"IMAD.WIDE's low word to ALU", kAmpere, imad_wide(4, 1, 2, 255), iadd3(6, 4, 1), 3},
      {"IMAD.WIDE's high word to ALU", kAmpere, imad_wide(4, 1, 2, 255), iadd3(6, 5, 1), 5},
      {"ALU to the high word of IMAD.WIDE's addend", kAmpere, iadd3(5, 1, 2), imad_wide(6, 1, 2, 4), 3},
      {"ALU to the low word of IMAD.WIDE's addend", kAmpere, iadd3(4, 1, 2), imad_wide(6, 1, 2, 4), 5},
      {"a pair's move to ALU", kAmpere, cs2r(4), iadd3(6, 5, 1), 6},
      {"HFMA2.MMA to ALU", Arch::sm_80, hfma2_mma(4), iadd3(6, 4, 1), 10},
      {"HFMA2.MMA to a store's data", kHopper, hfma2_mma(4), sts(1, 4), 7},
      {"float64 to float64", kHopper, dmul(4, 8, 10), dmul(6, 4, 8), 8},
      {"float64 to ALU", kHopper, dmul(4, 8, 10), iadd3(6, 5, 1), 10},
      {"HMMA.16816 to HMMA", kAmpere, hmma_16816(4, 12, 16, 4), hmma_16816(8, 12, 16, 4), 18},
      {"ALU to HMMA", kAmpere, iadd3(13, 1, 2), hmma_16816(4, 12, 16, 4), 7},
      {"a compare to a guard", kTuring, isetp(0, 1, 2), guarded(iadd3(4, 1, 2), 0), 12},
      {"a compare to a guard", kAmpere, isetp(0, 1, 2), guarded(iadd3(4, 1, 2), 0, true), 13},
      {"a compare to a branch", kHopper, isetp(3, 1, 2), guarded(exit(), 3), 13},
      {"a compare to VOTE", kAmpere, isetp(0, 1, 2), vote_any(4, 0), 13},
      {"the uniform datapath to itself", kAmpere, ushf(4, 5), ushf(6, 4), 4},
      {"the uniform datapath to ALU", kAmpere, ushf(4, 5), iadd3_uniform(5, 1, 4), 6},
      {"ULDC to ALU", kAmpere, uldc(4), iadd3_uniform(5, 1, 4), 2},
  };
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(fmt::format("{} on {}", pair.what, isa::arch_name(pair.arch)));
    // A stall count above 10 is split over two instructions.
    const auto with_cycles = [&](int cycles) {
      Code split(pair.arch);
      const int first = std::min(cycles, 10);
      split.add(pair.producer, {.stall = static_cast<uint64_t>(first)});
      if (cycles > first)
        split.add(ffma(100, 101, 102, 103), {.stall = static_cast<uint64_t>(cycles - first)});
      return split.add(pair.consumer, {.stall = 15}).add(exit()).missing();
    };
    EXPECT_EQ(with_cycles(pair.needed), Missing{});
    const size_t at = pair.needed - 1 > 10 ? 2 : 1;
    EXPECT_EQ(with_cycles(pair.needed - 1), Missing{fmt::format("0x{:04x}: needs {} cycles, has {}", 16 * at,
                                                                pair.needed, pair.needed - 1)});
  }
}

TEST(Latency, OnlyTheSameRegisterCounts) {
  EXPECT_EQ(Code().add(ffma(4, 1, 2, 3)).add(ffma(5, 6, 1, 2)).add(exit()).missing(), Missing{});
}

TEST(Latency, LaterWritesMustNotComeFirst) {
  const auto code = [](uint64_t stall) {
    return Code(Arch::sm_80).add(hfma2_mma(4), {.stall = stall}).add(iadd3(4, 1, 2)).add(exit()).missing();
  };
  EXPECT_EQ(code(3), Missing{});
  EXPECT_EQ(code(2), Missing{"0x0010: needs 3 cycles, has 2"});
}

// Above 11 a stall count without the yield bit stalls only a cycle or two.
TEST(Latency, LongStallsNeedTheYieldBit) {
  const auto code = [](bool yield) {
    return Code()
        .add(isetp(0, 1, 2), {.stall = 13, .yield = yield})
        .add(guarded(exit(), 0))
        .add(exit())
        .missing();
  };
  EXPECT_EQ(code(true), Missing{});
  EXPECT_EQ(code(false), Missing{"0x0010: needs 13 cycles, has 2"});
}

TEST(Latency, TheSentenceNamesTheProducer) {
  const Code code = Code().add(ffma(4, 1, 2, 3), {.stall = 2}).add(ffma(5, 4, 1, 2)).add(exit());
  const LintResult result = lint(code.instructions());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(finding_text(result.findings[0], code.instructions()),
            "R4 is read 2 cycles after FFMA at 0x0000 issues; it needs 4");
}

}  // namespace
}  // namespace gemmscope::lint
