// Barrier objects in shared memory, and the bulk copies that arrive at them. Sources 0 and 1 of the micro-op
// are the address of a barrier object, as for loads of shared memory. SYNCS.EXCH: source 2 is the pair that
// it stores. SYNCS.ARRIVE: source 2 is its register, mode an ArriveKind, kHigh .OPTOUT. SYNCS.PHASECHK:
// source 2 is the parity, in bit 31; kWide .TRYWAIT. Bulk copies: source 0 is the first uniform register of
// the target, 1 the pair of the source, 2 the size in pieces of 16 bytes; mode counts the dimensions of a
// tensor copy.
#include "machine/lanes/lane_ops.h"
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

Row uniform_row(const Operand& memory) {
  return memory.uniform_index == isa::kUniformZero ? kZeroRow
                                                   : static_cast<Row>(kUniformRow + memory.uniform_index);
}

void bind_object(Translator& t, Action action) {
  const Operand* const object = t.find_operand(OperandKind::memory);
  if (object == nullptr) return t.unsupported("its address operand is missing");
  t.op().action = action;
  t.op().width_bytes = 8;
  t.bind_row(0, object->index);
  t.bind_row(1, object->uniform_role == isa::UniformRole::added ? uniform_row(*object) : kZeroRow);
  t.op().offset = object->value;
}

// Binds the last operand of the instruction to source 2.
void bind_value(Translator& t) {
  if (t.source_count() == 0) return t.unsupported("an operand is missing");
  t.bind_row(2, t.register_row(t.source(t.source_count() - 1)));
}

void exchange(Translator& t) {
  bind_object(t, Action::object_exchange);
  bind_value(t);
}

void arrive(Translator& t) {
  bind_object(t, Action::object_arrive);
  bind_value(t);
  const ArriveKind kind = t.has(Modifier::a1t0)   ? ArriveKind::once
                          : t.has(Modifier::a0tr) ? ArriveKind::expect_bytes
                          : t.has(Modifier::a0tx) ? ArriveKind::copied_bytes
                          : t.has(Modifier::art0) ? ArriveKind::many
                                                  : ArriveKind::once_and_expect_bytes;
  t.op().mode = static_cast<uint8_t>(kind);
  t.flag(kHigh, t.has(Modifier::optout));
  if (t.has(Modifier::a0t1) || t.has(Modifier::tmask) || t.has(Modifier::invalid6) ||
      t.has(Modifier::invalid7))
    t.unsupported(
        "the machine does not know this way to arrive at a barrier object: cp.async.mbarrier.arrive is one. "
        "Wait with cp.async.wait_group and arrive with mbarrier.arrive instead");
}

void test_phase(Translator& t) {
  bind_object(t, Action::object_test);
  bind_value(t);
  t.predicate_out(0, 81, false);
  t.flag(kWide, t.has(Modifier::trywait));
}

void bulk_copy(Translator& t, Action action) {
  const Operand* const target = t.find_operand(OperandKind::memory, 0);
  const Operand* const source = t.find_operand(OperandKind::memory, 1);
  if (target == nullptr || source == nullptr) return t.unsupported("an address operand is missing");
  t.op().action = action;
  t.op().destination = kTrashRow;
  t.bind_row(0, uniform_row(*target));
  t.bind_row(1, uniform_row(*source));
  if (const Operand* const size = t.find_operand(OperandKind::uniform_reg); size != nullptr)
    t.bind_row(2, t.register_row(*size));
  if (t.has(Modifier::multicast))
    t.unsupported("the machine has no clusters, so a copy cannot go to several blocks at once");
}

void linear_copy(Translator& t) {
  bulk_copy(t, Action::bulk_copy);
  if (!t.has(Modifier::s) || !t.has(Modifier::g) || t.instruction().bits(73, 1) == 0)
    t.unsupported(
        "the machine executes bulk copies from global to shared memory only: store from registers instead");
}

void tensor_copy(Translator& t) {
  bulk_copy(t, Action::tensor_copy);
  t.op().mode = static_cast<uint8_t>(t.instruction().bits(79, 3) + 1);
  if (t.op().mode > 5) t.unsupported("the machine does not know this number of dimensions");
  if (t.has(Modifier::im2col))
    t.unsupported("the machine copies boxes of tensors only, not the im2col mode of convolutions");
}

}  // namespace

bool translate_async(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::syncs_exch:
      return exchange(t), true;
    case Opcode::syncs_cctl:  // ends the object's life: its word no longer is one
      return bind_object(t, Action::object_exchange), true;
    case Opcode::syncs_arrive:
      return arrive(t), true;
    case Opcode::syncs_phasechk:
      return test_phase(t), true;
    case Opcode::ublkcp:
      return linear_copy(t), true;
    case Opcode::utmaldg:
      return tensor_copy(t), true;
    // Hints for caches.
    case Opcode::utmapf:
    case Opcode::ublkpf:
    case Opcode::utmacctl:
      t.op().action = Action::nothing;
      return true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
