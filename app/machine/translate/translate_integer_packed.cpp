// Integers in halves and bytes of a register, minima and maxima of sums, dot products.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;

// Binds a source without its minus and returns whether it has one: the lane function applies it to each half.
bool bind_unsigned(Translator& t, int i, size_t from) {
  t.bind_integer(i, from);
  SourceModifier& modifier = t.op().modifier[static_cast<size_t>(i)];
  const bool negate = modifier == SourceModifier::negate;
  if (negate) modifier = SourceModifier::none;
  return negate;
}

void vadd2(Translator& t) {
  t.use(LaneOp::vadd2);
  t.bind_integer(0, 0);
  t.flag(kRight, bind_unsigned(t, 1, 1));
}

void minmax(Translator& t, size_t sources) {
  t.use(LaneOp::vminmax);
  t.bind_integer(0, 0);
  const bool negate = bind_unsigned(t, 1, 1);
  if (sources > 2) t.bind_integer(2, 2);
  t.op().mode = static_cast<uint8_t>(t.instruction().bits(72, 2));
  t.flag(kRight, negate);
  t.flag(kSaturate, t.has(Modifier::relu));
  t.predicate_in(0, 87, 90, false);
}

void dot(Translator& t) {
  const bool halves = t.has(Modifier::dp2a);
  t.use(halves ? LaneOp::idp2a : LaneOp::idp4a);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  t.op().mode = static_cast<uint8_t>(t.instruction().bits(73, 2));
  t.flag(kHigh, halves && t.has(Modifier::hi));
}

void difference(Translator& t, LaneOp lane_op) {
  t.use(lane_op);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  t.flag(kSigned, t.instruction().bits(73, 1) != 0);
  t.flag(kWide, t.has(Modifier::acc));
  if (t.instruction().bits(81, 3) != isa::kPredicateTrue)
    t.unsupported("the machine does not know what the predicate of an absolute difference means");
}

// PLOP3 Pu, Pv, a.SIGN, b.SIGN, c.SIGN, table, table.
void plop3_sign(Translator& t) {
  if (t.source_count() < 5) return t.unsupported("an operand is missing");
  t.use(LaneOp::plop3_sign);
  for (int i = 0; i < 3; ++i) t.bind_row(i, t.register_row(t.source(static_cast<size_t>(i))));
  t.op().mode = static_cast<uint8_t>(t.source(3).value);
  t.op().immediate = static_cast<uint32_t>(t.source(4).value);
  t.predicate_out(0, 81, false);
  t.predicate_out(1, 84, false);
}

}  // namespace

bool translate_integer_packed(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::viadd:
      if (!t.has(Modifier::b16x2)) return false;
      return vadd2(t), true;
    case Opcode::vimnmx:
      if (t.instruction().bits(72, 2) < 2 && !t.has(Modifier::relu)) return false;
      return minmax(t, 2), true;
    case Opcode::vimnmx3:
      minmax(t, 3);
      t.flag(kWide, true);
      return true;
    case Opcode::viaddmnmx:
      minmax(t, 3);
      t.flag(kHigh, true);
      return true;
    case Opcode::idp:
      return dot(t), true;
    case Opcode::vabsdiff:
      return difference(t, LaneOp::vabsdiff), true;
    case Opcode::vabsdiff4:
      return difference(t, LaneOp::vabsdiff4), true;
    case Opcode::plop3_sign:
      return plop3_sign(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
