// Integer arithmetic, logic and moves, each beside its counterpart on the uniform datapath.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kPermuteMode[8] = {M::none, M::f4e, M::b4e, M::rc8, M::ecl, M::ecr, M::rc16, M::invalid7};
constexpr M kShiftDirection[2] = {M::l, M::r};
constexpr M kShiftType[4] = {M::s64, M::u64, M::s32, M::u32};
constexpr M kVectorType[4] = {M::u32, M::none, M::u16x2, M::s16x2};
constexpr M kDotHalf[2] = {M::lo, M::hi};
constexpr M kDotType8[2] = {M::u8, M::s8};
constexpr M kDotType16[2] = {M::u16, M::s16};

bool reads_zero(const Operand& operand) {
  return operand.is(OperandKind::reg) && operand.index == kRegisterZero;
}

// IMAD also serves as a move, an addition or a shift: 0·b + c, a·1 + c, a·2^n + 0. It is then printed as
// IMAD.MOV, IMAD.IADD or IMAD.SHL. The vendor's disassembler makes no alias for 2^16 or for a uniform addend.
M imad_alias(const Instruction& imad) {
  const Operand& a = imad.operands[1];
  const Operand& b = imad.operands[2];
  const Operand& c = imad.operands[3];
  const bool no_product = reads_zero(a) || reads_zero(b) || (b.is(OperandKind::integer) && b.value == 0);
  if (no_product && !c.is(OperandKind::uniform_reg) && !c.bindless) return M::mov;
  if (!b.is(OperandKind::integer) || imad.form != 4) return M::none;
  const auto factor = static_cast<uint32_t>(b.value);
  if (factor == 1) return reads_zero(c) && !c.negate ? M::mov : M::iadd;
  const bool power_of_two = factor != 0 && (factor & (factor - 1)) == 0;
  return power_of_two && factor != 0x10000 && reads_zero(c) && !c.negate ? M::shl : M::none;
}

void name_imad_alias(Instruction& imad) {
  const M alias = imad.has(M::x) ? M::none : imad_alias(imad);
  if (alias == M::none) return;
  for (int i = imad.modifier_count; i > 0; --i) imad.modifiers[i] = imad.modifiers[i - 1];
  imad.modifiers[0] = alias;
  ++imad.modifier_count;
}

// clang-format off
constexpr OpcodeRow kMov{0x002, Opcode::mov, "MOV", Pipe::alu,
    // Bits 72–75 are a byte mask. Compilers emit moves with all of them set.
    {kDst, in_b(), imm(72, 4).when({72, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})}, {}};

constexpr OpcodeRow kSel{0x007, Opcode::sel, "SEL", Pipe::alu, {kDst, a_first(), in_b(), kPq}, {}};

// Without .EX only sm_75's vector form prints a third predicate.
constexpr OpcodeRow isetp(ArchSet prints_third) {
  return {0x00c, Opcode::isetp, "ISETP", Pipe::alu,
    {kPu, kPv, a_first(), in_b(raw_signed), kPq, kPs.if_set(72).on(kFromSm80), kPs.if_set(72).optional().on(kSm75), kPs.optional().if_clear(72).on(prints_third)},
    {field(76, 3, kIntegerCompare), field(73, 1, kU32UnlessSet), field(74, 2, kBoolean), flag(72, M::ex)}};
}

constexpr OpcodeRow kIadd3{0x010, Opcode::iadd3, "IADD3", Pipe::alu,
    {kDst, kPu.optional(), kPv.optional(), a_first(carry), a_second(carry), a_third(carry), kPq.if_set(74),
     kPr.if_set(74)},
    {flag(74, M::x)}};

constexpr OpcodeRow kLea{0x011, Opcode::lea, "LEA", Pipe::alu,
    // Only LEA.HI without .SX32 has an upper word as a source.
    {kDst, kPu.optional(), a_first(carry), a_second(carry_in_b).when({80, 1, 73, 1}, {1}),
     a_third(carry_in_b).when({80, 1, 73, 1}, {1}), in_b(carry_in_b).when({80, 1, 73, 1}, {0, 2, 3}),
     imm(75, 5), kPq.if_set(74)},
    {flag(80, M::hi), flag(74, M::x), flag(73, M::sx32)}};

constexpr OpcodeRow kLop3{0x012, Opcode::lop3, "LOP3", Pipe::alu,
    {kPu.optional(), kDst, a_first(), a_second(), a_third(), imm(72, 8), kPq}, {fixed(M::lut), flag(80, M::pand)}};

constexpr OpcodeRow kPrmt{0x016, Opcode::prmt, "PRMT", Pipe::alu,
    {kDst, a_first(), a_second(), a_third()}, {field(72, 3, kPermuteMode)}};

constexpr OpcodeRow kShf{0x019, Opcode::shf, "SHF", Pipe::alu,
    {kDst, a_first(), a_second(), a_third()},
    {field(76, 1, kShiftDirection), flag(75, M::w), field(73, 2, kShiftType), flag(80, M::hi)}};

constexpr OpcodeRow kImad{0x024, Opcode::imad, "IMAD", Pipe::fma_heavy,
    {kDst, a_first(raw_signed), a_second(raw_signed), a_third(carry), kPq.if_set(74)},
    {field(73, 1, kU32UnlessSet), flag(74, M::x)}};

constexpr OpcodeRow kImadWide{0x025, Opcode::imad_wide, "IMAD", Pipe::fma_heavy,
    {kDst, kPu.optional(), a_first(raw_signed), a_second(raw_signed), a_third(carry), kPq.if_set(74)},
    {fixed(M::wide), field(73, 1, kU32UnlessSet), flag(74, M::x)}};

