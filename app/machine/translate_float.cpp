// 32-bit floating point and its conversions.
#include "machine/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;

void rounding_and_flags(Translator& t) {
  const Rounding mode = t.has(Modifier::rm)   ? Rounding::down
                        : t.has(Modifier::rp) ? Rounding::up
                        : t.has(Modifier::rz) ? Rounding::zero
                                              : Rounding::nearest;
  t.op().mode = static_cast<uint8_t>(mode);
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
  t.flag(kSaturate, t.has(Modifier::sat));
  if (t.has(Modifier::fmz)) t.unsupported("the machine does not model .FMZ");
}

void arithmetic(Translator& t, LaneOp lane_op, int sources) {
  t.use(lane_op);
  for (int i = 0; i < sources; ++i) t.bind_float(i, static_cast<size_t>(i));
  rounding_and_flags(t);
}

void fmul(Translator& t) {
  arithmetic(t, LaneOp::fmul, 2);
  const std::pair<Modifier, float> scales[] = {{Modifier::d8, 0.125f}, {Modifier::d4, 0.25f},
                                               {Modifier::d2, 0.5f},   {Modifier::m2, 2.0f},
                                               {Modifier::m4, 4.0f},   {Modifier::m8, 8.0f}};
  for (const auto& [modifier, factor] : scales)
    if (t.has(modifier)) t.op().immediate = __builtin_bit_cast(uint32_t, factor);
}

void minmax(Translator& t) {
  t.use(LaneOp::fminmax);
  t.bind_float(0, 0);
  t.bind_float(1, 1);
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
  t.flag(kHigh, t.has(Modifier::nan));
  t.flag(kWide, t.has(Modifier::xorsign));
  // .XORSIGN compares magnitudes by itself and needs the signs; its bars are printed all the same.
  for (size_t i = 0; i < 2 && t.has(Modifier::xorsign); ++i) {
    SourceModifier& modifier = t.op().modifier[i];
    if (modifier == SourceModifier::float_absolute) modifier = SourceModifier::none;
    if (modifier == SourceModifier::float_negative_absolute) modifier = SourceModifier::float_negate;
  }
  t.predicate_in(0, 87, 90, false);
}

void select(Translator& t) {
  t.use(LaneOp::sel);
  t.bind_float(0, 0);
  t.bind_float(1, 1);
  t.predicate_in(0, 87, 90, false);
}

void mufu(Translator& t) {
  t.use(LaneOp::mufu);
  t.bind_float(0, 0);
  if (t.has(Modifier::f16) || t.has(Modifier::bf16)) t.unsupported("the machine has no 16-bit MUFU yet");
  const std::pair<Modifier, MufuFunction> functions[] = {
      {Modifier::cos, MufuFunction::cos},       {Modifier::sin, MufuFunction::sin},
      {Modifier::ex2, MufuFunction::ex2},       {Modifier::lg2, MufuFunction::lg2},
      {Modifier::rcp, MufuFunction::rcp},       {Modifier::rsq, MufuFunction::rsq},
      {Modifier::rcp64h, MufuFunction::rcp64h}, {Modifier::rsq64h, MufuFunction::rsq64h},
      {Modifier::sqrt, MufuFunction::sqrt},     {Modifier::tanh, MufuFunction::tanh}};
  for (const auto& [modifier, function] : functions)
    if (t.has(modifier)) t.op().mode = static_cast<uint8_t>(function);
}

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

bool other_float_type(const Translator& t) {
  return t.has(Modifier::f64) || t.has(Modifier::f16) || t.has(Modifier::bf16);
}

void int_to_float(Translator& t) {
  const IntegerType type = integer_type(t);
  t.use(LaneOp::i2f);
  if (other_float_type(t))
    return t.unsupported("the machine converts integers to 32-bit floats only, for now");
  if (type.bits == 64) {
    t.bind_pair(0, 1, 0);
  } else if (t.source_count() > 0) {
    t.bind_row(0, t.source(0).is(isa::OperandKind::reg) || t.source(0).is(isa::OperandKind::uniform_reg)
                      ? t.register_row(t.source(0))
                      : t.constant_row(t.source(0).is(isa::OperandKind::constant)
                                           ? t.constant_word(t.source(0), 0).value_or(0)
                                           : static_cast<uint32_t>(t.source(0).value)));
    switch (t.source(0).part) {
      case isa::Part::b1:
        t.op().combine = 8;
        break;
      case isa::Part::b2:
      case isa::Part::h1:
        t.op().combine = 16;
        break;
      case isa::Part::b3:
        t.op().combine = 24;
        break;
      default:
        break;
    }
  }
  rounding_and_flags(t);
  t.flag(kSigned, type.is_signed);
  t.op().immediate = type.bits;
}

void float_to_int(Translator& t) {
  const IntegerType type = integer_type(t);
  t.use(LaneOp::f2i);
  if (other_float_type(t))
    return t.unsupported("the machine converts 32-bit floats to integers only, for now");
  t.bind_float(0, 0);
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
  t.flag(kSigned, type.is_signed);
  t.op().immediate = type.bits;
  t.op().mode = t.has(Modifier::floor) ? 1 : t.has(Modifier::ceil) ? 2 : t.has(Modifier::trunc) ? 3 : 0;
}

}  // namespace

bool translate_float(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::fadd:
      arithmetic(t, LaneOp::fadd, 2);
      return true;
    case Opcode::fmul:
      fmul(t);
      return true;
    case Opcode::ffma:
      arithmetic(t, LaneOp::ffma, 3);
      return true;
    case Opcode::fmnmx:
      minmax(t);
      return true;
    case Opcode::fsel:
      select(t);
      return true;
    case Opcode::mufu:
      mufu(t);
      return true;
    case Opcode::i2f:
    case Opcode::i2fp:
      int_to_float(t);
      return true;
    case Opcode::f2i:
      float_to_int(t);
      return true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
