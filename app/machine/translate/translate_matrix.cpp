// Matrix instructions and the loads and stores of their fragments. matrix_mode.h says how a micro-op encodes
// them.
#include "machine/translate/translator.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

void bind_product(Translator& t, LaneOp lane_op) {
  t.use(lane_op);
  for (int i = 0; i < 3; ++i) {
    if (static_cast<size_t>(i) >= t.source_count()) return t.unsupported("an operand is missing");
    const Operand& operand = t.source(static_cast<size_t>(i));
    t.bind_row(i, t.register_row(operand));
    t.op().modifier[static_cast<size_t>(i)] = float_sign(operand);
  }
  if (t.find_operand(OperandKind::uniform_predicate) != nullptr)
    t.unsupported("the machine has no matrix product under a uniform predicate");
}

struct Shape {
  Modifier name;
  uint32_t rows, depth;
};
template <size_t kCount>
void shape(Translator& t, const Shape (&shapes)[kCount]) {
  for (const Shape& s : shapes)
    if (t.has(s.name)) {
      t.op().immediate = s.depth;
      t.flag(kWide, s.rows == 16);
      return;
    }
  t.unsupported("the machine has no matrix product of this shape");
}

void hmma(Translator& t) {
  constexpr Shape kShapes[] = {
      {Modifier::mma_1684, 16, 4}, {Modifier::mma_1688, 16, 8}, {Modifier::mma_16816, 16, 16}};
  bind_product(t, LaneOp::hmma);
  shape(t, kShapes);
  // For HMMA the flag means a float32 accumulator; there are always sixteen rows.
  t.op().flags = t.has(Modifier::f32) ? kWide : 0;
  const HalfType type = t.has(Modifier::tf32)   ? HalfType::tf32
                        : t.has(Modifier::bf16) ? HalfType::bf16
                                                : HalfType::f16;
  t.op().mode = static_cast<uint8_t>(type);
  const bool exists = type == HalfType::tf32 ? t.op().immediate <= 8 : t.op().immediate >= 8;
  if (!exists || (type != HalfType::f16 && t.op().flags == 0))
    t.unsupported("the machine has no matrix product of this shape and type");
  if (t.has(Modifier::sp)) t.unsupported("the machine has no products of sparse matrices");
  if (t.has(Modifier::satfinite)) t.unsupported("the machine has no saturating products of halves");
}

// The element types of A and of B are two modifiers, in this order.
void imma(Translator& t) {
  constexpr Shape kShapes[] = {{Modifier::mma_8816, 8, 16},
                               {Modifier::mma_8832, 8, 32},
                               {Modifier::mma_16816, 16, 16},
                               {Modifier::mma_16832, 16, 32},
                               {Modifier::mma_16864, 16, 64}};
  bind_product(t, LaneOp::imma);
  shape(t, kShapes);
  int types = 0;
  for (int i = 0; i < t.instruction().modifier_count; ++i) {
    const Modifier m = t.instruction().modifiers[static_cast<size_t>(i)];
    const bool is_signed = m == Modifier::s8 || m == Modifier::s4,
               nibbles = m == Modifier::s4 || m == Modifier::u4;
    if (!is_signed && !nibbles && m != Modifier::u8) continue;
    t.flag(types == 0 ? kSigned : kRight, is_signed);
    t.flag(kWrap, nibbles && types == 0);
    if (types == 1 && nibbles != ((t.op().flags & kWrap) != 0))
      t.unsupported("its matrices differ in the size of their elements");
    ++types;
  }
  if (types != 2) t.unsupported("the machine does not know its element types");
  const bool nibbles = (t.op().flags & kWrap) != 0;
  if (t.op().immediate < (nibbles ? 32u : 16u) || t.op().immediate > (nibbles ? 64u : 32u))
    t.unsupported("the machine has no matrix product of this shape and type");
  t.flag(kSaturate, t.has(Modifier::sat));
}

void dmma(Translator& t) {
  constexpr Shape kShapes[] = {{Modifier::mma_884, 8, 4},     {Modifier::mma_1684, 16, 4},
                               {Modifier::mma_1688, 16, 8},   {Modifier::mma_16816, 16, 16},
                               {Modifier::mma_8x8x4, 8, 4},   {Modifier::mma_16x8x4, 16, 4},
                               {Modifier::mma_16x8x8, 16, 8}, {Modifier::mma_16x8x16, 16, 16}};
  bind_product(t, LaneOp::dmma);
  shape(t, kShapes);
  if (t.has(Modifier::rm) || t.has(Modifier::rp) || t.has(Modifier::rz))
    t.unsupported("the machine rounds products of float64 matrices to nearest only");
}

void movm(Translator& t) {
  t.use(LaneOp::movm);
  t.bind_integer(0, 0);
  if (!t.has(Modifier::mt88)) t.unsupported("the machine transposes matrices of 16-bit elements only");
}

void matrix_access(Translator& t, Action action) {
  const Operand* const memory = t.find_operand(OperandKind::memory);
  const Operand* const data = t.find_operand(OperandKind::reg);
  if (memory == nullptr) return t.unsupported("its address operand is missing");
  t.op().action = action;
  t.bind_row(0, memory->index);
  const bool added =
      memory->uniform_role == isa::UniformRole::added && memory->uniform_index != isa::kUniformZero;
  t.bind_row(1, added ? static_cast<Row>(kUniformRow + memory->uniform_index) : kZeroRow);
  t.op().offset = memory->value;
  t.op().width_bytes = 16;
  t.op().mode = t.has(Modifier::x4) ? 4 : t.has(Modifier::x2) ? 2 : 1;
  t.flag(kHigh, t.has(Modifier::mt88));
  if (!t.has(Modifier::m88) && !t.has(Modifier::mt88))
    t.unsupported("the machine moves matrices of 16-bit elements only");
  if (t.has(Modifier::invalid3)) t.unsupported("the machine does not know this number of matrices");
  if (action != Action::store_matrix) return;
  t.op().destination = kTrashRow;
  t.bind_row(2, data == nullptr ? kZeroRow : t.register_row(*data));
}

}  // namespace

bool translate_matrix(Translator& t) {
  switch (t.instruction().opcode) {
    case Opcode::hmma:
      return hmma(t), true;
    case Opcode::imma:
      return imma(t), true;
    case Opcode::dmma:
      return dmma(t), true;
    case Opcode::movm:
      return movm(t), true;
    case Opcode::ldsm:
      return matrix_access(t, Action::load_matrix), true;
    case Opcode::stsm:
      return matrix_access(t, Action::store_matrix), true;
    default:
      return false;
  }
}

}  // namespace gemmscope::machine
