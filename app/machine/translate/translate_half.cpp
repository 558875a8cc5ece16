// Pairs of 16-bit floats. Compilers also use HFMA2 to set a register to a constant: -0 * 0 + constant.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

HalfPick pick_of(isa::Part part) {
  switch (part) {
    case isa::Part::h0_h0:
      return HalfPick::low_twice;
    case isa::Part::h1_h1:
      return HalfPick::high_twice;
    case isa::Part::f32:
      return HalfPick::float32;
    default:
      return HalfPick::both;
  }
}

void set_pick(Translator& t, int row, const Operand& operand) {
  const uint32_t how = static_cast<uint32_t>(pick_of(operand.part)) | (operand.negate ? kHalfNegate : 0) |
                       (operand.absolute ? kHalfAbsolute : 0);
  t.op().immediate |= how << (static_cast<uint32_t>(row) * kHalfBits);
}

// Binds the sources, in printed order, to these sources of the micro-op. An immediate is printed as two
// halves, the upper one first.
void bind_halves(Translator& t, std::initializer_list<int> rows) {
  size_t from = 0;
  for (const int row : rows) {
    if (from >= t.source_count()) return t.unsupported("an operand is missing");
    const Operand& operand = t.source(from);
    const bool pair = operand.is(OperandKind::real) && from + 1 < t.source_count() &&
                      t.source(from + 1).is(OperandKind::real);
    const auto bits = [&t](size_t i) { return static_cast<uint32_t>(t.source(i).value) & 0xffff; };
    if (pair)
      t.bind_row(row, t.constant_row(bits(from) << 16 | bits(from + 1)));
    else if (operand.is(OperandKind::real))
      t.bind_row(row, t.constant_row(bits(from)));
    else
      t.bind_word(row, from);
    set_pick(t, row, operand);
    from += pair ? 2 : 1;
  }
  if (from != t.source_count()) t.unsupported("it has too many operands");
}

bool is_brain(const Translator& t) { return t.has(Modifier::bf16_v2); }

void format_and_flags(Translator& t) {
  if (is_brain(t)) t.op().immediate |= kHalfBrain;
  if (t.has(Modifier::relu)) t.op().immediate |= kHalfRelu;
  t.flag(kFlushDenormals, t.has(Modifier::ftz) || t.has(Modifier::fmz));
  t.flag(kZeroWins, t.has(Modifier::fmz));
  t.flag(kSaturate, t.has(Modifier::sat));
}
void no_f32(Translator& t) {
  if (t.has(Modifier::f32))
    t.unsupported("compilers do not emit its .F32 form, and what that does is not known");
}

void fused(Translator& t, std::initializer_list<int> rows) {
  t.use(LaneOp::hfma2);
  no_f32(t);
  format_and_flags(t);
  bind_halves(t, rows);
}
// HADD2 is a fused multiply-add whose b is 1 in each half.
void hadd2(Translator& t) {
  if (t.has(Modifier::f32)) {
    t.use(LaneOp::hadd2_f32);
    format_and_flags(t);
    return bind_halves(t, {0, 1});
  }
  fused(t, {0, 2});
  t.bind_row(1, t.constant_row(is_brain(t) ? 0x3f803f80 : 0x3c003c00));
}
// HMUL2 is a fused multiply-add whose c is -0 in each half, which changes no product.
void hmul2(Translator& t) {
  fused(t, {0, 1});
  t.bind_row(2, t.constant_row(0x80008000));
}
void hfma2(Translator& t) {
  fused(t, {0, 1, 2});
  constexpr int kPredicate = 87, kPredicateNegate = 90;
  const bool always = t.instruction().bits(kPredicate, 3) == isa::kPredicateTrue &&
                      t.instruction().bits(kPredicateNegate, 1) == 0;
  if (t.has(Modifier::relu) && !always)
    t.unsupported("HFMA2.RELU under a predicate of its own is not modelled");
}

void minmax(Translator& t) {
  t.use(LaneOp::hminmax2);
  no_f32(t);
  format_and_flags(t);
  bind_halves(t, {0, 1});
  t.flag(kHigh, t.has(Modifier::nan));
  t.flag(kWide, t.has(Modifier::xorsign));
  // .XORSIGN itself compares magnitudes and needs the signs, although the operands are printed with |…|.
  if (t.has(Modifier::xorsign)) t.op().immediate &= ~(kHalfAbsolute | kHalfAbsolute << kHalfBits);
  t.predicate_in(0, 87, 90, false);
}

void comparison(Translator& t, LaneOp lane_op) {
  t.use(lane_op);
  format_and_flags(t);
  bind_halves(t, {0, 1});
  t.op().mode = float_compare_of(t);
  t.op().combine = static_cast<uint8_t>(combine_of(t));
}
void hset2(Translator& t) {
  comparison(t, LaneOp::hset2);
  t.flag(kWide, t.has(Modifier::bf));
  t.predicate_in(0, 87, 90, false);
}
void hsetp2(Translator& t) {
  comparison(t, LaneOp::hsetp2);
  t.flag(kWide, t.has(Modifier::h_and));
  comparison_predicates(t, false);
}

}  // namespace

bool translate_half(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::hadd2:
      return hadd2(t), true;
    case Opcode::hmul2:
      return hmul2(t), true;
    case Opcode::hfma2:
    case Opcode::hfma2_mma:
      return hfma2(t), true;
    case Opcode::hmnmx2:
      return minmax(t), true;
    case Opcode::hset2:
      return hset2(t), true;
    case Opcode::hsetp2:
      return hsetp2(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
