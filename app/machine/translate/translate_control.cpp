// Branches, convergence and barriers. The target of a branch is an instruction index in MicroOp::offset.
#include <algorithm>

#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

void target(Translator& t) {
  const Operand* operand = t.find_operand(OperandKind::target);
  if (operand == nullptr) operand = t.find_operand(OperandKind::integer);
  if (operand == nullptr || operand->value < 0 || operand->value % isa::kInstructionBytes != 0)
    return t.unsupported("its target is not an instruction");
  // The block holds a target in 32 bits; one beyond any code must stay beyond it.
  t.op().offset = std::min<int64_t>(operand->value / isa::kInstructionBytes, UINT32_MAX);
}

void branch(Translator& t) {
  t.op().action = Action::branch;
  target(t);
  t.predicate_in(0, 87, 90, false);
  // BRA.U UPn: the warp's predicate decides, beside no other.
  if (const Operand* uniform = t.find_operand(OperandKind::uniform_predicate); uniform != nullptr) {
    if (t.find_operand(OperandKind::predicate) != nullptr)
      return t.unsupported("a branch with both a uniform and a per-lane predicate is not modelled");
    t.predicate_in(0, *uniform);
  }
  // A branch with .DIV UR is taken if the active lanes differ from the mask, .CONV if they equal it, and .U
  // if all lanes agree.
  t.op().mode = t.has(Modifier::div) ? 2 : t.has(Modifier::conv) ? 3 : t.has(Modifier::u) ? 1 : 0;
  if (t.op().mode < 2) return;
  const Operand* lanes = t.find_operand(OperandKind::uniform_reg);
  t.bind_row(0, lanes == nullptr ? t.constant_row(kAllLanes) : t.register_row(*lanes));
  t.op().modifier[0] = lanes != nullptr && lanes->invert ? SourceModifier::bit_not : SourceModifier::none;
}

void with_predicate(Translator& t, Action action) {
  t.op().action = action;
  t.predicate_in(0, 87, 90, false);
}

void convergence(Translator& t, Action action) {
  with_predicate(t, action);
  const Operand* barrier = t.find_operand(OperandKind::barrier);
  if (barrier == nullptr) return t.unsupported("its convergence barrier is missing");
  t.op().immediate = barrier->index;
}

// BMOV saves a convergence barrier into a register, or restores it.
void move_barrier(Translator& t, Action action) {
  if (t.has(Modifier::pquad)) return t.unsupported("BMOV.PQUAD is not modelled");
  convergence(t, action);
  const Operand* reg = t.find_operand(OperandKind::reg);
  if (reg == nullptr) return t.unsupported("its register is missing");
  t.bind_row(0, t.register_row(*reg));
  t.op().destination = reg->index == isa::kRegisterZero ? kTrashRow : reg->index;
  t.flag(kWide, t.has(Modifier::clear));
}

void warp_sync(Translator& t) {
  t.op().action = Action::warp_sync;
  const Operand* lanes = t.find_operand(OperandKind::reg);
  const Operand* constant = t.find_operand(OperandKind::integer);
  t.bind_row(0, lanes != nullptr      ? t.register_row(*lanes)
                : constant != nullptr ? t.constant_row(static_cast<uint32_t>(constant->value))
                                      : t.constant_row(kAllLanes));
}

// The new address is Rn (a pair) plus the printed target; in CALL.ABS and RET.ABS it is absolute.
void jump_register(Translator& t) {
  const Operand* through = t.find_operand(OperandKind::indirect_target);
  if (through == nullptr) return t.unsupported("its register is missing");
  t.flag(kHigh, t.instruction().opcode == Opcode::call_abs || t.has(Modifier::abs));
  t.op().action = Action::jump_register;
  t.bind_row(0, through->index);
  t.op().offset = through->value;
  // BRX holds a 32-bit offset from the next instruction.
  t.flag(kSigned, t.instruction().opcode == Opcode::brx);
}

void call(Translator& t) {
  if (t.find_operand(OperandKind::indirect_target) != nullptr) return jump_register(t);
  if (t.instruction().opcode == Opcode::call_abs)
    return t.unsupported("its absolute target is known only once a program is loaded");
  t.op().action = Action::call;
  target(t);
}

// BAR id, count, with immediates or registers; .RED counts or combines a predicate of the arriving threads.
void block_barrier(Translator& t) {
  t.op().action = Action::block_barrier;
  if (t.has(Modifier::scan))
    return t.unsupported("CUDA C++ does not compile to BAR.SCAN, and the machine does not model it");
  if (t.has(Modifier::red)) {
    t.op().mode = static_cast<uint8_t>(t.has(Modifier::popc)   ? BarrierReduction::count
                                       : t.has(Modifier::and_) ? BarrierReduction::all_true
                                                               : BarrierReduction::any_true);
    t.predicate_in(0, 87, 90, false);
  }
  t.flag(kWide, t.has(Modifier::arv));
  const isa::Instruction& ins = t.instruction();
  const auto bind = [&](int i) {
    if (ins.operand_count <= i || ins.operands[static_cast<size_t>(i)].is(OperandKind::predicate)) return;
    const Operand& operand = ins.operands[static_cast<size_t>(i)];
    t.bind_row(i, operand.is(OperandKind::reg) ? t.register_row(operand)
                                               : t.constant_row(static_cast<uint32_t>(operand.value)));
  };
  bind(0);
  bind(1);
  // With two registers, the first holds id | count << 16.
  t.flag(kHigh, ins.operand_count > 1 && ins.operands[0].is(OperandKind::reg) &&
                    ins.operands[1].is(OperandKind::reg));
}

}  // namespace

bool translate_control(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::bra:
      return branch(t), true;
    case Opcode::exit:
      return with_predicate(t, Action::exit), true;
    case Opcode::bssy:
      return convergence(t, Action::converge_set), true;
    case Opcode::bsync:
      return convergence(t, Action::converge_wait), true;
    case Opcode::break_:
      return convergence(t, Action::converge_break), true;
    case Opcode::bmov_to_reg:
      return move_barrier(t, Action::converge_save), true;
    case Opcode::bmov_to_barrier:
      return move_barrier(t, Action::converge_restore), true;
    case Opcode::warpsync:
      return warp_sync(t), true;
    case Opcode::yield:
      t.op().action = Action::yield;
      return true;
    case Opcode::call_rel:
      return call(t), true;
    case Opcode::call_abs:
    case Opcode::ret:
    case Opcode::brx:
      return jump_register(t), true;
    case Opcode::bar:
      return block_barrier(t), true;
    case Opcode::bpt:
      t.op().action = Action::trap;
      return true;
    case Opcode::endcollective:
    case Opcode::pmtrig:
    case Opcode::nop:
      t.op().action = Action::nothing;
      return true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
