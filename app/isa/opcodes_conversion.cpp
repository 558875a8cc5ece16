// Conversions between number formats.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kFormat[8] = {M::invalid0, M::f16,      M::f32,      M::f64,
                          M::bf16,     M::invalid5, M::invalid6, M::invalid7};
// The defaults float32 and S32 print nothing.
constexpr M kFormatOrF32[8] = {M::invalid0, M::f16,      M::none,     M::f64,
                               M::bf16,     M::invalid5, M::invalid6, M::invalid7};
constexpr M kF2iType[8] = {M::u8, M::u16, M::u32, M::u64, M::s8, M::s16, M::none, M::s64};  // size, then sign
constexpr M kI2fType[8] = {M::u8, M::u16, M::u32, M::u64, M::s8, M::s16, M::none, M::s64};
constexpr M kNarrowInteger[4] = {M::u8, M::s8, M::u16, M::s16};
constexpr M kI2fpFormat[8] = {M::invalid0, M::invalid1, M::f32,      M::invalid3,
                              M::invalid4, M::invalid5, M::invalid6, M::invalid7};
constexpr M kI2fpType[8] = {M::invalid0, M::invalid1, M::invalid2, M::invalid3,  // sign, then size
                            M::u32,      M::s32,      M::invalid6, M::invalid7};
constexpr M kTowardsZero[4] = {M::none, M::invalid1, M::invalid2, M::rz};
constexpr M kPackedFormat[4] = {M::f16, M::bf16, M::e5m2, M::e4m3};  // bits 76 and 87
constexpr M kUnpackedFormat[4] = {M::invalid0, M::invalid1, M::e5m2, M::e4m3};

constexpr ModifierField kFtz = flag(80, M::ftz);
constexpr ModifierField kRound = field(kRoundingBits.first, kRoundingBits.width, kRounding);
constexpr ModifierField kRoundToInteger = field(78, 2, kIntegerRounding);

// A format has two bits on sm_75, and three from sm_80 on, which added BF16.
constexpr BitField kFormat2At75{75, 2}, kFormat3At75{75, 3}, kFormat2At84{84, 2}, kFormat3At84{84, 3};

constexpr int kFormatF16 = 1, kFormatF64 = 3, kFormatBf16 = 4;

int format_at(const Instruction& word, int first) {
  return static_cast<int>(word.bits(first, word.arch == Arch::sm_75 ? 2 : 3));
}

void read_float_source(Operand& source, const Instruction& word, int format) {
  constexpr Part kHalves[4] = {Part::whole, Part::h1, Part::invalid2, Part::invalid3};
  const bool sixteen_bits = format == kFormatF16 || format == kFormatBf16;
  if (sixteen_bits && !source.is(OperandKind::real)) source.part = kHalves[word.bits(60, 2)];
  if (format == kFormatF64 && source.is(OperandKind::real)) source.real = RealFormat::f64_high;
}

void read_f2f_source(Instruction& word) {
  const int format = format_at(word, 84);
  if (format != kFormatF64) read_float_source(word.operands[1], word, format);
}
void read_f2i_source(Instruction& word) { read_float_source(word.operands[1], word, format_at(word, 84)); }
void read_frnd_source(Instruction& word) { read_float_source(word.operands[1], word, format_at(word, 75)); }

// I2F of a byte or a half selects it from the register.
void read_i2f_source(Instruction& word) {
  constexpr Part kBytes[4] = {Part::whole, Part::b1, Part::b2, Part::b3};
  constexpr Part kHalves[4] = {Part::whole, Part::h1, Part::whole, Part::whole};
  Operand& source = word.operands[1];
  if (source.is(OperandKind::integer)) return;
  const uint64_t size = word.bits(84, 2), part = word.bits(60, 2);
  if (size == 0) source.part = kBytes[part];
  if (size == 1) source.part = kHalves[part];
}

constexpr M kPackedByte[2] = {M::u8, M::s8};

// clang-format off
constexpr OpcodeRow kF2f{0x104, Opcode::f2f, "F2F", Pipe::xu, {kDst, in_b(f32)},
    {kFtz, field(kFormat2At75, kFormat).on(kSm75), field(kFormat3At75, kFormat).on(kFromSm80),
     field(kFormat2At84, kFormat).on(kSm75), field(kFormat3At84, kFormat).on(kFromSm80), kRound}};
constexpr OpcodeRow kF2i{0x105, Opcode::f2i, "F2I", Pipe::xu, {kDst, in_b(f32)},
    {kFtz, field({75, 2, 72, 1}, kF2iType), field(kFormat2At84, kFormatOrF32).on(kSm75),
     field(kFormat3At84, kFormatOrF32).on(kFromSm80), kRoundToInteger, flag(77, M::ntz)}};
