// Pairs of 16-bit floats in one register.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kComparedType[4] = {M::none, M::none, M::bf16_v2, M::none};
constexpr M kProductType[4] = {M::none, M::f32, M::bf16_v2, M::invalid3};
constexpr M kSumType[4] = {M::none, M::f32, M::bf16_v2, M::f32};

constexpr ModifierField kBrain = flag(85, M::bf16_v2);
constexpr ModifierField kFtz = flag(80, M::ftz);
constexpr ModifierField kFlush = field(kFtzFmzBits, kFtzFmz);
constexpr ModifierField kSaturate = flag(77, M::sat);

// HADD2.F32 widens one half, so its immediate is one number, the low half.
void keep_one_half(Instruction& add) {
  const int pair = add.operand_count - 2;
  if (!add.has(M::f32) || pair < 0 || !add.operands[pair].is(OperandKind::real)) return;
  add.operands[pair] = add.operands[pair + 1];
  --add.operand_count;
}

// clang-format off
constexpr OpcodeRow kHfma2{0x031, Opcode::hfma2, "HFMA2", Pipe::fp16,
    {kDst, a_first(half), a_second(half), a_third(half), kPq.optional().if_set(79).on(kFromSm80)},
    {flag(78, M::f32).on(kSm75), field({78, 1, 85, 1}, kProductType).on(kFromSm80), kFlush,
     flag(79, M::relu).on(kFromSm80), kSaturate}};

constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x030, Opcode::hadd2, "HADD2", Pipe::fp16,
    {kDst, a_first(half), at(slot_b_adder, half)},
    {flag(78, M::f32).on(kBeforeSm90), field({78, 1, 85, 1}, kSumType).on(kSm90), kFtz, kSaturate}}
    .refined(keep_one_half),
  kHfma2,
  {0x032, Opcode::hmul2, "HMUL2", Pipe::fp16,
    {kDst, a_first(half), in_b(half)}, {kBrain.on(kSm90), flag(78, M::f32).on(kBeforeSm90), kFlush, kSaturate}},
  {0x033, Opcode::hset2, "HSET2", Pipe::fp16,
    {kDst, a_first(half), at(slot_b_adder, half), kPq},
    {field(64, 2, kComparedType).on(kSm90), flag(71, M::bf), field(76, 4, kFloatCompare), kFtz,
     field(69, 2, kBoolean)}},
  {0x034, Opcode::hsetp2, "HSETP2", Pipe::fp16,
    {kPu, kPv, a_first(half), at(slot_b_adder, half), kPq},
    {field(64, 2, kComparedType).on(kSm90), field(76, 4, kFloatCompare), kFtz, flag(71, M::h_and),
     field(69, 2, kBoolean)}},
  // Grouped with the multiply-adds (an H200's counters put it in the tensor pipe); compilers also use it to
  // set two registers' halves, or to clear them.
  OpcodeRow{0x035, Opcode::hfma2_mma, "HFMA2", Pipe::fma,
    {kDst, a_first(half_whole), a_second(half_whole), a_third(half_whole), kPq.optional().if_set(79)},
    {fixed(M::mma), kBrain, kFlush, flag(79, M::relu), kSaturate}}
    .on(kFromSm80),
  OpcodeRow{0x040, Opcode::hmnmx2, "HMNMX2", Pipe::fp16,
    {kDst, a_first(half), in_b(half), kPq},
    {field({78, 1, 85, 1}, kProductType).on(kSm80ToSm89), kBrain.on(kSm90), kFtz, flag(81, M::nan), flag(82, M::xorsign).on(kFromSm86)}}.on(kFromSm80),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> half_rows() { return kRows; }

}  // namespace gemmscope::isa
