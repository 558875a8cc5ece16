// Operations over the lanes of a warp, results of barriers, the space of an address, and code addresses.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

void match(Translator& t) {
  t.use(LaneOp::match);
  const bool wide = t.has(Modifier::u64), all = t.has(Modifier::all);
  if (wide) {
    t.bind_pair(0, 1, 0);
  } else {
    t.bind_integer(0, 0);
  }
  t.flag(kWide, wide);
  t.flag(kHigh, all);
  if (all) t.predicate_out(0, 81, false);
}

void redux(Translator& t) {
  t.use(LaneOp::redux);
  t.bind_integer(0, 0);
  const std::pair<Modifier, ReduceMode> modes[] = {{Modifier::or_, ReduceMode::bit_or},
                                                   {Modifier::xor_, ReduceMode::bit_xor},
                                                   {Modifier::sum, ReduceMode::sum},
                                                   {Modifier::min, ReduceMode::minimum},
                                                   {Modifier::max, ReduceMode::maximum}};
  t.op().mode = static_cast<uint8_t>(ReduceMode::bit_and);
  for (const auto& [modifier, mode] : modes)
    if (t.has(modifier)) t.op().mode = static_cast<uint8_t>(mode);
  t.flag(kSigned, t.has(Modifier::s32));
}

void elect(Translator& t) {
  t.use(LaneOp::elect);
  t.predicate_out(0, 81, false);
  t.predicate_in(0, 87, 90, false);
}

void barrier_result(Translator& t) {
  if (!t.has(Modifier::result))
    return t.unsupported(
        "B2R without .RESULT reads the state of a barrier, which the machine does not model");
  t.op().action = Action::barrier_result;
  t.predicate_out(0, 81, false);
}

// QSPC: Pu = the generic address is in global, local, shared or (".D") another block's shared memory.
void query_space(Translator& t) {
  const Operand* memory = t.find_operand(OperandKind::memory);
  if (memory == nullptr) return t.unsupported("its address operand is missing");
  t.op().action = Action::query_space;
  t.bind_row(0, memory->index);
  const bool added =
      memory->uniform_role == isa::UniformRole::added && memory->uniform_index != isa::kUniformZero;
  t.bind_row(1, added ? static_cast<Row>(kUniformRow + memory->uniform_index) : kZeroRow);
  t.flag(kWide, memory->address_bits == 64);
  t.op().offset = memory->value;
  t.op().mode = static_cast<uint8_t>(t.has(Modifier::l)   ? Space::local
                                     : t.has(Modifier::g) ? Space::global
                                                          : Space::shared);
  t.predicate_out(0, 81, false);
}

// LEPC gives the absolute address of its target, or of the instruction itself if it has no target.
void code_address(Translator& t) {
  const Operand* target = t.find_operand(OperandKind::target);
  t.op().action = Action::code_address;
  t.op().offset = target != nullptr ? target->value : int64_t{t.instruction().address};
}

}  // namespace

bool translate_warp(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::match:
      return match(t), true;
    case Opcode::redux:
      return redux(t), true;
    case Opcode::elect:
      return elect(t), true;
    case Opcode::b2r:
      return barrier_result(t), true;
    case Opcode::qspc:
      return query_space(t), true;
    case Opcode::lepc:
      return code_address(t), true;
    case Opcode::nanosleep:
      t.op().action = Action::sleep;
      return true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
