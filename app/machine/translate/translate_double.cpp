// 64-bit floating point.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Opcode;

void arithmetic(Translator& t, LaneOp lane_op, int sources) {
  t.use(lane_op);
  for (int i = 0; i < sources; ++i) t.bind_double(i, static_cast<size_t>(i));
  t.op().mode = static_cast<uint8_t>(rounding_of(t));
}

void dsetp(Translator& t) {
  t.use(LaneOp::dsetp);
  t.bind_double(0, 0);
  t.bind_double(1, 1);
  t.op().mode = float_compare_of(t);
  comparison_predicates(t, false);
}

}  // namespace

bool translate_double(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::dadd:
      return arithmetic(t, LaneOp::dadd, 2), true;
    case Opcode::dmul:
      return arithmetic(t, LaneOp::dmul, 2), true;
    case Opcode::dfma:
      return arithmetic(t, LaneOp::dfma, 3), true;
    case Opcode::dsetp:
      return dsetp(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
