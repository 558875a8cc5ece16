// Integer arithmetic, logic and moves, also on the uniform datapath: a uniform register is a row of 32 equal
// lanes, so one lane function serves both.
#include <algorithm>
#include <array>

#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;

bool is_uniform(const Translator& t) { return t.instruction().guard.uniform; }

// Additions of addresses have faster functions, which ignore modifiers and every carry except their own.
LaneOp add_form(MicroOp& op) {
  const auto is_false = [&op](size_t i) { return op.predicate_in[i] % 8 == 7 && op.predicate_in_negate[i]; };
  const bool plain = op.modifier == std::array<SourceModifier, 4>{} && op.immediate == 0;
  const bool carries_in = (op.flags & kCarryIn) != 0, carries_out = op.predicate_out[0] != kTrashPredicate;
  if (!plain || op.predicate_out[1] != kTrashPredicate || (carries_in && carries_out)) return LaneOp::iadd3;
  if (!carries_in && !carries_out) return LaneOp::iadd3_plain;
  // The other fast functions add two sources: one of the three must be zero.
  const auto zero = std::find(op.source.begin(), op.source.begin() + 3, kZeroRow);
  if (zero == op.source.begin() + 3 || (carries_in && !is_false(1))) return LaneOp::iadd3;
  std::rotate(zero, zero + 1, op.source.begin() + 3);
  return carries_in ? LaneOp::iadd3_high : LaneOp::iadd3_low;
}

// A negated addend of IADD3 enters as its complement, and its +1 goes to the immediate. So the carries are
// those of the hardware.
void iadd3(Translator& t) {
  for (int i = 0; i < 3; ++i) {
    t.bind_integer(i, static_cast<size_t>(i));
    SourceModifier& modifier = t.op().modifier[static_cast<size_t>(i)];
    if (modifier == SourceModifier::negate) {
      modifier = SourceModifier::bit_not;
      ++t.op().immediate;
    }
  }
  t.flag(kCarryIn, t.has(Modifier::x));
  t.predicate_in(0, 87, 90, is_uniform(t));
  t.predicate_in(1, 77, 80, is_uniform(t));
  t.predicate_out(0, 81, is_uniform(t));
  t.predicate_out(1, 84, is_uniform(t));
  t.use(add_form(t.op()));
}

// UIADD3.64 adds pairs of uniform registers.
void iadd3_wide(Translator& t) {
  t.use(LaneOp::iadd3_wide);
  for (size_t i = 0; i < 3; ++i) {
    if (i >= t.source_count()) return t.unsupported("an operand is missing");
    const Operand& operand = t.source(i);
    const bool is_number = operand.is(isa::OperandKind::integer);
    if (is_number && static_cast<int32_t>(operand.value) < 0)
      return t.unsupported("the machine does not know whether this number has a sign");
    t.bind_row(static_cast<int>(i), is_number ? t.constant_pair_row(static_cast<uint32_t>(operand.value), 0)
                                              : t.register_row(operand));
    t.op().mode |= static_cast<uint8_t>(operand.negate ? 1u << i : 0u);
  }
}

void viadd(Translator& t) {
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  t.use(add_form(t.op()));
}

// Printed order: LEA a, b, n; LEA.HI a, b, c, n, with b and c exchanged in the forms whose slot B comes last.
void lea(Translator& t) {
  t.use(LaneOp::lea);
  const bool high = t.has(Modifier::hi), sign = t.has(Modifier::sx32), three = high && !sign;
  const uint8_t form = t.instruction().form;
  const bool exchanged = three && (form == 2 || form == 3 || form == 7);
  const size_t b = exchanged ? 2 : 1, c = exchanged ? 1 : 2, n = three ? 3 : 2;
  t.bind_integer(0, 0);
  t.bind_integer(1, b);
  if (three) t.bind_integer(2, c);
  if (t.source_count() <= n) return t.unsupported("an operand is missing");
  t.op().immediate = static_cast<uint32_t>(t.source(n).value);
  SourceModifier& ma = t.op().modifier[0];
  if (ma != SourceModifier::none) t.op().mode |= ma == SourceModifier::negate ? 3 : 1;
  ma = SourceModifier::none;
  SourceModifier& mb = t.op().modifier[1];
  if (mb == SourceModifier::negate) {
    mb = SourceModifier::bit_not;
    t.op().mode |= 4;
  }
  t.flag(kHigh, high);
  t.flag(kSigned, sign);
  t.flag(kCarryIn, t.has(Modifier::x));
  t.predicate_in(0, 87, 90, is_uniform(t));
  t.predicate_out(0, 81, is_uniform(t));
}

void lop3(Translator& t) {
  t.use(LaneOp::lop3);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  if (t.source_count() < 4) return t.unsupported("the truth table is missing");
  t.op().mode = static_cast<uint8_t>(t.source(3).value);
  t.flag(kWide, t.has(Modifier::pand));
  t.predicate_in(0, 87, 90, is_uniform(t));
  t.predicate_out(0, 81, is_uniform(t));
}

void shf(Translator& t) {
  t.use(LaneOp::shf);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  const ShiftType type = t.has(Modifier::s64)   ? ShiftType::s64
                         : t.has(Modifier::u64) ? ShiftType::u64
                         : t.has(Modifier::s32) ? ShiftType::s32
                                                : ShiftType::u32;
  t.op().mode = static_cast<uint8_t>(type);
  t.flag(kRight, t.has(Modifier::r));
  t.flag(kWrap, t.has(Modifier::w));
  t.flag(kHigh, t.has(Modifier::hi));
}

