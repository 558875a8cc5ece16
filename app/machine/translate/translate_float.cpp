// 32-bit floating point and the function unit.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;

void rounding_and_flags(Translator& t) {
  t.op().mode = static_cast<uint8_t>(rounding_of(t));
  t.flag(kFlushDenormals, t.has(Modifier::ftz) || t.has(Modifier::fmz));
  t.flag(kZeroWins, t.has(Modifier::fmz));
  t.flag(kSaturate, t.has(Modifier::sat));
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
  // .XORSIGN itself compares magnitudes and needs the signs, although the operands are printed with |…|.
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
  t.bind_word(0, 0);
  if (t.source_count() == 0) return;
  t.op().modifier[0] = float_sign(t.source(0));
  t.op().combine = t.source(0).part == isa::Part::h1 ? 16 : 0;
  const FloatFormat format = t.has(Modifier::f16)    ? FloatFormat::f16
                             : t.has(Modifier::bf16) ? FloatFormat::bf16
                                                     : FloatFormat::f32;
  t.op().immediate = static_cast<uint32_t>(format) << kConvertSourceBits;
  const std::pair<Modifier, MufuFunction> functions[] = {
      {Modifier::cos, MufuFunction::cos},       {Modifier::sin, MufuFunction::sin},
      {Modifier::ex2, MufuFunction::ex2},       {Modifier::lg2, MufuFunction::lg2},
      {Modifier::rcp, MufuFunction::rcp},       {Modifier::rsq, MufuFunction::rsq},
      {Modifier::rcp64h, MufuFunction::rcp64h}, {Modifier::rsq64h, MufuFunction::rsq64h},
      {Modifier::sqrt, MufuFunction::sqrt},     {Modifier::tanh, MufuFunction::tanh}};
  for (const auto& [modifier, function] : functions)
    if (t.has(modifier)) t.op().mode = static_cast<uint8_t>(function);
}

}  // namespace

bool translate_float(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::fadd:
      return arithmetic(t, LaneOp::fadd, 2), true;
    case Opcode::fmul:
      return fmul(t), true;
    case Opcode::ffma:
      return arithmetic(t, LaneOp::ffma, 3), true;
    case Opcode::fmnmx:
      return minmax(t), true;
    case Opcode::fsel:
      return select(t), true;
    case Opcode::mufu:
      return mufu(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
