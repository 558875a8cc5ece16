// Reads constants, memory addresses and code addresses.
#include "isa/decode_operand.h"

namespace gemmscope::isa {

namespace {

constexpr int kUniformBit = 91;          // the address has a uniform register
constexpr int kWideBaseBit = 90;         // the base register beside an added uniform register is a pair
constexpr int kCopyUniformForm = 6;      // LDGSTS: a uniform register is added to the shared address too
constexpr int kWideAddressBit = 72;      // .E
constexpr int kShowDescriptorBit = 101;  // sm_80 to sm_89: the descriptor is printed

struct OffsetField {
  int first, width;
};
constexpr OffsetField kOffset24{40, 24}, kOffset32{32, 32}, kCopyOffset{32, 12}, kCopySharedOffset{44, 20};

int64_t offset_of(const Instruction& word, OffsetField field) {
  return sign_extended(word.bits(field.first, field.width), field.width);
}

Operand base_register(const Instruction& word, OffsetField offset) {
  Operand operand{.kind = OperandKind::memory, .index = static_cast<uint8_t>(word.bits(24, 8))};
  set_slot(operand, word, 0);
  operand.value = offset_of(word, offset);
  return operand;
}

void add_uniform(Operand& operand, const Instruction& word, int first, UniformRole role) {
  operand.uniform_index = static_cast<uint8_t>(word.bits(first, 6));
  operand.uniform_role = role;
}

Operand plain_address(const Instruction& word, OffsetField offset) {
  Operand operand = base_register(word, offset);
  operand.address_bits = word.bits(kWideAddressBit, 1) != 0 ? 64 : 32;
  return operand;
}

// Without a register the offset is an address, so it is unsigned.
Operand shared_address(const OperandSpec& spec, const Instruction& word) {
  Operand operand = base_register(word, kOffset24);
  const bool with_uniform = word.bits(kUniformBit, 1) != 0;
  if (with_uniform) add_uniform(operand, word, spec.bits.first, UniformRole::added);
  if (operand.index == kRegisterZero && !with_uniform)
    operand.value = static_cast<int64_t>(word.bits(kOffset24.first, kOffset24.width));
  if (spec.place == Place::scaled_shared_address)
    operand.bank_or_scale = static_cast<uint8_t>(word.bits(78, 2));
  // For .X4, .X8 and .X16 the field is log2 of the scale minus one; 0 means no scale.
  if (operand.bank_or_scale != 0) ++operand.bank_or_scale;
  return operand;
}

// sm_75 adds the uniform register to the address. From sm_80 on one bit says whether it is added or is a
// memory descriptor.
Operand global_address(const OperandSpec& spec, const Instruction& word, OffsetField offset,
                       int descriptor_bit) {
  Operand operand = base_register(word, offset);
  operand.shows_width = true;
  const bool descriptor = word.arch != Arch::sm_75 && word.bits(descriptor_bit, 1) != 0;
  const bool shown = word.arch == Arch::sm_90 || word.bits(kShowDescriptorBit, 1) != 0;
  const UniformRole described = shown ? UniformRole::descriptor : UniformRole::hidden_descriptor;
  add_uniform(operand, word, spec.bits.first, descriptor ? described : UniformRole::added);
  const bool always_wide = descriptor || (word.arch != Arch::sm_75 && spec.place != Place::global_address);
  operand.address_bits = always_wide || word.bits(kWideBaseBit, 1) != 0 ? 64 : 32;
  return operand;
}

// In form 6 the first of two uniform registers is added here; copy_source uses the second.
Operand copy_destination(const Instruction& word) {
  Operand operand{.kind = OperandKind::memory, .index = static_cast<uint8_t>(word.bits(16, 8))};
  if (word.form == kCopyUniformForm) add_uniform(operand, word, 64, UniformRole::added);
  operand.value = offset_of(word, kCopySharedOffset);
  return operand;
}

// Reads an address in the shared memory of another block of the cluster.
Operand cluster_address(const OperandSpec& spec, const Instruction& word) {
  Operand operand = base_register(word, kOffset24);
  operand.address_bits = 64;
  operand.shows_width = true;
  if (word.bits(spec.bits.first, 6) != kUniformZero)
    add_uniform(operand, word, spec.bits.first, UniformRole::added);
  return operand;
}

Operand uniform_address(const OperandSpec& spec, const Instruction& word) {
  Operand operand{.kind = OperandKind::memory, .index = kRegisterZero};
  add_uniform(operand, word, spec.bits.first, UniformRole::added);
  if (spec.place == Place::uniform_offset_address) operand.value = offset_of(word, kOffset24);
  return operand;
}

// Reads the constant of LDC and ULDC, whose offset is in bytes.
Operand byte_constant(const OperandSpec& spec, const Instruction& word) {
  Operand operand{.kind = OperandKind::constant, .index = kRegisterZero};
  operand.bank_or_scale = static_cast<uint8_t>(word.bits(54, 5));
  operand.value = sign_extended(word.bits(38, 16), 16);
  const bool indexed = spec.place == Place::uniform_indexed_constant;
  operand.bindless = !indexed && word.bits(kUniformBit, 1) != 0;
  if (operand.bindless || indexed)
    add_uniform(operand, word, 24, indexed ? UniformRole::added : UniformRole::none);
  if (indexed) operand.kind = OperandKind::indexed_constant;
  if (spec.place == Place::constant_or_indexed) {
    operand.kind = OperandKind::indexed_constant;
    operand.index = static_cast<uint8_t>(word.bits(operand.bindless ? 64 : 24, 8));
    set_slot(operand, word, operand.bindless ? 2 : 0);
  }
  return operand;
}

// Reads the displacement, which counts 4-byte words: bits 34–81, on sm_90 with bits 16–23 below them.
int64_t displacement(const Instruction& word) {
  const uint64_t high = word.bits(34, 48);
  if (word.arch == Arch::sm_90) return sign_extended(high << 8 | word.bits(16, 8), 56) * 4;
  return sign_extended(high, 48) * 4;
}

int64_t next_instruction(const Instruction& word) { return int64_t{word.address} + kInstructionBytes; }

Operand target(int64_t address) { return {.kind = OperandKind::target, .value = address}; }

Operand through_register(const Instruction& word, int64_t value) {
  Operand operand{.kind = OperandKind::indirect_target, .index = static_cast<uint8_t>(word.bits(24, 8))};
  set_slot(operand, word, 0);
  operand.value = value;
  return operand;
}

Operand through_uniform(const Instruction& word, int64_t value) {
  Operand operand{.kind = OperandKind::indirect_target, .index = kRegisterZero, .value = value};
  add_uniform(operand, word, 24, UniformRole::added);
  return operand;
}

}  // namespace

bool is_address(Place place) { return place >= Place::relative_target; }

Operand read_constant(const Instruction& word) {
  Operand operand{.kind = OperandKind::constant, .index = kRegisterZero};
  operand.value = sign_extended(word.bits(40, 14) << 2, 16);
  operand.bindless = word.bits(kUniformBit, 1) != 0;
  if (operand.bindless)
    add_uniform(operand, word, 32, UniformRole::none);
  else
    operand.bank_or_scale = static_cast<uint8_t>(word.bits(54, 5));
  return operand;
}

Operand read_address(const OperandSpec& spec, const Instruction& word) {
  constexpr int kLoadDescriptorBit = 76, kAtomicDescriptorBit = 71;
  switch (spec.place) {
    case Place::relative_target:
      return target(next_instruction(word) + displacement(word));
    case Place::convergence_target:
      return target(next_instruction(word) + sign_extended(word.bits(34, 30), 30) * 4);
    case Place::byte_target:
      return target(next_instruction(word) + sign_extended(word.bits(24, 58), 58));
    case Place::register_displacement:
      return through_register(word, displacement(word));
    case Place::uniform_displacement:
      return through_uniform(word, displacement(word));
    case Place::register_target:
      return through_register(word, next_instruction(word) + displacement(word));
    case Place::constant_or_indexed:
    case Place::uniform_constant:
    case Place::uniform_indexed_constant:
      return byte_constant(spec, word);
    case Place::shared_address:
    case Place::scaled_shared_address:
      return shared_address(spec, word);
    case Place::global_address:
      return global_address(spec, word, kOffset24, kLoadDescriptorBit);
    case Place::atomic_address:
      return global_address(spec, word, kOffset24, kAtomicDescriptorBit);
    case Place::copy_source: {
      Operand operand = global_address(spec, word, kCopyOffset, kLoadDescriptorBit);
      if (word.form == kCopyUniformForm) ++operand.uniform_index;
      return operand;
    }
    case Place::plain_address:
      return plain_address(word, kOffset24);
    case Place::long_address:
      return plain_address(word, kOffset32);
    case Place::copy_destination:
      return copy_destination(word);
    case Place::cluster_address:
      return cluster_address(spec, word);
    case Place::register_address:
      return base_register(word, {40, 0});
    case Place::uniform_address:
    case Place::uniform_offset_address:
      return uniform_address(spec, word);
    default:
      return {};
  }
}

}  // namespace gemmscope::isa
