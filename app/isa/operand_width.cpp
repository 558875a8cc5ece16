#include "isa/operand_width.h"

#include <algorithm>
#include <array>

#include "isa/opcode_table.h"

namespace gemmscope::isa {

namespace {

constexpr uint32_t kLanes = 32, kWordBits = 32;

struct Shape {
  Modifier name;
  uint32_t rows, columns, depth;  // of C = A·B: M, N and K
};
constexpr std::array kShapes = std::to_array<Shape>({
    {Modifier::mma_1684, 16, 8, 4},
    {Modifier::mma_1688, 16, 8, 8},
    {Modifier::mma_16816, 16, 8, 16},
    {Modifier::mma_16832, 16, 8, 32},
    {Modifier::mma_16864, 16, 8, 64},
    {Modifier::mma_168128, 16, 8, 128},
    {Modifier::mma_168256, 16, 8, 256},
    {Modifier::mma_884, 8, 8, 4},
    {Modifier::mma_8816, 8, 8, 16},
    {Modifier::mma_8832, 8, 8, 32},
    {Modifier::mma_88128, 8, 8, 128},
    {Modifier::mma_8x8x4, 8, 8, 4},
    {Modifier::mma_16x8x4, 16, 8, 4},
    {Modifier::mma_16x8x8, 16, 8, 8},
    {Modifier::mma_16x8x16, 16, 8, 16},
});

const Shape* shape_of(const Instruction& instruction) {
  for (const Shape& shape : kShapes)
    if (instruction.has(shape.name)) return &shape;
  return nullptr;
}

struct ElementBits {
  uint32_t factor = 0, sum = 32;
};
ElementBits element_bits(const Instruction& instruction) {
  const uint32_t float_sum = instruction.has(Modifier::f32) ? 32 : 16;
  switch (instruction.opcode) {
    case Opcode::hmma:
      return {instruction.has(Modifier::tf32) ? 32u : 16u, float_sum};
    case Opcode::qmma:
      return {8, float_sum};
    case Opcode::imma:
      return {instruction.has(Modifier::s4) || instruction.has(Modifier::u4) ? 4u : 8u};
    case Opcode::bmma:
      return {1};
    case Opcode::dmma:
      return {64, 64};
    default:
      return {};
  }
}

constexpr uint32_t words_of(uint32_t elements, uint32_t bits) {
  return std::max(1u, elements * bits / (kLanes * kWordBits));
}

// F2F names its result's format first, so its two formats cannot be told apart by their presence.
bool f2f_is_f64(const Instruction& instruction, int first_bit) {
  constexpr uint64_t kF64 = 3;
  return instruction.bits(first_bit, instruction.arch == Arch::sm_75 ? 2 : 3) == kF64;
}
constexpr int kResultFormatBit = 75, kSourceFormatBit = 84;

bool has_64_bit_integer(const Instruction& instruction) {
  return instruction.has(Modifier::s64) || instruction.has(Modifier::u64);
}
uint32_t pair_if(bool wide) { return wide ? 2 : 1; }

// In this form a warpgroup's product takes A from registers and only B from shared memory, which a descriptor
// of two uniform registers names.
constexpr uint8_t kRegisterForm = 6;

// The position of operand `index` among the register sources, from 0.
int source_position(const Instruction& instruction, int index) {
  int position = 0;
  for (int i = instruction.destination_count; i < index; ++i)
    if (instruction.operands[static_cast<size_t>(i)].is(OperandKind::reg)) ++position;
  return position;
}

// After A, B and C comes the metadata of a sparse product, in one register.
uint32_t fragment_source_words(const Instruction& instruction, int position) {
  const FragmentWords fragments = fragment_words(instruction);
  switch (position) {
    case 0:
      return fragments.any() ? fragments.a : 1;
    case 1:
      return fragments.any() ? fragments.b : 1;
    case 2:
      return fragments.any() ? fragments.c : 1;
    default:
      return 1;
  }
}

bool is_addend(const Instruction& instruction, int index) {
  return index - instruction.destination_count == 2;
}

uint32_t value_words(const Instruction& instruction, int index) {
  switch (instruction.opcode) {
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::dsetp:
    case Opcode::uiadd3_64:
      return 2;
    case Opcode::imad_wide:
    case Opcode::imad_hi:
    case Opcode::uimad_wide:
      return pair_if(is_addend(instruction, index));
    case Opcode::hmma:
    case Opcode::hmma_884:
    case Opcode::qmma:
    case Opcode::imma:
    case Opcode::bmma:
    case Opcode::dmma:
      return fragment_source_words(instruction, source_position(instruction, index));
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma:
    case Opcode::bgmma:
      return source_position(instruction, index) == 0 && instruction.form == kRegisterForm ? 4 : 1;
    case Opcode::f2f:
      return pair_if(f2f_is_f64(instruction, kSourceFormatBit));
    case Opcode::f2i:
    case Opcode::frnd:
      return pair_if(instruction.has(Modifier::f64));
    case Opcode::i2f:
    case Opcode::match:
      return pair_if(has_64_bit_integer(instruction));
    case Opcode::stg:
    case Opcode::st:
    case Opcode::sts:
    case Opcode::stl:
    case Opcode::stsm:
    case Opcode::stas:
    case Opcode::redas:
    case Opcode::red:
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::atoms:
    case Opcode::atom_cas:
    case Opcode::atomg_cas:
    case Opcode::atoms_cas:
    case Opcode::sust:
    case Opcode::sured:
      return access_words(instruction);
    case Opcode::syncs_exch:
      return 2;
    default:
      return 1;
  }
}

// Addresses of shared and local memory have 32 bits, all others 64.
bool is_narrow_address(const Instruction& instruction, int index) {
  switch (instruction.opcode) {
    case Opcode::ldgsts:
      return index == 0;
    case Opcode::lds:
    case Opcode::sts:
    case Opcode::ldsm:
    case Opcode::stsm:
    case Opcode::ldl:
    case Opcode::stl:
    case Opcode::atoms:
    case Opcode::atoms_cas:
    case Opcode::atoms_arrive:
    case Opcode::syncs_arrive:
    case Opcode::syncs_phasechk:
    case Opcode::syncs_exch:
    case Opcode::syncs_cctl:
    case Opcode::arrives:
      return true;
    default:
      return false;
  }
}

}  // namespace

uint32_t access_words(const Instruction& instruction) {
  for (Modifier m : {Modifier::b128, Modifier::x4, Modifier::f32x4_rn, Modifier::f32x4_ftz_rn,
                     Modifier::f16x8_rn, Modifier::bf16x8_rn})
    if (instruction.has(m)) return 4;
  for (Modifier m :
       {Modifier::b64, Modifier::x2, Modifier::u64, Modifier::s64, Modifier::f64_rn, Modifier::f32x2_rn,
        Modifier::f32x2_ftz_rn, Modifier::f16x4_rn, Modifier::bf16x4_rn, Modifier::sd32})
    if (instruction.has(m)) return 2;
  return 1;
}

FragmentWords fragment_words(const Instruction& instruction) {
  // Turing's 8 x 8 x 4 computes two registers of C in each of its steps.
  if (instruction.opcode == Opcode::hmma_884) return {2, 2, 2, 1};
  const ElementBits bits = element_bits(instruction);
  const Shape* const shape = shape_of(instruction);
  if (bits.factor == 0 || shape == nullptr) return {};
  const uint32_t kept_depth = instruction.has(Modifier::sp) ? shape->depth / 2 : shape->depth;
  return {words_of(shape->rows * kept_depth, bits.factor),
          words_of(shape->depth * shape->columns, bits.factor),
          words_of(shape->rows * shape->columns, bits.sum), bits.sum == 64 ? 2u : 1u};
}

uint32_t destination_words(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::cs2r:
      return pair_if(!instruction.has(Modifier::b32));
    case Opcode::imad_wide:
    case Opcode::uimad_wide:
    case Opcode::uiadd3_64:
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::lepc:
    case Opcode::syncs_arrive:
    case Opcode::syncs_exch:
      return 2;
    case Opcode::hmma:
    case Opcode::hmma_884:
    case Opcode::qmma:
    case Opcode::imma:
    case Opcode::bmma:
    case Opcode::dmma:
      return std::max(1u, fragment_words(instruction).c);
    case Opcode::f2f:
      return pair_if(f2f_is_f64(instruction, kResultFormatBit));
    case Opcode::i2f:
    case Opcode::frnd:
      return pair_if(instruction.has(Modifier::f64));
    case Opcode::f2i:
      return pair_if(has_64_bit_integer(instruction));
    case Opcode::ldg:
    case Opcode::ld:
    case Opcode::lds:
    case Opcode::ldl:
    case Opcode::ldc:
    case Opcode::uldc:
    case Opcode::ldsm:
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::atoms:
    case Opcode::atom_cas:
    case Opcode::atomg_cas:
    case Opcode::atoms_arrive:
    case Opcode::suld:
      return access_words(instruction);
    case Opcode::atoms_cas:
      // CAST.SPIN returns whether it swapped.
      return instruction.has(Modifier::cast_spin) ? 1 : access_words(instruction);
    default:
      return 1;
  }
}