// Compilers also use IMAD as a move, RZ * RZ + c, and to add a carry.
void imad(Translator& t) {
  t.use(LaneOp::imad);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  t.flag(kCarryIn, t.has(Modifier::x));
  t.predicate_in(0, 87, 90, is_uniform(t));
  MicroOp& op = t.op();
  const bool carries_in = (op.flags & kCarryIn) != 0;
  const bool product_is_zero = op.modifier[0] == SourceModifier::none &&
                               op.modifier[1] == SourceModifier::none &&
                               (op.source[0] == kZeroRow || op.source[1] == kZeroRow);
  if (!product_is_zero || (carries_in && op.modifier[2] != SourceModifier::none)) return;
  t.use(carries_in ? LaneOp::iadd3_high : LaneOp::mov);
  op.source = {op.source[2], kZeroRow, kZeroRow, kZeroRow};
  op.modifier = {op.modifier[2]};
}

void imad_64(Translator& t, LaneOp lane_op) {
  t.use(lane_op);
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  t.bind_pair(2, 3, 2);
  if (t.source_count() < 3) return;
  const Operand& addend = t.source(2);
  t.op().mode = addend.invert ? 2 : addend.negate ? 1 : 0;
  t.flag(kSigned, !t.has(Modifier::u32));
  t.flag(kCarryIn, t.has(Modifier::x));
  t.predicate_in(0, 87, 90, is_uniform(t));
  t.predicate_out(0, 81, is_uniform(t));
}

void prmt(Translator& t) {
  t.use(LaneOp::prmt);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  const std::pair<Modifier, ByteMode> modes[] = {
      {Modifier::f4e, ByteMode::f4e}, {Modifier::b4e, ByteMode::b4e}, {Modifier::rc8, ByteMode::rc8},
      {Modifier::ecl, ByteMode::ecl}, {Modifier::ecr, ByteMode::ecr}, {Modifier::rc16, ByteMode::rc16}};
  for (const auto& [modifier, mode] : modes)
    if (t.has(modifier)) t.op().mode = static_cast<uint8_t>(mode);
}

void minmax(Translator& t) {
  t.use(LaneOp::iminmax);
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  t.flag(kSigned, !t.has(Modifier::u32));
  t.predicate_in(0, 87, 90, false);
}

void select(Translator& t) {
  t.use(LaneOp::sel);
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  t.predicate_in(0, 87, 90, is_uniform(t));
}

void unary(Translator& t, LaneOp lane_op) {
  t.use(lane_op);
  t.bind_integer(0, 0);
}

void mov(Translator& t) {
  unary(t, LaneOp::mov);
  if (t.source_count() > 1) t.unsupported("a move of single bytes is not modelled");
}

void leading_one(Translator& t) {
  unary(t, LaneOp::flo);
  t.flag(kSigned, !t.has(Modifier::u32));
  t.flag(kHigh, t.has(Modifier::sh));
}

void bits(Translator& t, LaneOp lane_op) {
  t.use(lane_op);
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  t.flag(kSigned, !t.has(Modifier::u32));
  t.flag(kWrap, t.has(Modifier::w));
}

// True for SR_CLOCK and SR_GLOBALTIMER, low and high words. All of them read Block::read_clock.
bool is_clock(const Translator& t) {
  const uint8_t number = t.instruction().operand_count > 1 ? t.instruction().operands[1].index : 0;
  return number >= 0x50 && number <= 0x53;
}
void clock(Translator& t, bool pair) {
  t.op().action = Action::clock;
  t.flag(kWide, pair);
  t.flag(kHigh, (t.instruction().operands[1].index & 1) != 0);
}

// CS2R writes a pair unless it is .32; apart from clocks, the upper word is zero.
void cs2r(Translator& t) {
  if (is_clock(t)) return clock(t, !t.has(Modifier::b32));
  unary(t, t.has(Modifier::b32) ? LaneOp::mov : LaneOp::cs2r);
}

void s2r(Translator& t) {
  if (is_clock(t)) return clock(t, false);
  unary(t, LaneOp::mov);
}

}  // namespace

bool translate_integer(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::mov:
    case Opcode::umov:
      return mov(t), true;
    case Opcode::s2r:
    case Opcode::s2ur:
      return s2r(t), true;
    case Opcode::cs2r:
      return cs2r(t), true;
    case Opcode::iadd3:
    case Opcode::uiadd3:
      return iadd3(t), true;
    case Opcode::uiadd3_64:
      return iadd3_wide(t), true;
    case Opcode::viadd:
      return viadd(t), true;
    case Opcode::lea:
    case Opcode::ulea:
      return lea(t), true;
    case Opcode::lop3:
    case Opcode::ulop3:
      return lop3(t), true;
    case Opcode::shf:
    case Opcode::ushf:
      return shf(t), true;
    case Opcode::imad:
    case Opcode::uimad:
      return imad(t), true;
    case Opcode::imad_wide:
    case Opcode::uimad_wide:
      return imad_64(t, LaneOp::imad_wide), true;
    case Opcode::imad_hi:
      return imad_64(t, LaneOp::imad_hi), true;
    case Opcode::prmt:
    case Opcode::uprmt:
      return prmt(t), true;
    case Opcode::imnmx:
    case Opcode::vimnmx:
      return minmax(t), true;
    case Opcode::sel:
    case Opcode::usel:
      return select(t), true;
    case Opcode::iabs:
      return unary(t, LaneOp::iabs), true;
    case Opcode::popc:
    case Opcode::upopc:
      return unary(t, LaneOp::popc), true;
    case Opcode::brev:
    case Opcode::ubrev:
      return unary(t, LaneOp::brev), true;
    case Opcode::flo:
    case Opcode::uflo:
      return leading_one(t), true;
    case Opcode::sgxt:
      return bits(t, LaneOp::sgxt), true;
    case Opcode::bmsk:
      return bits(t, LaneOp::bmsk), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
