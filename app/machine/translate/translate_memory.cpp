// Loads, stores and asynchronous copies. Source 0 of the micro-op is the base register (a pair with kWide), 1
// the uniform pair that is added, 2 the data of a store. For LDGSTS, source 0 is the shared base, 2 the
// global base pair, 3 the uniform pair; kHigh is .ZFILL, kRight .BYPASS.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

void access_width(Translator& t) {
  const std::pair<Modifier, uint8_t> widths[] = {{Modifier::u8, 1},  {Modifier::s8, 1},
                                                 {Modifier::u16, 2}, {Modifier::s16, 2},
                                                 {Modifier::b64, 8}, {Modifier::b128, 16}};
  t.op().width_bytes = 4;
  for (const auto& [modifier, bytes] : widths)
    if (t.has(modifier)) t.op().width_bytes = bytes;
  t.flag(kSigned, t.has(Modifier::s8) || t.has(Modifier::s16));
}

Row uniform_row(const Operand& memory) {
  const bool added =
      memory.uniform_role == isa::UniformRole::added && memory.uniform_index != isa::kUniformZero;
  return added ? static_cast<Row>(kUniformRow + memory.uniform_index) : kZeroRow;
}

// Binds the address of `memory` to sources `base` and `base + 1`.
void bind_address(Translator& t, const Operand& memory, int base) {
  t.bind_row(base, memory.index);
  t.bind_row(base + 1, uniform_row(memory));
  t.flag(kWide, memory.address_bits == 64);
}

void load(Translator& t, Action action) {
  const Operand* memory = t.find_operand(OperandKind::memory);
  if (memory == nullptr) return t.unsupported("its address operand is missing");
  t.op().action = action;
  access_width(t);
  bind_address(t, *memory, 0);
  t.op().offset = memory->value;
  t.op().immediate = memory->bank_or_scale;
}

void store(Translator& t, Action action) {
  const Operand* data = t.find_operand(OperandKind::reg);
  load(t, action);
  if (data == nullptr) return t.unsupported("its data operand is missing");
  t.bind_row(2, data->index);
  t.op().destination = kTrashRow;
}

// LDGSTS [shared], [global], Pq: copies `width` bytes a lane; a false Pq writes zeroes.
void async_copy(Translator& t) {
  const Operand* shared = t.find_operand(OperandKind::memory, 0);
  const Operand* global = t.find_operand(OperandKind::memory, 1);
  if (shared == nullptr || global == nullptr) return t.unsupported("an address operand is missing");
  if (uniform_row(*shared) != kZeroRow)
    return t.unsupported("a uniform register in the shared address of LDGSTS is not modelled");
  t.op().action = Action::async_copy;
  access_width(t);
  t.bind_row(0, shared->index);
  t.op().offset = shared->value;
  bind_address(t, *global, 2);
  t.op().immediate = static_cast<uint32_t>(global->value);
  t.flag(kHigh, t.has(Modifier::zfill));
  t.flag(kRight, t.has(Modifier::bypass));
  t.predicate_in(0, 87, 90, false);
}

// DEPBAR.LE SBn, count. Scoreboard 0 is the one that LDGDEPBAR arrives on.
void copy_wait(Translator& t) {
  const Operand* left = t.find_operand(OperandKind::integer);
  const bool on_groups = t.instruction().bits(44, 3) == 0 && left != nullptr;
  t.op().action = on_groups ? Action::wait_for_copies : Action::nothing;
  if (on_groups) t.op().immediate = static_cast<uint32_t>(left->value);
}

Row index_row(const Translator& t, const Operand& indexed) {
  if (t.instruction().opcode != Opcode::uldc) return indexed.index;
  return indexed.uniform_index == isa::kUniformZero ? kZeroRow
                                                    : static_cast<Row>(kUniformRow + indexed.uniform_index);
}

// LDC with a register index reads the bank lane by lane. Everything else becomes a row of constants, since a
// bank never changes.
void load_constant(Translator& t) {
  const Operand* indexed = t.find_operand(OperandKind::indexed_constant);
  access_width(t);
  if (indexed != nullptr && !indexed->bindless) {
    t.bind_row(0, index_row(t, *indexed));
    const uint32_t width = t.op().width_bytes;
    if (t.op().source[0] == kZeroRow && (width == 4 || width == 8) && t.in_constant_bank(*indexed, width)) {
      t.use(width == 4 ? LaneOp::mov : LaneOp::cs2r);
      t.bind_row(0, t.constant_row(t.constant_word(*indexed, 0).value_or(0)));
      if (width == 8) t.bind_row(1, t.constant_row(t.constant_word(*indexed, 4).value_or(0)));
      return;
    }
    t.op().action = Action::load_constant;
    t.op().immediate = indexed->bank_or_scale;
    t.op().offset = indexed->value;
    return;
  }
  const Operand* constant = t.find_operand(OperandKind::constant);
  if (constant == nullptr) return t.unsupported("it reads a constant bank through a handle");
  if (t.op().width_bytes == 8) {
    t.use(LaneOp::cs2r);
    t.bind_pair(0, 1, 0);
    return;
  }
  t.use(LaneOp::mov);
  if (t.op().width_bytes == 4) return t.bind_integer(0, 0);
  // A narrow constant never changes: its word is shifted and extended here.
  const uint32_t misplacement = static_cast<uint32_t>(constant->value & 3), bits = t.op().width_bytes * 8u;
  Operand aligned = *constant;
  aligned.value -= misplacement;
  const uint32_t up = (t.constant_word(aligned, 0).value_or(0) >> (8 * misplacement)) << (32 - bits);
  const uint32_t value = (t.op().flags & kSigned) != 0
                             ? static_cast<uint32_t>(static_cast<int32_t>(up) >> (32 - bits))
                             : up >> (32 - bits);
  t.bind_row(0, t.constant_row(value));
}

}  // namespace

bool translate_memory(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::ldg:
    case Opcode::ld:
      return load(t, Action::load_global), true;
    case Opcode::stg:
    case Opcode::st:
      return store(t, Action::store_global), true;
    case Opcode::lds:
      return load(t, Action::load_shared), true;
    case Opcode::sts:
      return store(t, Action::store_shared), true;
    case Opcode::ldl:
      return load(t, Action::load_local), true;
    case Opcode::stl:
      return store(t, Action::store_local), true;
    case Opcode::ldc:
    case Opcode::uldc:
      return load_constant(t), true;
    case Opcode::ldgsts:
      return async_copy(t), true;
    // A single-threaded machine has nothing to wait for: asynchronous copies are done when they are issued.
    // The checks want to know of the waits.
    case Opcode::ldgdepbar:
      t.op().action = Action::commit_copies;
      return true;
    case Opcode::depbar:
      return copy_wait(t), true;
    case Opcode::membar:
    case Opcode::cctl:
    case Opcode::fence:
      t.op().action = Action::fence;
      return true;
    case Opcode::errbar:
    case Opcode::cgaerrbar:
    // These wait for the kernel before in the stream or start the next one; the machine runs one kernel
    // alone.
    case Opcode::acqbulk:
    case Opcode::preexit:
      t.op().action = Action::nothing;
      return true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