constexpr OpcodeRow kI2f{0x106, Opcode::i2f, "I2F", Pipe::xu, {kDst, in_b()},
    {field(kFormat2At75, kFormatOrF32).on(kSm75), field(kFormat3At75, kFormatOrF32).on(kFromSm80),
     field({84, 2, 74, 1}, kI2fType), kRound}};
constexpr OpcodeRow kFrnd{0x107, Opcode::frnd, "FRND", Pipe::xu, {kDst, in_b(f32)},
    {kFtz, field(kFormat2At75, kFormatOrF32).on(kSm75), field(kFormat3At75, kFormatOrF32).on(kFromSm80),
     kRoundToInteger}};

// Makes the row of the same conversion with a 64-bit type.
constexpr OpcodeRow wide(OpcodeRow row, uint16_t opcode9) { row.opcode9 = opcode9; return row; }

constexpr OpcodeRow kF2fRow = kF2f.result_scoreboard().refined(read_f2f_source);
constexpr OpcodeRow kF2iRow = kF2i.result_scoreboard().refined(read_f2i_source);
constexpr OpcodeRow kI2fRow = kI2f.result_scoreboard().refined(read_i2f_source);
constexpr OpcodeRow kFrndRow = kFrnd.result_scoreboard().refined(read_frnd_source);

constexpr OperandSpec kMerged = kRegC.part({72, 1}, kUpperHalf);
constexpr ModifierField kPackRounding = field(79, 2, kTowardsZero);

constexpr OpcodeRow kRows[] = {
  kF2fRow, wide(kF2fRow, 0x110),
  kF2iRow, wide(kF2iRow, 0x111),
  kI2fRow, wide(kI2fRow, 0x112),
  kFrndRow, wide(kFrndRow, 0x113),
  {0x038, Opcode::i2i, "I2I", Pipe::alu, {kDst, in_b()}, {field(76, 2, kNarrowInteger), fixed(M::s32), fixed(M::sat)}},
  OpcodeRow{0x045, Opcode::i2fp, "I2FP", Pipe::alu,
    {kDst, in_b()}, {field(75, 3, kI2fpFormat), field({74, 1, 84, 2}, kI2fpType), field(78, 2, kTowardsZero)}}
    .on(kFromSm86),

  // Converts two floats into one register, or one into a half of C (bit 78). Types are printed from sm_89
  // on, which has FP8.
  OpcodeRow{0x043, Opcode::f2ip, "F2IP", Pipe::alu, {kDst, a_first(), in_b(), kRegC},
    {field(76, 1, kPackedByte), fixed(M::f32), field(78, 2, kIntegerRounding), flag(74, M::ntz)}}.on(kFromSm80),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, in_b(), kMerged},
    {flag(77, M::satfinite), flag(75, M::relu), flag(76, M::bf16), fixed(M::merge_c), kPackRounding}}
    .on(kSm80ToSm86).when({78, 1}, {1}),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, a_first(), in_b()},
    {flag(77, M::satfinite), flag(75, M::relu), flag(76, M::bf16), fixed(M::pack_ab), kPackRounding}}.on(kSm80ToSm86),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, in_b()},
    {flag(75, M::relu), fixed(M::tf32), fixed(M::f32), fixed(M::pack_b), kPackRounding}}
    .on(kSm90).when({78, 1, 89, 1}, {3}),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, in_b(), kMerged},
    {flag(77, M::satfinite), flag(75, M::relu), field({76, 1, 87, 1}, kPackedFormat), fixed(M::f16),
     fixed(M::unpack_b_merge_c)}}.on(kFromSm89).when({73, 1, 90, 1}, {3}),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, a_first(), in_b(), kMerged},
    {flag(77, M::satfinite), flag(75, M::relu), field({76, 1, 87, 1}, kPackedFormat), fixed(M::f32),
     fixed(M::pack_ab_merge_c), kPackRounding}}.on(kFromSm89).when({78, 1, 90, 1}, {3}),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, in_b(), kMerged},
    {flag(77, M::satfinite), flag(75, M::relu), field({76, 1, 87, 1}, kPackedFormat), fixed(M::f32), fixed(M::merge_c),
     kPackRounding}}.on(kFromSm89).when({78, 1}, {1}),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, in_b().part({88, 1}, kUpperHalf)},
    {flag(75, M::relu), fixed(M::f16), field(73, 2, kUnpackedFormat), fixed(M::unpack_b), kPackRounding}}
    .on(kFromSm89).when({89, 1}, {1}),
  OpcodeRow{0x03e, Opcode::f2fp, "F2FP", Pipe::alu, {kDst, a_first(), in_b()},
    {flag(77, M::satfinite), flag(75, M::relu), field({76, 1, 87, 1}, kPackedFormat), fixed(M::f32), fixed(M::pack_ab),
     kPackRounding}}.on(kFromSm89),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> conversion_rows() { return kRows; }

}  // namespace gemmscope::isa