constexpr OpcodeRow kImadHi{0x027, Opcode::imad_hi, "IMAD", Pipe::fma_heavy,
    {kDst, kPu.optional(), a_first(raw_signed), a_second(raw_signed), a_third(carry), kPq.if_set(74)},
    {fixed(M::hi), field(73, 1, kU32UnlessSet), flag(74, M::x)}};

constexpr OpcodeRow kFlo{0x100, Opcode::flo, "FLO", Pipe::xu,
    {kDst, kPu.optional(), in_b(logical)}, {field(73, 1, kU32UnlessSet), flag(74, M::sh)}};

constexpr OpcodeRow kBrev{0x101, Opcode::brev, "BREV", Pipe::xu, {kDst, in_b()}, {}};
constexpr OpcodeRow kPopc{0x109, Opcode::popc, "POPC", Pipe::xu, {kDst, in_b(logical)}, {}};

constexpr OpcodeRow kRows[] = {
  kMov,
  {0x082, Opcode::umov, "UMOV", Pipe::uniform, {kDst, in_b()}, {}, Datapath::uniform},
  kSel, kSel.uniform(0x087, Opcode::usel, "USEL"),
  isetp(kSm75), isetp(kNoSm).uniform(0x08c, Opcode::uisetp, "UISETP"),
  kIadd3, kIadd3.uniform(0x090, Opcode::uiadd3, "UIADD3"),
  OpcodeRow{0x097, Opcode::uiadd3_64, "UIADD3", Pipe::uniform,
    {kDst, a_first(negatable), a_second(negatable), a_third(negatable)}, {fixed(M::b64)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x09a, Opcode::usgxt, "USGXT", Pipe::uniform,
    {kDst, a_first(), in_b()}, {flag(75, M::w), field(73, 1, kU32UnlessSet)}, Datapath::uniform}.on(kFromSm80),
  kLea, kLea.uniform(0x091, Opcode::ulea, "ULEA"),
  kLop3, kLop3.uniform(0x092, Opcode::ulop3, "ULOP3"),
  kPrmt, kPrmt.uniform(0x096, Opcode::uprmt, "UPRMT"),
  kShf, kShf.uniform(0x099, Opcode::ushf, "USHF"),
  kImad.refined(name_imad_alias), kImad.uniform(0x0a4, Opcode::uimad, "UIMAD"),
  kImadWide, kImadWide.uniform(0x0a5, Opcode::uimad_wide, "UIMAD"),
  kImadHi,
  kFlo.result_scoreboard(), kFlo.uniform(0x0bd, Opcode::uflo, "UFLO"),
  kBrev.result_scoreboard(), kBrev.uniform(0x0be, Opcode::ubrev, "UBREV"),
  kPopc.result_scoreboard(), kPopc.uniform(0x0bf, Opcode::upopc, "UPOPC"),

  {0x013, Opcode::iabs, "IABS", Pipe::alu, {kDst, in_b()}, {}},
  {0x014, Opcode::vabsdiff, "VABSDIFF", Pipe::alu,
    {kDst, kPu.optional(), a_first(), a_second(), a_third()}, {field(73, 1, kU32UnlessSet)}},
  {0x015, Opcode::vabsdiff4, "VABSDIFF4", Pipe::alu,
    {kDst, kPu.optional(), a_first(), a_second(), a_third()}, {field(73, 1, kU8UnlessSet), flag(75, M::acc)}},
  {0x017, Opcode::imnmx, "IMNMX", Pipe::alu, {kDst, a_first(), in_b(raw_signed), kPq}, {field(73, 1, kU32UnlessSet)}},
  {0x01a, Opcode::sgxt, "SGXT", Pipe::alu,
    {kDst, a_first(), in_b()}, {flag(75, M::w), field(73, 1, kU32UnlessSet)}},
  {0x01b, Opcode::bmsk, "BMSK", Pipe::alu, {kDst, a_first(), in_b()}, {flag(75, M::w)}},

  OpcodeRow{0x026, Opcode::idp, "IDP", Pipe::fma_heavy,
    {kDst, a_first(), a_second(), a_third(negatable_unsigned)},
    {fixed(M::dp2a), field(77, 1, kDotHalf), field(73, 1, kDotType16), field(74, 1, kDotType8)}}.when({76, 1}, {1}),
  {0x026, Opcode::idp, "IDP", Pipe::fma_heavy,
    {kDst, a_first(), a_second(), a_third(negatable_unsigned)},
    {fixed(M::dp4a), field(73, 1, kDotType8), field(74, 1, kDotType8)}},

  OpcodeRow{0x00f, Opcode::vimnmx3, "VIMNMX3", Pipe::alu,
    {kDst, a_first(), a_second(), a_third(), kPq}, {field(72, 2, kVectorType), flag(76, M::relu)}}.on(kSm90),
  // On an H200 the FMA pipe counts VIADD beside FFMA and IMAD (tests/calibration/timing/ncu_h200_stalls.csv).
  OpcodeRow{0x036, Opcode::viadd, "VIADD", Pipe::fma_heavy,
    {kDst, a_first(), in_b(negatable_unsigned)}, {flag(73, M::b16x2)}}.on(kSm90),
  OpcodeRow{0x046, Opcode::viaddmnmx, "VIADDMNMX", Pipe::alu,
    {kDst, a_first(), a_second(negatable_unsigned), a_third(), kPq},
    {field(72, 2, kVectorType), flag(76, M::relu)}}.on(kSm90),
  OpcodeRow{0x048, Opcode::vimnmx, "VIMNMX", Pipe::alu,
    {kDst, kPu.optional().if_set(73), kPv.optional().if_set(73), a_first(), in_b(raw_signed), kPq}, {field(72, 2, kVectorType), flag(76, M::relu)}}.on(kSm90),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> integer_rows() { return kRows; }

}  // namespace gemmscope::isa
