// Atomic operations. Sources 0 and 1 of the micro-op are the address, as for loads, and 2 is the operand. For
// compare-and-swap, 2 is the value to compare with and 3 the value to store. mode is an AtomicKind, combine
// an AtomicType. kHigh: the result is success instead of the old value; kRight: there is no result (RED).
#include "isa/fields.h"
#include "machine/lanes/atomic_operation.h"
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

AtomicKind kind_of(const Translator& t) {
  const std::pair<Modifier, AtomicKind> kinds[] = {
      {Modifier::min, AtomicKind::minimum},           {Modifier::max, AtomicKind::maximum},
      {Modifier::inc, AtomicKind::increment},         {Modifier::dec, AtomicKind::decrement},
      {Modifier::and_, AtomicKind::bit_and},          {Modifier::or_, AtomicKind::bit_or},
      {Modifier::xor_, AtomicKind::bit_xor},          {Modifier::exch, AtomicKind::exchange},
      {Modifier::cas, AtomicKind::compare_swap},      {Modifier::cast, AtomicKind::compare_swap},
      {Modifier::cast_spin, AtomicKind::compare_swap}};
  for (const auto& [modifier, kind] : kinds)
    if (t.has(modifier)) return kind;
  return AtomicKind::add;
}

struct TypeRow {
  Modifier modifier;
  AtomicType type;
  uint8_t bytes;  // per lane: several elements if it is a vector
};
constexpr TypeRow kTypes[] = {
    {Modifier::s32, AtomicType::s32, 4},
    {Modifier::b64, AtomicType::u64, 8},
    {Modifier::s64, AtomicType::s64, 8},
    {Modifier::b128, AtomicType::b128, 16},
    {Modifier::f32_rn, AtomicType::f32, 4},
    {Modifier::f32x2_rn, AtomicType::f32, 8},
    {Modifier::f32x4_rn, AtomicType::f32, 16},
    {Modifier::f32_ftz_rn, AtomicType::f32_flush, 4},
    {Modifier::f32x2_ftz_rn, AtomicType::f32_flush, 8},
    {Modifier::f32x4_ftz_rn, AtomicType::f32_flush, 16},
    {Modifier::f64_rn, AtomicType::f64, 8},
    {Modifier::f16x2_rn, AtomicType::f16_pair, 4},
    {Modifier::f16x4_rn, AtomicType::f16_pair, 8},
    {Modifier::f16x8_rn, AtomicType::f16_pair, 16},
    {Modifier::bf16x2_rn, AtomicType::bf16_pair, 4},
    {Modifier::bf16x4_rn, AtomicType::bf16_pair, 8},
    {Modifier::bf16x8_rn, AtomicType::bf16_pair, 16},
};

void bind_type(Translator& t) {
  t.op().width_bytes = 4;
  t.op().combine = static_cast<uint8_t>(AtomicType::u32);
  for (const TypeRow& row : kTypes) {
    if (!t.has(row.modifier)) continue;
    t.op().width_bytes = row.bytes;
    t.op().combine = static_cast<uint8_t>(row.type);
  }
}

// Refuses operations whose result is not known. (Before sm_90 a type of half pairs does not say whether it is
// bfloat16. It never is: there is no such operation before sm_90.)
void refuse_unknown(Translator& t, AtomicKind kind) {
  if (t.has(Modifier::safeadd)) t.unsupported("the machine does not know what .SAFEADD adds");
  const auto type = static_cast<AtomicType>(t.op().combine);
  if (type == AtomicType::b128 && kind != AtomicKind::exchange && kind != AtomicKind::compare_swap)
    t.unsupported("an atomic operation on 128 bits can only exchange or compare and swap");
}

void bind_place(Translator& t, const Operand& memory, bool shared) {
  t.op().action = shared ? Action::atomic_shared : Action::atomic_global;
  t.bind_row(0, memory.index);
  const bool added =
      memory.uniform_role == isa::UniformRole::added && memory.uniform_index != isa::kUniformZero;
  t.bind_row(1, added ? static_cast<Row>(kUniformRow + memory.uniform_index) : kZeroRow);
  t.flag(kWide, memory.address_bits == 64);
  t.op().offset = memory.value;
  t.op().immediate = memory.bank_or_scale;
}

// Binds the register operands after the address: the operand, or the values to compare with and to store.
void bind_values(Translator& t, int address) {
  int row = 2;
  for (int i = address + 1; i < t.instruction().operand_count && row < 4; ++i) {
    const Operand& operand = t.instruction().operands[static_cast<size_t>(i)];
    if (operand.is(OperandKind::reg)) t.bind_row(row++, t.register_row(operand));
  }
}

void atomic(Translator& t, bool shared, bool returns_old) {
  const isa::Instruction& ins = t.instruction();
  int address = 0;
  while (address < ins.operand_count && !ins.operands[static_cast<size_t>(address)].is(OperandKind::memory))
    ++address;
  if (address == ins.operand_count) return t.unsupported("its address operand is missing");
  const AtomicKind kind = kind_of(t);
  t.op().mode = static_cast<uint8_t>(kind);
  bind_type(t);
  refuse_unknown(t, kind);
  bind_place(t, ins.operands[static_cast<size_t>(address)], shared);
  bind_values(t, address);
  t.flag(kRight, !returns_old);
  t.flag(kHigh, t.has(Modifier::cast) || t.has(Modifier::cast_spin));
  if (!returns_old) {
    t.op().destination = kTrashRow;
  } else if (!shared) {
    t.predicate_out(0, 81, false);
  }
}

// ATOMS.POPC.INC adds 1 for each lane.
void count_up(Translator& t) {
  if (!t.has(Modifier::popc_inc))
    return t.unsupported(
        "ATOMS.ARRIVE works on a barrier object in shared memory, which the machine does not model");
  atomic(t, true, true);
  t.op().mode = static_cast<uint8_t>(AtomicKind::add);
  t.op().combine = static_cast<uint8_t>(AtomicType::u32);
  t.bind_row(2, t.constant_row(1));
}

}  // namespace

bool translate_atomic(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::atomg:
    case Opcode::atomg_cas:
      return atomic(t, false, true), true;
    case Opcode::red:
      return atomic(t, false, false), true;
    case Opcode::atoms:
    case Opcode::atoms_cas:
      return atomic(t, true, true), true;
    case Opcode::atoms_arrive:
      return count_up(t), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
