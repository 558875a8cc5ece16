// Decodes words from compiled kernels and checks the fields that an executor reads.
#include <gtest/gtest.h>

#include "isa/fields.h"
#include "isa/opcode_table.h"

namespace gemmscope::isa {
namespace {

TEST(Decode, UnknownOpcode) {
  const Instruction instruction = decode(0x1fd, 0, 0x40, Arch::sm_80);
  EXPECT_FALSE(instruction.known());
  EXPECT_EQ(instruction.row, nullptr);
  EXPECT_EQ(instruction.operand_count, 0);
  EXPECT_EQ(instruction.address, 0x40u);
}

TEST(Decode, OpcodeOfALaterArchitectureIsUnknown) {
  constexpr uint64_t kLdgsts = 0x04000000020d7fae;
  EXPECT_TRUE(decode(kLdgsts, 0x0005e2000b901d44, 0, Arch::sm_80).known());
  EXPECT_FALSE(decode(kLdgsts, 0x0005e2000b901d44, 0, Arch::sm_75).known());
}

TEST(Decode, ControlField) {
  const uint64_t hi = uint64_t{11} << 41 | uint64_t{1} << 45 | uint64_t{2} << 46 | uint64_t{7} << 49 |
                      uint64_t{0b100001} << 52 | uint64_t{0b0101} << 58;
  const Control control = decode(0x7918, hi, 0, Arch::sm_86).control;
  EXPECT_EQ(control.stall_cycles, 11);
  EXPECT_FALSE(control.yield);
  EXPECT_EQ(control.write_scoreboard, 2);
  EXPECT_EQ(control.read_scoreboard, 7);
  EXPECT_EQ(control.wait_mask, 0b100001);
  EXPECT_EQ(control.reuse, 0b0101);
  EXPECT_TRUE(decode(0x7918, 0, 0, Arch::sm_86).control.yield);  // the bit's sense is inverted
}

TEST(Decode, Guards) {
  // @!P0 LDGSTS.E.BYPASS.128 [R97], [R92.64]
  const Instruction vector = decode(0x000000005c618fae, 0x0003e2000b901c48, 0, Arch::sm_86);
  EXPECT_EQ(vector.guard.index, 0);
  EXPECT_TRUE(vector.guard.negate);
  EXPECT_FALSE(vector.guard.uniform);
  // ULDC.64 UR8, c[0x0][0x220]
  const Instruction uniform = decode(0x0000880000087ab9, 0x000fe20000000a00, 0, Arch::sm_90);
  EXPECT_TRUE(uniform.guard.uniform);
  EXPECT_TRUE(uniform.guard.always());
}

// IADD3.X R11, R5, ~R8, RZ, P0, !PT: neither predicate destination is printed.
TEST(Decode, HiddenPredicateDestinations) {
  const Instruction add = decode(0x80000008050b7210, 0x003fde00007fe4ff, 0, Arch::sm_86);
  EXPECT_EQ(add.opcode, Opcode::iadd3);
  EXPECT_TRUE(add.has(Modifier::x));
  EXPECT_EQ(add.destination_count, 1);
  EXPECT_EQ(source_count(add), 5);
  EXPECT_EQ(source(add, 0).index, 5);
  EXPECT_EQ(source(add, 1).index, 8);
  EXPECT_TRUE(source(add, 1).invert);
  EXPECT_EQ(source(add, 2).index, kRegisterZero);
  EXPECT_EQ(source(add, 3).index, 0);
  EXPECT_TRUE(source(add, 4).invert);
  EXPECT_EQ(predicate_destination(add, 0), kPredicateTrue);
  EXPECT_EQ(predicate_destination(add, 1), kPredicateTrue);
  EXPECT_EQ(predicate_source(add, 0).index, 0);
  EXPECT_EQ(predicate_source(add, 1).index, kPredicateTrue);
  EXPECT_TRUE(predicate_source(add, 1).negate);
}

// IMAD.WIDE.U32 R10, P0, R13, 0x20c49ba5, R8
TEST(Decode, PrintedPredicateDestination) {
  const Instruction wide = decode(0x20c49ba50d0a7825, 0x000fc80007800008, 0, Arch::sm_86);
  EXPECT_EQ(wide.opcode, Opcode::imad_wide);
  EXPECT_EQ(wide.destination_count, 2);
  EXPECT_EQ(predicate_destination(wide, 0), 0);
  EXPECT_EQ(destination_register(wide), 10);
  EXPECT_EQ(source(wide, 1).value, 0x20c49ba5);
}

TEST(Decode, SignedAndUnsignedImmediates) {
  // IMAD.WIDE.U32 R8, R3, -0x1cac0831, RZ
  EXPECT_EQ(source(decode(0xe353f7cf03087825, 0x000fe200078e00ff, 0, Arch::sm_90), 1).value, -0x1cac0831);
  // MOV R2, 0xffffffff
  EXPECT_EQ(source(decode(0xffffffff00027802, 0x000fe20000000f00, 0, Arch::sm_90), 0).value, 0xffffffffll);
}

// The last source is in slot B: FFMA.SAT R5, R0.reuse, R7.reuse, c[0x0][0x178]
TEST(Decode, ConstantAsThirdSource) {
  const Instruction ffma = decode(0x00005e0000057623, 0x0c4fe20000002007, 0, Arch::sm_86);
  EXPECT_TRUE(ffma.has(Modifier::sat));
  EXPECT_EQ(source(ffma, 1).index, 7);
  EXPECT_TRUE(source(ffma, 1).reuse);
  EXPECT_TRUE(source(ffma, 2).is(OperandKind::constant));
  EXPECT_EQ(source(ffma, 2).bank_or_scale, 0);
  EXPECT_EQ(source(ffma, 2).value, 0x178);
}

TEST(Decode, GlobalAddresses) {
  // sm_86: LDG.E.128 R8, [R2.64], with a descriptor that is not printed
  const Instruction hidden = decode(0x0000000802087981, 0x0000a8000c1e1d00, 0, Arch::sm_86);
  EXPECT_EQ(source(hidden, 0).uniform_role, UniformRole::hidden_descriptor);
  EXPECT_EQ(source(hidden, 0).index, 2);
  EXPECT_EQ(source(hidden, 0).address_bits, 64);
  EXPECT_TRUE(hidden.has(Modifier::b128));
  // sm_90: LDG.E.128 R8, desc[UR10][R12.64]
  const Instruction shown = decode(0x0000000a0c087981, 0x001ea2000c1e1d00, 0, Arch::sm_90);
  EXPECT_EQ(source(shown, 0).uniform_role, UniformRole::descriptor);
  EXPECT_EQ(source(shown, 0).uniform_index, 10);
  // sm_75: LDG.E.128.CONSTANT.SYS R24, [R14+0x800], without a uniform register
  const Instruction plain = decode(0x000800000e187381, 0x000f6200001e6d00, 0, Arch::sm_75);
  EXPECT_EQ(source(plain, 0).uniform_role, UniformRole::none);
  EXPECT_EQ(source(plain, 0).address_bits, 64);
  EXPECT_EQ(source(plain, 0).value, 0x800);
  // sm_75: STG.E.SYS [R4.64+UR4+0x400], R3
  const Instruction store = decode(0x0004000304007986, 0x000fe2000c10e904, 0, Arch::sm_75);
  EXPECT_EQ(store.destination_count, 0);
  EXPECT_EQ(source(store, 0).uniform_role, UniformRole::added);
  EXPECT_EQ(source(store, 0).uniform_index, 4);
  EXPECT_EQ(source(store, 1).index, 3);
}

// LDS.U.128 R40, [R41.X4+0x20c0]
TEST(Decode, SharedAddress) {
  const Instruction load = decode(0x0020c00029287984, 0x000ee20000005c00, 0, Arch::sm_75);
  EXPECT_EQ(source(load, 0).index, 41);
  EXPECT_EQ(source(load, 0).bank_or_scale, 2);
  EXPECT_EQ(source(load, 0).value, 0x20c0);
  EXPECT_EQ(source(load, 0).uniform_role, UniformRole::none);
}

// LDGSTS.E.BYPASS.LTC128B.128 [R13+0x4000], [R2.64]
TEST(Decode, CopyFromGlobalToShared) {
  const Instruction copy = decode(0x04000000020d7fae, 0x0005e2000b901d44, 0, Arch::sm_86);
  EXPECT_EQ(copy.destination_count, 0);
  EXPECT_EQ(source(copy, 0).index, 13);
  EXPECT_EQ(source(copy, 0).value, 0x4000);
  EXPECT_EQ(source(copy, 1).index, 2);
  EXPECT_EQ(source(copy, 1).address_bits, 64);
  EXPECT_EQ(predicate_source(copy, 0).index, kPredicateTrue);
}

TEST(Decode, BranchTargets) {
  // @P0 BRA 0x840 at 0x750
  const Instruction forward = decode(0x000000e000000947, 0x003fde0003800000, 0x750, Arch::sm_86);
  EXPECT_EQ(source(forward, 0).value, 0x840);
  // sm_90 encodes the low bits of the displacement elsewhere: @P0 BRA P1, 0xab0 at 0xb70
  const Instruction back = decode(0xfffffffc00cc0947, 0x000fea000083ffff, 0xb70, Arch::sm_90);
  EXPECT_EQ(source(back, 0).index, 1);
  EXPECT_EQ(source(back, 1).value, 0xab0);
  // BSSY B1, 0x1440 at 0xf00
  const Instruction region = decode(0x0000053000017945, 0x000fe20003800000, 0xf00, Arch::sm_86);
  EXPECT_EQ(source(region, 0).index, 1);
  EXPECT_EQ(source(region, 1).value, 0x1440);
}

// ELECT P0, UR62, PT: compiled with -G, where the next instruction reads UR62.
TEST(Decode, UniformDestinationOfAVectorOperation) {
  const Instruction elect = decode(0x00000000003e782f, 0x003fde0003800000, 0, Arch::sm_90);
  EXPECT_EQ(elect.destination_count, 2);
  EXPECT_EQ(elect.operands[1].kind, OperandKind::uniform_reg);
  EXPECT_EQ(elect.operands[1].index, 62);
  EXPECT_FALSE(elect.guard.uniform);
}

// Any word decodes without leaving the bounds of the arrays.
TEST(Decode, RandomWordsStayInBounds) {
  uint64_t state = 0x9e3779b97f4a7c15;
  const auto next = [&state] {  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  for (const Arch arch : kAllArchs)
    for (int i = 0; i < 50'000; ++i) {
      const uint64_t lo = next(), hi = next();
      const Instruction word = decode(lo, hi, static_cast<uint32_t>(next() & 0xfffff0), arch);
      ASSERT_LE(word.operand_count, Instruction::kMaxOperands);
      ASSERT_LE(word.modifier_count, Instruction::kMaxModifiers);
      ASSERT_LE(word.destination_count, word.operand_count);
      ASSERT_EQ(word.known(), word.row != nullptr);
    }
}

}  // namespace
}  // namespace gemmscope::isa
