// Conversions between number formats. The first modifier names the target, the next one the source; a
// default, float32 or S32, is not printed.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Part;

struct IntegerType {
  uint32_t bits;
  bool is_signed;
};
IntegerType integer_type(const Translator& t) {
  const std::pair<Modifier, IntegerType> types[] = {
      {Modifier::u8, {8, false}},  {Modifier::s8, {8, true}},    {Modifier::u16, {16, false}},
      {Modifier::s16, {16, true}}, {Modifier::u32, {32, false}}, {Modifier::u64, {64, false}},
      {Modifier::s64, {64, true}}};
  for (const auto& [modifier, type] : types)
    if (t.has(modifier)) return type;
  return {32, true};
}

// The format that the n-th modifier of a float format names (counted from 0), or float32.
FloatFormat format_of(const Translator& t, int n) {
  const std::pair<Modifier, FloatFormat> formats[] = {
      {Modifier::f16, FloatFormat::f16},   {Modifier::f32, FloatFormat::f32},
      {Modifier::f64, FloatFormat::f64},   {Modifier::bf16, FloatFormat::bf16},
      {Modifier::e4m3, FloatFormat::e4m3}, {Modifier::e5m2, FloatFormat::e5m2},
      {Modifier::tf32, FloatFormat::tf32}};
  const isa::Instruction& ins = t.instruction();
  for (size_t i = 0; i < ins.modifier_count; ++i)
    for (const auto& [modifier, format] : formats)
      if (ins.modifiers[i] == modifier && n-- == 0) return format;
  return FloatFormat::f32;
}

void set_formats(Translator& t, FloatFormat source, FloatFormat target) {
  t.op().immediate |= static_cast<uint32_t>(source) << kConvertSourceBits | static_cast<uint32_t>(target)
                                                                                << kConvertTargetBits;
}

uint8_t first_bit(Part part) {
  switch (part) {
    case Part::b1:
      return 8;
    case Part::b2:
    case Part::h1:
      return 16;
    case Part::b3:
      return 24;
    default:
      return 0;
  }
}

void bind_real(Translator& t, FloatFormat format) {
  if (t.source_count() == 0) return t.unsupported("an operand is missing");
  const isa::Operand& operand = t.source(0);
  if (format == FloatFormat::f64) return t.bind_double(0, 0);
  t.bind_word(0, 0);
  t.op().modifier[0] = float_sign(operand);
  t.op().combine = first_bit(operand.part);
}

uint8_t whole_number_mode(const Translator& t) {
  return t.has(Modifier::floor) ? 1 : t.has(Modifier::ceil) ? 2 : t.has(Modifier::trunc) ? 3 : 0;
}

void float_to_float(Translator& t) {
  t.use(LaneOp::f2f);
  const FloatFormat target = format_of(t, 0), source = format_of(t, 1);
  bind_real(t, source);
  set_formats(t, source, target);
  t.op().mode = static_cast<uint8_t>(rounding_of(t));
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
}

void to_whole_number(Translator& t) {
  t.use(LaneOp::frnd);
  const FloatFormat format = format_of(t, 0);
  bind_real(t, format);
  set_formats(t, format, format);
  t.op().mode = whole_number_mode(t);
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
}

void int_to_float(Translator& t) {
  t.use(LaneOp::i2f);
  if (t.source_count() == 0) return t.unsupported("an operand is missing");
  const IntegerType type = integer_type(t);
  if (type.bits == 64) {
    t.bind_pair(0, 1, 0);
  } else {
    t.bind_word(0, 0);
    t.op().combine = first_bit(t.source(0).part);
  }
  t.flag(kSigned, type.is_signed);
  t.op().immediate = type.bits;
  set_formats(t, FloatFormat::f32, format_of(t, 0));
  t.op().mode = static_cast<uint8_t>(rounding_of(t));
}

