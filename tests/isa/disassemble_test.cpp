#include "isa/disassemble.h"

#include <gtest/gtest.h>

#include <set>

#include "isa/real_text.h"
#include "isa/special_register.h"

namespace gemmscope::isa {
namespace {

std::string text_of(uint64_t lo, uint64_t hi, Arch arch, uint32_t address = 0) {
  return disassemble(decode(lo, hi, address, arch));
}

TEST(Disassemble, UnknownOpcodePrintsItsNumber) {
  EXPECT_EQ(text_of(0x7ffd, 0, Arch::sm_80), "?ffd ;");
  EXPECT_EQ(text_of(0x8ffd, 0, Arch::sm_80), "@!P0 ?ffd ;");
}

TEST(Disassemble, Parts) {
  const Instruction load = decode(0x0000000a0c087981, 0x001ea2000c1e1d00, 0, Arch::sm_90);
  EXPECT_EQ(disassemble(load), "LDG.E.128 R8, desc[UR10][R12.64] ;");
  EXPECT_EQ(mnemonic_text(load), "LDG.E.128");
  EXPECT_EQ(operand_text(load.operands[0], load), "R8");
  EXPECT_EQ(operand_text(load.operands[1], load), "desc[UR10][R12.64]");
}

TEST(Disassemble, Control) {
  const uint64_t hi = uint64_t{4} << 41 | uint64_t{0} << 46 | uint64_t{7} << 49 | uint64_t{1} << 52;
  EXPECT_EQ(control_text(decode(0x7918, hi, 0, Arch::sm_86)), "stall 4, yield, wait 0b000001, write SB0");
  const uint64_t quiet = uint64_t{15} << 41 | uint64_t{1} << 45 | uint64_t{7} << 46 | uint64_t{3} << 49;
  EXPECT_EQ(control_text(decode(0x7918, quiet, 0, Arch::sm_86)), "stall 15, read SB3");
}

// One operation is printed under several names.
TEST(Disassemble, ImadAliases) {
  constexpr uint64_t kPlain = 0x000fe200078e0202;  // addend R2
  EXPECT_EQ(text_of(0x000000ffff0f7224, kPlain, Arch::sm_86), "IMAD.MOV R15, RZ, RZ, R2 ;");
  EXPECT_EQ(text_of(0x00000001040f7824, kPlain, Arch::sm_86), "IMAD.IADD R15, R4, 0x1, R2 ;");
  EXPECT_EQ(text_of(0x00000008040f7824, 0x000fe200078e02ff, Arch::sm_86), "IMAD.SHL R15, R4, 0x8, RZ ;");
  EXPECT_EQ(text_of(0x00010000040f7824, 0x000fe200078e02ff, Arch::sm_86), "IMAD R15, R4, 0x10000, RZ ;");
  EXPECT_EQ(text_of(0x00000003040f7824, kPlain, Arch::sm_86), "IMAD R15, R4, 0x3, R2 ;");
}

std::string real(uint32_t bits, RealFormat format) {
  std::string text;
  append_real(text, bits, format);
  return text;
}

TEST(Disassemble, Reals) {
  EXPECT_EQ(real(0x3f800000, RealFormat::f32), "1");
  EXPECT_EQ(real(0x3dcccccd, RealFormat::f32), "0.10000000149011611938");
  EXPECT_EQ(real(0x4f000000, RealFormat::f32), "2.14748364800000000000e+09");
  EXPECT_EQ(real(0x80000000, RealFormat::f32), "-0.0");
  EXPECT_EQ(real(0x7f800000, RealFormat::f32), "+INF");
  EXPECT_EQ(real(0xffc00000, RealFormat::f32), "-QNAN");
  EXPECT_EQ(real(0x7f800001, RealFormat::f32), "+SNAN");
  EXPECT_EQ(real(0x3ff00000, RealFormat::f64_high), "1");
  EXPECT_EQ(real(0x3c00, RealFormat::f16), "1");
  EXPECT_EQ(real(0x8400, RealFormat::f16), "-6.103515625e-05");
  EXPECT_EQ(real(0x0001, RealFormat::f16), "5.9604644775390625e-08");
  EXPECT_EQ(real(0xfc00, RealFormat::f16), "-INF");
  EXPECT_EQ(real(0x7e00, RealFormat::f16), "+QNAN");
  EXPECT_EQ(real(0x3f80, RealFormat::bf16), "1");
}

TEST(Disassemble, SpecialRegisters) {
  EXPECT_EQ(special_register_name(0x21, Arch::sm_75), "SR_TID.X");
  EXPECT_EQ(special_register_name(0x18, Arch::sm_75), "SR_MACHINE_ID_0");
  EXPECT_EQ(special_register_name(0x18, Arch::sm_80), "SR_SW_SCRATCH");
  EXPECT_EQ(special_register_name(0x88, Arch::sm_90), "SR_CgaCtaId");
  EXPECT_EQ(special_register_name(0x88, Arch::sm_86), "SR136");
  EXPECT_EQ(special_register_name(0x67, Arch::sm_86), "SR_PM_HI1");
  EXPECT_EQ(special_register_name(0x83, Arch::sm_86), "SR_SNAP_PM_HI7");
}

TEST(Disassemble, ModifierTextsAreDistinct) {
  std::set<std::string> texts;
  for (int i = 0; i <= static_cast<int>(Modifier::hgmma_last); ++i) {
    const std::string text = modifier_text(static_cast<Modifier>(i));
    EXPECT_EQ(text.empty(), i == 0) << i;
    EXPECT_TRUE(texts.insert(text).second) << text;
  }
  EXPECT_STREQ(modifier_text(Modifier::hgmma_first), "64x8x16");
  EXPECT_STREQ(modifier_text(Modifier::hgmma_last), "64x256x256");
}

TEST(Disassemble, Architectures) {
  EXPECT_EQ(arch_name(Arch::sm_86), "sm_86");
  EXPECT_EQ(arch_from_name("sm_90"), Arch::sm_90);
  EXPECT_EQ(arch_from_name("75"), Arch::sm_75);
  EXPECT_EQ(arch_from_name("sm_70"), std::nullopt);
  EXPECT_EQ(arch_from_number(89), Arch::sm_89);
}

// Every opcode with random fields prints a whole line.
TEST(Disassemble, RandomWordsPrint) {
  uint64_t state = 0x2545f4914f6cdd1d;
  const auto next = [&state] {  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  constexpr int kWordsPerArch = 200'000;
  for (const Arch arch : kAllArchs)
    for (int i = 0; i < kWordsPerArch; ++i) {
      const uint64_t opcode12 = static_cast<uint64_t>(i) & 0xfff;
      const std::string text = text_of((next() & ~uint64_t{0xfff}) | opcode12, next(), arch, 0x100);
      ASSERT_TRUE(text.ends_with(" ;")) << text;
      ASSERT_EQ(text.find(".."), std::string::npos) << text;
      ASSERT_EQ(text.find(", ,"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace gemmscope::isa
