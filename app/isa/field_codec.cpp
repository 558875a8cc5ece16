#include "isa/field_codec.h"

namespace gemmscope::isa {

void FieldWriter::kind(Operand& operand, OperandKind kind) {
  if (operand.kind != OperandKind::none) {
    mismatched_ |= operand.kind != kind;
    return;
  }
  operand.kind = kind;
  if (kind == OperandKind::predicate || kind == OperandKind::uniform_predicate)
    operand.index = kPredicateTrue;
  if (kind == OperandKind::reg) operand.index = kRegisterZero;
  if (kind == OperandKind::uniform_reg) operand.index = kUniformZero;
}

void FieldWriter::put(uint64_t value, int first, int width) {
  if (width == 0) return;
  const Word ones = width >= 64 ? Word{~uint64_t{0}} : (Word{1} << width) - 1;
  const Word mask = ones << first;
  const Word word = ((Word{word_.hi} << 64 | word_.lo) & ~mask) | ((Word{value} << first) & mask);
  word_.lo = static_cast<uint64_t>(word);
  word_.hi = static_cast<uint64_t>(word >> 64);
  written_ |= mask;
}

}  // namespace gemmscope::isa
