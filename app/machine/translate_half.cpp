// Pairs of 16-bit floats. Compilers also use HFMA2 to set a register to a constant: -0 * 0 + constant.
#include "machine/translator.h"

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

// HFMA2 d, a, b, c; an immediate source is printed as two halves, the upper one first.
void hfma2(Translator& t) {
  t.use(LaneOp::hfma2);
  for (Modifier m :
       {Modifier::bf16_v2, Modifier::f32, Modifier::relu, Modifier::sat, Modifier::ftz, Modifier::fmz})
    if (t.has(m)) return t.unsupported("the machine has no such kind of HFMA2 yet");
  int bound = 0;
  for (size_t from = 0; from < t.source_count(); ++from) {
    if (bound == 3) return t.unsupported("it has too many operands");
    const Operand& operand = t.source(from);
    if (operand.is(OperandKind::real)) {
      if (from + 1 >= t.source_count()) return t.unsupported("half of its immediate is missing");
      const auto high = static_cast<uint32_t>(operand.value) & 0xffff,
                 low = static_cast<uint32_t>(t.source(++from).value) & 0xffff;
      t.bind_row(bound, t.constant_row(high << 16 | low));
    } else {
      const bool constant = operand.is(OperandKind::constant);
      t.bind_row(bound, constant ? t.constant_row(t.constant_word(operand, 0).value_or(0))
                                 : t.register_row(operand));
      const uint32_t how = static_cast<uint32_t>(pick_of(operand.part)) | (operand.negate ? kHalfNegate : 0) |
                           (operand.absolute ? kHalfAbsolute : 0);
      t.op().immediate |= how << (static_cast<uint32_t>(bound) * kHalfBits);
    }
    ++bound;
  }
}

}  // namespace

bool translate_half(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::hfma2:
    case Opcode::hfma2_mma:
      hfma2(t);
      return true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
