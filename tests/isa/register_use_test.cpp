// Which registers instructions read and write. Words are from compiled kernels and from the mutants that the
// vendor's disassembler accepts; the widths are those of the PTX ISA's operands.
#include "isa/register_use.h"

#include <gtest/gtest.h>

#include "isa/disassemble.h"

namespace gemmscope::isa {
namespace {

std::string range_text(const char* file, uint8_t reg, uint8_t words) {
  return file + std::to_string(reg) + (words > 1 ? "x" + std::to_string(words) : "");
}

void append(std::string& text, const std::string& word) { text += (text.empty() ? "" : " ") + word; }

void append_predicates(std::string& text, const char* name, PredicateSet set) {
  for (int k = 0; k < 7; ++k)
    if ((set >> k & 1) != 0) append(text, name + std::to_string(k));
}

// "=R24x4 R14x2@0r": writes R24–R27, reads R14 and R15 through slot 0, whose reuse flag is set.
std::string use_text(const RegisterUse& use) {
  std::string text;
  for (const RegisterRange& write : use.writes) append(text, range_text("=R", write.reg, write.words));
  for (const RegisterRange& write : use.uniform_writes)
    append(text, range_text("=UR", write.reg, write.words));
  append_predicates(text, "=P", use.predicate_writes);
  append_predicates(text, "=UP", use.uniform_predicate_writes);
  for (const RegisterRead& read : use.reads)
    append(text, range_text("R", read.reg, read.words) +
                     (read.slot == kNoSlot ? "" : "@" + std::to_string(read.slot)) + (read.reuse ? "r" : ""));
  for (const RegisterRange& read : use.uniform_reads) append(text, range_text("UR", read.reg, read.words));
  append_predicates(text, "P", use.predicate_reads);
  append_predicates(text, "UP", use.uniform_predicate_reads);
  return text;
}

struct Case {
  Arch arch;
  uint64_t lo, hi;
  const char *instruction, *use;
};

TEST(RegisterUse, WidthsAndSlots) {
  // clang-format off
  const Case cases[] = {
    {Arch::sm_75, 0x000800000e187381, 0x000f6200001e6d00, "LDG.E.128.CONSTANT.SYS R24, [R14+0x800]", "=R24x4 R14x2@0"},
    {Arch::sm_80, 0x02000000040b0fae, 0x0003e2000b901c48, "@P0 LDGSTS.E.BYPASS.128 [R11+0x2000], [R4.64]", "R11 R4x2@0 UR8x2"},
    {Arch::sm_90, 0x000000040a0c7981, 0x00321e000c1e1d00, "LDG.E.128 R12, desc[UR4][R10.64]", "=R12x4 R10x2@0 UR4x2"},
    {Arch::sm_75, 0x000010200a007386, 0x000fe8000010ed00, "STG.E.128.SYS [R10+0x10], R32", "R10x2@0 R32x4@1"},
    {Arch::sm_75, 0x000400ff00007388, 0x000fe80000000a00, "STS.64 [R0+0x400], RZ", "R0@0"},
    {Arch::sm_75, 0x00001000090c783b, 0x000e240000000200, "LDSM.16.M88.4 R12, [R9+0x10]", "=R12x4 R9@0"},
    {Arch::sm_75, 0x000000060a1473a8, 0x000ea200001f45ff, "ATOMG.E.ADD.64.STRONG.GPU PT, R20, [R10], R6", "=R20x2 R10x2@0 R6x2@1"},
    {Arch::sm_75, 0x00000c0e02ff738b, 0x000fe200001f410f, "ATOM.E.CAS.STRONG.GPU PT, RZ, [R2+0xc], R14, R15", "R2x2@0 R14@1 R15@2"},
    {Arch::sm_75, 0x0000580000007b82, 0x00321e0000000400, "LDC.U16 R0, c[0x0][R0+0x160]", "=R0 R0@0"},
    {Arch::sm_75, 0x0000580000107ab9, 0x000fc40000000a00, "ULDC.64 UR16, c[0x0][0x160]", "=UR16x2"},
    {Arch::sm_90, 0x00000014240075b4, 0x0001e20008008000, "UTMALDG.2D [UR20], [UR36]", "UR20x4 UR36x2"},
    {Arch::sm_75, 0x8000000a0a0e722b, 0x002e100000000008, "DFMA R14, R10, -R10, R8", "=R14x2 R10x2@0 R10x2@1 R8x2@2"},
  };
  // clang-format on
  for (const Case& c : cases) {
    const Instruction instruction = decode(c.lo, c.hi, 0, c.arch);
    EXPECT_EQ(use_text(register_use(instruction)), c.use) << c.instruction;
    EXPECT_NE(std::string(c.instruction).find(mnemonic_text(instruction) + " "), std::string::npos);
  }
}

TEST(RegisterUse, AnUnknownInstructionUsesNothing) {
  EXPECT_EQ(use_text(register_use(decode(0x1fd, 0, 0, Arch::sm_80))), "");
}

// LDG.E.128 R252: R255 is RZ, which no load writes.
TEST(RegisterUse, RangesEndBeforeRz) {
  const Instruction load = decode(0x000000040afc7981, 0x00321e000c1e1d00, 0, Arch::sm_90);
  const RegisterUse use = register_use(load);
  ASSERT_EQ(use.writes.count, 1);
  EXPECT_EQ(use.writes.items[0], (RegisterRange{252, 3}));
}

// Whatever the word says, ranges stay inside their register files.
TEST(RegisterUse, AnyWordGivesRangesInsideTheFiles) {
  uint64_t state = 12;
  const auto next = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < 200000; ++i) {
    const uint64_t lo = next() ^ next() >> 32, hi = next() ^ next() >> 32;
    const RegisterUse use = register_use(decode(lo, hi, 0, kAllArchs[static_cast<size_t>(i) % 5]));
    for (const RegisterRead& read : use.reads) ASSERT_LE(read.reg + read.words, kRegisterZero);
    for (const RegisterRange& write : use.writes) ASSERT_LE(write.reg + write.words, kRegisterZero);
    for (const RegisterRange& read : use.uniform_reads) ASSERT_LE(read.reg + read.words, kUniformZero);
    for (const RegisterRange& write : use.uniform_writes) ASSERT_LE(write.reg + write.words, kUniformZero);
  }
}

}  // namespace
}  // namespace gemmscope::isa