void float_to_int(Translator& t) {
  t.use(LaneOp::f2i);
  const IntegerType type = integer_type(t);
  const FloatFormat source = format_of(t, 0);
  bind_real(t, source);
  t.op().immediate = type.bits;
  set_formats(t, source, FloatFormat::f32);
  t.flag(kSigned, type.is_signed);
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
  t.op().mode = whole_number_mode(t);
}

// F2IP d, a, b, c packs two bytes and a half of c. Compilers use it with one number only; where it puts the
// others is not known.
void float_to_byte(Translator& t) {
  t.use(LaneOp::f2i);
  const auto zero = [&t](size_t i) {
    return t.source_count() == 3 && t.source(i).is(isa::OperandKind::reg) &&
           t.source(i).index == isa::kRegisterZero;
  };
  constexpr int kFirstFlag = 72, kFlags = 19;
  constexpr uint64_t kKnownFlags = 1u << (74 - kFirstFlag) | 3u << (78 - kFirstFlag);
  if (!zero(0) || !zero(2) || (t.instruction().bits(kFirstFlag, kFlags) & ~kKnownFlags) != 0)
    return t.unsupported("the machine knows F2IP with one source only");
  t.bind_float(0, 1);
  t.op().immediate = 8;
  t.op().mode = whole_number_mode(t);
}

void int_to_narrow_int(Translator& t) {
  t.use(LaneOp::i2i);
  const IntegerType type = integer_type(t);
  if (type.bits > 16) return t.unsupported("the machine narrows to 8 and 16 bits only");
  t.bind_word(0, 0);
  t.flag(kSigned, type.is_signed);
  t.op().immediate = type.bits;
}

// Binds the sources of a packing. They are printed as a, b, c; as b, c; or as b alone.
void bind_packed(Translator& t, bool has_a, bool has_c) {
  size_t from = 0;
  if (has_a) t.bind_word(0, from++);
  t.bind_word(1, from);
  if (from < t.source_count() && t.source(from).part == Part::h1) t.op().immediate |= kPackFromHigh;
  if (!has_c) return;
  t.bind_word(2, ++from);
  if (from < t.source_count() && t.source(from).part == Part::h1) t.op().immediate |= kPackMergeHigh;
}

void pack_floats(Translator& t) {
  t.use(LaneOp::f2fp);
  const bool one = t.has(Modifier::merge_c) || t.has(Modifier::pack_b);
  const bool pair = t.has(Modifier::unpack_b) || t.has(Modifier::unpack_b_merge_c);
  const bool merges =
      t.has(Modifier::merge_c) || t.has(Modifier::pack_ab_merge_c) || t.has(Modifier::unpack_b_merge_c);
  bind_packed(t, !one && !pair, merges);
  // Before sm_89 no format except BF16 is printed.
  const bool typed = t.instruction().arch >= isa::Arch::sm_89;
  const FloatFormat plain = t.has(Modifier::bf16) ? FloatFormat::bf16 : FloatFormat::f16;
  set_formats(t, typed ? format_of(t, 1) : FloatFormat::f32, typed ? format_of(t, 0) : plain);
  t.op().immediate |= (one ? 0 : kPackTwo) | (pair ? kPackFromPair : 0) | (merges ? kPackMerge : 0) |
                      (t.has(Modifier::relu) ? kPackRelu : 0) |
                      (t.has(Modifier::satfinite) ? kPackFinite : 0);
  t.op().mode = static_cast<uint8_t>(rounding_of(t));
}

}  // namespace

bool translate_convert(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::f2f:
      return float_to_float(t), true;
    case Opcode::frnd:
      return to_whole_number(t), true;
    case Opcode::i2f:
    case Opcode::i2fp:
      return int_to_float(t), true;
    case Opcode::f2i:
      return float_to_int(t), true;
    case Opcode::f2ip:
      return float_to_byte(t), true;
    case Opcode::i2i:
      return int_to_narrow_int(t), true;
    case Opcode::f2fp:
      return pack_floats(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
