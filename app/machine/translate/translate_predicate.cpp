// Comparisons, predicates, votes and shuffles.
#include "machine/translate/translator.h"

namespace gemmscope::machine {

using isa::Modifier;
using isa::Opcode;

uint8_t float_compare_of(const Translator& t) {
  // The hardware's code is a set of relations: 1 less, 2 equal, 4 greater, 8 unordered.
  const std::pair<Modifier, uint8_t> compares[] = {
      {Modifier::f, 0},    {Modifier::lt, 1},   {Modifier::eq, 2},   {Modifier::le, 3},   {Modifier::gt, 4},
      {Modifier::ne, 5},   {Modifier::ge, 6},   {Modifier::num, 7},  {Modifier::nan, 8},  {Modifier::ltu, 9},
      {Modifier::equ, 10}, {Modifier::leu, 11}, {Modifier::gtu, 12}, {Modifier::neu, 13}, {Modifier::geu, 14},
      {Modifier::t, 15},   {Modifier::min, 0},  {Modifier::max, 15}};
  for (const auto& [modifier, compare] : compares)
    if (t.has(modifier)) return compare;
  return 0;
}

Combine combine_of(const Translator& t) {
  return t.has(Modifier::or_)    ? Combine::logic_or
         : t.has(Modifier::xor_) ? Combine::logic_xor
                                 : Combine::logic_and;
}

void comparison_predicates(Translator& t, bool uniform) {
  t.op().combine = static_cast<uint8_t>(combine_of(t));
  t.predicate_out(0, 81, uniform);
  t.predicate_out(1, 84, uniform);
  t.predicate_in(0, 87, 90, uniform);
}

namespace {

void isetp(Translator& t, bool uniform) {
  t.use(LaneOp::isetp);
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  const std::pair<Modifier, IntegerCompare> compares[] = {
      {Modifier::f, IntegerCompare::never}, {Modifier::lt, IntegerCompare::lt},
      {Modifier::eq, IntegerCompare::eq},   {Modifier::le, IntegerCompare::le},
      {Modifier::gt, IntegerCompare::gt},   {Modifier::ne, IntegerCompare::ne},
      {Modifier::ge, IntegerCompare::ge},   {Modifier::t, IntegerCompare::always}};
  for (const auto& [modifier, compare] : compares)
    if (t.has(modifier)) t.op().mode = static_cast<uint8_t>(compare);
  t.flag(kSigned, !t.has(Modifier::u32));
  t.flag(kCarryIn, t.has(Modifier::ex));
  comparison_predicates(t, uniform);
  t.predicate_in(1, 68, 71, uniform);
}

void float_comparison(Translator& t) {
  t.bind_float(0, 0);
  t.bind_float(1, 1);
  t.op().mode = float_compare_of(t);
  t.flag(kFlushDenormals, t.has(Modifier::ftz));
  comparison_predicates(t, false);
}

void fset(Translator& t) {
  t.use(LaneOp::fset);
  float_comparison(t);
  t.op().predicate_out = {kTrashPredicate, kTrashPredicate};
}

void fchk(Translator& t) {
  t.use(LaneOp::fchk);
  t.bind_float(0, 0);
  t.bind_float(1, 1);
  t.predicate_out(0, 81, false);
}

// PLOP3 Pu, Pv, Pa, Pb, Pc, table, table.
void plop3(Translator& t, bool uniform) {
  t.use(LaneOp::plop3);
  const isa::Instruction& ins = t.instruction();
  if (ins.operand_count < 7) return t.unsupported("an operand is missing");
  t.predicate_out(0, 81, uniform);
  t.predicate_out(1, 84, uniform);
  for (int i = 0; i < 3; ++i) t.predicate_in(i, ins.operands[static_cast<size_t>(2 + i)]);
  t.op().mode = static_cast<uint8_t>(ins.operands[5].value);
  t.op().immediate = static_cast<uint32_t>(ins.operands[6].value);
}

uint8_t byte_shift(isa::Part part) {
  return part == isa::Part::b1 ? 8 : part == isa::Part::b2 ? 16 : part == isa::Part::b3 ? 24 : 0;
}

void p2r(Translator& t, bool uniform) {
  t.use(LaneOp::p2r);
  t.op().immediate = uniform ? kUniformPredicate : 0;
  t.bind_integer(0, 0);
  t.bind_integer(1, 1);
  t.op().mode = t.has(Modifier::b1) ? 8 : t.has(Modifier::b2) ? 16 : t.has(Modifier::b3) ? 24 : 0;
}

// R2P PR, a.Bn, mask and UR2UP UPR, a.Bn, mask: the first register is a source. UR2UP does not print a mask
// of all bits.
void r2p(Translator& t, bool uniform) {
  constexpr uint32_t kAllOfThem = 0x7f;
  const isa::Instruction& ins = t.instruction();
  const bool has_mask = ins.operand_count >= 3;
  if (has_mask ? !ins.operands[2].is(isa::OperandKind::integer) : !uniform)
    return t.unsupported("its mask is not a constant");
  t.use(LaneOp::r2p);
  t.op().combine = uniform ? kUniformPredicate : 0;
  t.bind_row(0, t.register_row(ins.operands[1]));
  t.op().mode = byte_shift(ins.operands[1].part);
  t.op().immediate = has_mask ? static_cast<uint32_t>(ins.operands[2].value) : kAllOfThem;
}

void vote(Translator& t, bool uniform) {
  t.use(LaneOp::vote);
  t.op().mode = static_cast<uint8_t>(t.has(Modifier::any)  ? VoteMode::any
                                     : t.has(Modifier::eq) ? VoteMode::equal
                                                           : VoteMode::all);
  t.flag(kWide, uniform);
  t.predicate_out(0, 81, uniform);
  t.predicate_in(0, 87, 90, false);
}

void shfl(Translator& t) {
  t.use(LaneOp::shfl);
  for (int i = 0; i < 3; ++i) t.bind_integer(i, static_cast<size_t>(i));
  t.op().mode = static_cast<uint8_t>(t.has(Modifier::up)     ? ShuffleMode::up
                                     : t.has(Modifier::down) ? ShuffleMode::down
                                     : t.has(Modifier::bfly) ? ShuffleMode::butterfly
                                                             : ShuffleMode::index);
  t.predicate_out(0, 81, false);
}

void r2ur(Translator& t) {
  t.use(LaneOp::read_first_lane);
  if (t.has(Modifier::or_) || t.instruction().bits(81, 3) != isa::kPredicateTrue)
    return t.unsupported("R2UR with a predicate is not modelled");
  t.bind_integer(0, 0);
}

}  // namespace

bool translate_predicate(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::isetp:
      return isetp(t, false), true;
    case Opcode::uisetp:
      return isetp(t, true), true;
    case Opcode::fsetp:
      t.use(LaneOp::fsetp);
      return float_comparison(t), true;
    case Opcode::fset:
      return fset(t), true;
    case Opcode::fchk:
      return fchk(t), true;
    case Opcode::plop3:
      return plop3(t, false), true;
    case Opcode::uplop3:
      return plop3(t, true), true;
    case Opcode::p2r:
      return p2r(t, false), true;
    case Opcode::up2ur:
      return p2r(t, true), true;
    case Opcode::r2p:
      return r2p(t, false), true;
    case Opcode::ur2up:
      return r2p(t, true), true;
    case Opcode::vote:
      return vote(t, false), true;
    case Opcode::voteu:
      return vote(t, true), true;
    case Opcode::shfl:
      return shfl(t), true;
    case Opcode::r2ur:
      return r2ur(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
