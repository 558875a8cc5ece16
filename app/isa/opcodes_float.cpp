// float32 and float64 arithmetic.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kScale[8] = {M::invalid0, M::d8, M::d4, M::d2, M::none, M::m2, M::m4, M::m8};
constexpr M kDoubleCompare[16] = {M::min, M::lt,  M::eq,  M::le,  M::gt,  M::ne,  M::ge,  M::num,
                                  M::nan, M::ltu, M::equ, M::leu, M::gtu, M::neu, M::geu, M::max};
constexpr M kFunction[16] = {
    M::cos,  M::sin,  M::ex2,       M::lg2,       M::rcp,       M::rsq,       M::rcp64h,    M::rsq64h,
    M::sqrt, M::tanh, M::invalid10, M::invalid11, M::invalid12, M::invalid13, M::invalid14, M::invalid15};
constexpr M kFunctionType[4] = {M::none, M::f16, M::bf16, M::invalid3};

constexpr ModifierField kFtz = flag(80, M::ftz);
constexpr ModifierField kRound = field(kRoundingBits.first, kRoundingBits.width, kRounding);
constexpr ModifierField kSaturate = flag(77, M::sat);
// The latency of a float64 operation is fixed only on chips with full-rate float64 units and no queue before
// them.
constexpr ArchSet kQueuedF64 = kBeforeSm90;

// A MUFU of a 16-bit type may take the upper half; RCP64H and RSQ64H read the high word of a double.
void read_mufu_source(Instruction& mufu) {
  Operand& source = mufu.operands[1];
  if (source.is(OperandKind::real) && (mufu.has(M::rcp64h) || mufu.has(M::rsq64h)))
    source.real = RealFormat::f64_high;
  if (source.is(OperandKind::reg) && mufu.bits(72, 2) != 0 && mufu.bits(60, 2) == 1) source.part = Part::h1;
}

// clang-format off
constexpr OpcodeRow kRows[] = {
  {0x008, Opcode::fsel, "FSEL", Pipe::alu, {kDst, a_first(f32), in_b(f32), kPq}, {kFtz}},
  {0x009, Opcode::fmnmx, "FMNMX", Pipe::alu,
    {kDst, a_first(f32), in_b(f32), kPq}, {kFtz, flag(81, M::nan).on(kFromSm80), flag(82, M::xorsign).on(kFromSm86)}},
  {0x00a, Opcode::fset, "FSET", Pipe::alu,
    {kDst, a_first(f32), in_b(f32), kPq}, {fixed(M::bf), field(76, 4, kFloatCompare), kFtz, field(74, 2, kBoolean)}},
  {0x00b, Opcode::fsetp, "FSETP", Pipe::alu,
    {kPu, kPv, a_first(f32), in_b(f32), kPq}, {field(76, 4, kFloatCompare), kFtz, field(74, 2, kBoolean)}},
  {0x020, Opcode::fmul, "FMUL", Pipe::fma,
    {kDst, a_first(f32), in_b(f32)}, {field(kFtzFmzBits, kFtzFmz), field(84, 3, kScale), kRound, kSaturate}},
  {0x021, Opcode::fadd, "FADD", Pipe::fma, {kDst, a_first(f32), at(slot_b_adder, f32)}, {kFtz, kRound, kSaturate}},
  {0x023, Opcode::ffma, "FFMA", Pipe::fma,
    {kDst, a_first(f32), a_second(f32), a_third(f32)}, {field(kFtzFmzBits, kFtzFmz), kRound, kSaturate}},
  // Adds across the lanes of a quad.
  {0x022, Opcode::fswzadd, "FSWZADD", Pipe::fma,
    {kDst, kRegA, kRegC, at(lane_signs)}, {kFtz, kRound, flag(77, M::ndv)}},
  OpcodeRow{0x102, Opcode::fchk, "FCHK", Pipe::xu, {kPu, a_first(f32), in_b(f32)}, {}}.result_scoreboard(),
  OpcodeRow{0x108, Opcode::mufu, "MUFU", Pipe::xu,
    {kDst, in_b(f32)}, {field(74, 4, kFunction), flag(73, M::f16).on(kBeforeSm90), field(72, 2, kFunctionType).on(kSm90)}}
    .result_scoreboard().refined(read_mufu_source),

  OpcodeRow{0x028, Opcode::dmul, "DMUL", Pipe::fp64, {kDst, a_first(f64), in_b(f64)}, {kRound}}
    .result_scoreboard(kQueuedF64),
  // Computes a · 1 + c, so the addend is in the third source's place.
  OpcodeRow{0x029, Opcode::dadd, "DADD", Pipe::fp64, {kDst, a_first(f64), a_third(f64)}, {kRound}}
    .result_scoreboard(kQueuedF64),
  OpcodeRow{0x02a, Opcode::dsetp, "DSETP", Pipe::fp64,
    {kPu, kPv, a_first(f64), at(slot_b_adder, f64), kPq}, {field(76, 4, kDoubleCompare), field(74, 2, kBoolean)}}
    .result_scoreboard(kQueuedF64),
  OpcodeRow{0x02b, Opcode::dfma, "DFMA", Pipe::fp64,
    {kDst, a_first(f64), a_second(f64), a_third(f64)}, {kRound}}.result_scoreboard(kQueuedF64),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> float_rows() { return kRows; }

}  // namespace gemmscope::isa