uint32_t source_words(const Instruction& instruction, int index) {
  const Operand& operand = instruction.operands[static_cast<size_t>(index)];
  switch (operand.kind) {
    case OperandKind::reg:
      return value_words(instruction, index);
    case OperandKind::memory:
      return pair_if(operand.address_bits == 64);
    case OperandKind::indirect_target:
      return 2;
    case OperandKind::indexed_constant:
      return 1;
    default:
      return 0;
  }
}

namespace {

// A bulk copy's target: its address in shared memory, the barrier object and, of a tensor, the box's corner.
uint32_t bulk_target_words(const Instruction& instruction) {
  const uint64_t dimensions = instruction.opcode == Opcode::utmaldg ? instruction.bits(79, 3) + 1 : 0;
  return static_cast<uint32_t>(2 + dimensions);
}

}  // namespace

uint32_t uniform_source_words(const Instruction& instruction, int index) {
  const Operand& operand = instruction.operands[static_cast<size_t>(index)];
  const bool bulk_copy = instruction.opcode == Opcode::utmaldg || instruction.opcode == Opcode::ublkcp;
  if (bulk_copy && index == 0) return bulk_target_words(instruction);
  switch (operand.kind) {
    case OperandKind::uniform_reg:
      return value_words(instruction, index);
    case OperandKind::constant:
    case OperandKind::indexed_constant:
      return operand.bindless ? 2 : 1;
    case OperandKind::memory:
      return pair_if(!is_narrow_address(instruction, index));
    case OperandKind::group_descriptor:
      return instruction.form == kRegisterForm ? 2 : 4;
    case OperandKind::indirect_target:
    case OperandKind::descriptor:
      return 2;
    default:
      return 0;
  }
}

}  // namespace gemmscope::isa
