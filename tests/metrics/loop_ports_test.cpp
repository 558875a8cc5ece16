#include "metrics/loop_ports.h"

#include <gtest/gtest.h>

namespace gemmscope::metrics {
namespace {

// FFMA of sm_90; `flags`: reuse of A, B, C from bit 0.
isa::Instruction ffma(uint32_t index, int a, int b, int c, uint64_t flags = 0) {
  const uint64_t lo =
      0x7223 | uint64_t{200} << 16 | static_cast<uint64_t>(a) << 24 | static_cast<uint64_t>(b) << 32;
  return isa::decode(lo, static_cast<uint64_t>(c) | flags << 58 | uint64_t{1} << 41,
                     index * isa::kInstructionBytes, isa::Arch::sm_90);
}
// BRA back to instruction `target`, guarded by P0: the code goes on behind it.
isa::Instruction branch(uint32_t index, uint32_t target) {
  const int64_t bytes = (static_cast<int64_t>(target) - index - 1) * isa::kInstructionBytes;
  const auto words = static_cast<uint64_t>(bytes / 4) & ((uint64_t{1} << 56) - 1);
  return isa::decode(0x0947 | (words & 255) << 16 | (words >> 8) << 34, 0x03800000 | (words >> 38),
                     index * isa::kInstructionBytes, isa::Arch::sm_90);
}

TEST(LoopPorts, CountsALoopInItsSteadyState) {
  // R2 stays in slot A around the loop, so only the pass before the loop's steady state reads it.
  const std::vector<isa::Instruction> code = {ffma(0, 2, 4, 7), ffma(1, 2, 4, 6, 0b001),
                                              ffma(2, 2, 4, 7, 0b001), branch(3, 1)};
  ASSERT_EQ(code[3].opcode, isa::Opcode::bra);
  const KernelPorts ports = count_ports(code);
  ASSERT_EQ(ports.loops.size(), 1u);
  const LoopPorts& loop = ports.loops[0];
  EXPECT_EQ(loop.first, 1u);
  EXPECT_EQ(loop.last, 3u);
  EXPECT_TRUE(loop.innermost);
  EXPECT_EQ(ports.main_loop(), &loop);
  EXPECT_EQ(loop.ffma, 2u);
  EXPECT_EQ(loop.instructions, 3u);
  EXPECT_EQ(loop.ffma_port_cycles, 3u) << "R4 and R6 of bank 0, then R4 and R7";
  EXPECT_DOUBLE_EQ(loop.port_cycles_per_ffma(), 1.5);
  EXPECT_EQ(loop.pass_cycles(), 4u);
  EXPECT_EQ(loop.operands, 6u);
  EXPECT_EQ(loop.hits, 2u);
  EXPECT_EQ(loop.reads, 4u);
  EXPECT_EQ(ports.instructions[1].port_cycles, 2);
  EXPECT_EQ(ports.instructions[1].banks.hits, 0b001);
  EXPECT_TRUE(ports.instructions[1].before.entries[0][0].holds(0, 2));
  EXPECT_EQ(ports.instructions[0].port_cycles, 2) << "outside of the loop nothing is kept yet";
  EXPECT_EQ(ports.instructions[3].port_cycles, 0);
}

TEST(LoopPorts, TheMainLoopIsTheInnerOneWithTheMostFfmas) {
  const std::vector<isa::Instruction> code = {ffma(0, 2, 3, 5), ffma(1, 2, 3, 5), branch(2, 1),
                                              ffma(3, 2, 3, 5), ffma(4, 2, 3, 5), branch(5, 3),
                                              branch(6, 0)};
  const KernelPorts ports = count_ports(code);
  ASSERT_EQ(ports.loops.size(), 3u);
  EXPECT_FALSE(ports.loops[0].innermost);
  ASSERT_NE(ports.main_loop(), nullptr);
  EXPECT_EQ(ports.main_loop()->first, 3u);
}

// A loop that waits for copies has more integer instructions than the one with the products.
TEST(LoopPorts, TheMainLoopOfMatrixProductsIsTheOneWithThem) {
  const isa::Instruction hmma =
      isa::decode(0x0000000e0814723c, 0x000fe20000000814, 4 * isa::kInstructionBytes, isa::Arch::sm_90);
  ASSERT_EQ(hmma.opcode, isa::Opcode::hmma);
  const std::vector<isa::Instruction> code = {
      ffma(0, 2, 3, 5), ffma(1, 2, 3, 5), ffma(2, 2, 3, 5), branch(3, 0), hmma,
      ffma(5, 2, 3, 5), branch(6, 4)};
  const KernelPorts ports = count_ports(code);
  ASSERT_NE(ports.main_loop(), nullptr);
  EXPECT_EQ(ports.main_loop()->first, 4u);
  EXPECT_EQ(ports.main_loop()->ffma, 1u);
}

// A product whose tile is copied by a loop of its own inside the loop over K.
TEST(LoopPorts, TheMainLoopMayHoldLoopsThatCopy) {
  const isa::Instruction add =
      isa::decode(0x000000ff1111a210, 0x000fe40007ffe1ff, isa::kInstructionBytes, isa::Arch::sm_90);
  ASSERT_EQ(add.opcode, isa::Opcode::iadd3);
  const std::vector<isa::Instruction> code = {
      add, add, branch(2, 1), ffma(3, 2, 3, 5), ffma(4, 2, 3, 5), branch(5, 0)};
  const KernelPorts ports = count_ports(code);
  ASSERT_EQ(ports.loops.size(), 2u);
  ASSERT_NE(ports.main_loop(), nullptr);
  EXPECT_EQ(ports.main_loop()->first, 0u);
  EXPECT_EQ(ports.main_loop()->ffma, 2u);
}

TEST(LoopPorts, NoLoopHasNoFigure) {
  EXPECT_EQ(count_ports({}).main_loop(), nullptr);
  EXPECT_EQ(count_ports({ffma(0, 2, 3, 5)}).main_loop(), nullptr);
  EXPECT_EQ(count_ports({branch(0, 0)}).main_loop(), nullptr) << "the padding's branch to itself";
  EXPECT_EQ(LoopPorts{}.port_cycles_per_ffma(), 0);
}

TEST(LoopPorts, SaysWhyAndWhatWouldHaveSavedIt) {
  const std::vector<isa::Instruction> code = {ffma(0, 2, 3, 5), ffma(1, 2, 4, 5), ffma(2, 2, 3, 5)};
  const KernelPorts ports = count_ports(code);
  EXPECT_EQ(port_conflict_text(ports.instructions[1]),
            "Bank 0 has to give R2 (A), R4 (B), one a cycle: 2 cycles. Slot A read R2 before, but without "
            ".reuse.");
  EXPECT_EQ(ports.instructions[2].missed, 0b111) << "each slot took the same register last from that bank";
}

}  // namespace
}  // namespace gemmscope::metrics
