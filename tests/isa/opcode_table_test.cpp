#include "isa/opcode_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gemmscope::isa {
namespace {

TEST(OpcodeTable, EveryOperationHasARow) {
  std::set<Opcode> seen;
  for (const OpcodeRow* row : all_rows()) seen.insert(row->opcode);
  for (int i = 1; i < kOpcodeCount; ++i)
    EXPECT_EQ(seen.count(static_cast<Opcode>(i)), 1u) << "operation number " << i;
  EXPECT_EQ(seen.count(Opcode::unknown), 0u);
}

TEST(OpcodeTable, EveryRowIsComplete) {
  for (const OpcodeRow* row : all_rows()) {
    EXPECT_LT(row->opcode9, 512) << row->mnemonic;
    EXPECT_NE(std::string(row->mnemonic), "");
    EXPECT_NE(row->archs.mask, 0) << row->mnemonic;
    EXPECT_NE(std::string(pipe_name(row->pipe)), "");
  }
}

// A condition is a set of at most 64 field values.
TEST(OpcodeTable, ConditionsFit) {
  for (const OpcodeRow* row : all_rows()) {
    EXPECT_LE(row->condition.bits.total_width(), 6) << row->mnemonic;
    for (const OperandSpec& spec : row->operands)
      EXPECT_LE(spec.condition.bits.total_width(), 6) << row->mnemonic;
  }
}

// Only the last row of an opcode may lack a condition, because rows after it could never match.
TEST(OpcodeTable, NoRowIsHiddenByAnother) {
  for (const Arch arch : kAllArchs) {
    std::set<int> closed;
    for (const OpcodeRow* row : all_rows()) {
      if (!row->archs.has(arch)) continue;
      EXPECT_EQ(closed.count(row->opcode9), 0u) << row->mnemonic << " on " << arch_name(arch);
      if (row->condition.bits.total_width() == 0) closed.insert(row->opcode9);
    }
  }
}

TEST(OpcodeTable, ScoreboardsFollowTheArchitecture) {
  // DFMA R8, R8, R10, R12 goes through a queue before sm_90 and has a fixed latency there.
  const auto scoreboard = [](uint64_t lo, uint64_t hi, Arch arch) {
    return decode(lo, hi, 0, arch).row->scoreboard_on(arch);
  };
  constexpr uint64_t kDfma = 0x0000000a0808722b, kHmma = 0x000000040804723c, kStg = 0x0000000402007986;
  EXPECT_EQ(scoreboard(kDfma, 0, Arch::sm_86), Scoreboard::result);
  EXPECT_EQ(scoreboard(kDfma, 0, Arch::sm_90), Scoreboard::none);
  EXPECT_EQ(scoreboard(kHmma, 0, Arch::sm_75), Scoreboard::result);
  EXPECT_EQ(scoreboard(kHmma, 0, Arch::sm_80), Scoreboard::none);
  EXPECT_EQ(scoreboard(kStg, 0, Arch::sm_80), Scoreboard::sources);
}

TEST(OpcodeTable, PipesOfTheGemmLadder) {
  const auto pipe = [](uint64_t opcode9) { return decode(opcode9 | 0x7200, 0, 0, Arch::sm_86).row->pipe; };
  EXPECT_EQ(pipe(0x023), Pipe::fma);        // FFMA
  EXPECT_EQ(pipe(0x024), Pipe::fma_heavy);  // IMAD
  EXPECT_EQ(pipe(0x010), Pipe::alu);        // IADD3
  EXPECT_EQ(pipe(0x184), Pipe::lsu);        // LDS
  EXPECT_EQ(pipe(0x03c), Pipe::tensor);     // HMMA
  EXPECT_EQ(pipe(0x147), Pipe::control);    // BRA
}

}  // namespace
}  // namespace gemmscope::isa
