// Constants, memory addresses and code addresses.
#include "isa/operand_fields.h"

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

template <class Io>
void offset_field(Io& io, Operand& operand, OffsetField bits) {
  io.signed_field(operand.value, bits.first, bits.width);
}

template <class Io>
void base_register(Io& io, Operand& operand, OffsetField offset) {
  io.kind(operand, OperandKind::memory);
  io.field(operand.index, 24, 8);
  slot_fields(io, operand, 0);
  offset_field(io, operand, offset);
}

template <class Io>
void added_uniform(Io& io, Operand& operand, int first, UniformRole role) {
  io.field(operand.uniform_index, first, 6);
  operand.uniform_role = role;
}

template <class Io>
void plain_address(Io& io, Operand& operand, OffsetField offset) {
  base_register(io, operand, offset);
  bool wide = operand.address_bits == 64;
  io.field(wide, kWideAddressBit, 1);
  operand.address_bits = wide ? 64 : 32;
}

// Without a register the offset is an address, so it is unsigned.
template <class Io>
void shared_address(Io& io, Operand& operand, const OperandSpec& spec) {
  base_register(io, operand, kOffset24);
  bool with_uniform = operand.uniform_role != UniformRole::none;
  io.field(with_uniform, kUniformBit, 1);
  if (with_uniform) added_uniform(io, operand, spec.bits.first, UniformRole::added);
  if (operand.index == kRegisterZero && !with_uniform)
    io.field(operand.value, kOffset24.first, kOffset24.width);
  if (spec.place != Place::scaled_shared_address) return;
  // For .X4, .X8 and .X16 the field is log2 of the scale minus one; 0 means no scale.
  auto scale = static_cast<uint8_t>(operand.bank_or_scale != 0 ? operand.bank_or_scale - 1 : 0);
  io.field(scale, 78, 2);
  operand.bank_or_scale = static_cast<uint8_t>(scale != 0 ? scale + 1 : 0);
}

// sm_75 adds the uniform register to the address. From sm_80 on one bit says whether it is added or is a
// memory descriptor.
template <class Io>
void global_address(Io& io, Operand& operand, const OperandSpec& spec, OffsetField offset,
                    int descriptor_bit) {
  const Arch arch = io.word().arch;
  bool wide = operand.address_bits == 64;
  base_register(io, operand, offset);
  operand.shows_width = true;
  bool descriptor = operand.uniform_role == UniformRole::descriptor ||
                    operand.uniform_role == UniformRole::hidden_descriptor;
  if (arch != Arch::sm_75) io.field(descriptor, descriptor_bit, 1);
  bool shown = operand.uniform_role == UniformRole::descriptor;
  if (descriptor && arch != Arch::sm_90) io.field(shown, kShowDescriptorBit, 1);
  const UniformRole described =
      shown || arch == Arch::sm_90 ? UniformRole::descriptor : UniformRole::hidden_descriptor;
  added_uniform(io, operand, spec.bits.first, descriptor ? described : UniformRole::added);
  const bool always_wide = descriptor || (arch != Arch::sm_75 && spec.place != Place::global_address);
  if (!always_wide) io.field(wide, kWideBaseBit, 1);
  operand.address_bits = always_wide || wide ? 64 : 32;
}

// In form 6 the first of two uniform registers is added here; the source's is the second.
template <class Io>
void copy_destination(Io& io, Operand& operand) {
  io.kind(operand, OperandKind::memory);
  io.field(operand.index, 16, 8);
  if (io.word().form == kCopyUniformForm) added_uniform(io, operand, 64, UniformRole::added);
  offset_field(io, operand, kCopySharedOffset);
}

template <class Io>
void copy_source(Io& io, Operand& operand, const OperandSpec& spec, int descriptor_bit) {
  const int after_first = io.word().form == kCopyUniformForm ? 1 : 0;
  operand.uniform_index = static_cast<uint8_t>(operand.uniform_index - after_first);
  global_address(io, operand, spec, kCopyOffset, descriptor_bit);
  operand.uniform_index = static_cast<uint8_t>(operand.uniform_index + after_first);
}

// An address in the shared memory of another block of the cluster.
template <class Io>
void cluster_address(Io& io, Operand& operand, const OperandSpec& spec) {
  base_register(io, operand, kOffset24);
  operand.address_bits = 64;
  operand.shows_width = true;
  uint8_t uniform = operand.uniform_index;
  io.field(uniform, spec.bits.first, 6);
  operand.uniform_index = uniform;
  operand.uniform_role = uniform != kUniformZero ? UniformRole::added : UniformRole::none;
}

template <class Io>
void uniform_address(Io& io, Operand& operand, const OperandSpec& spec) {
  io.kind(operand, OperandKind::memory);
  operand.index = kRegisterZero;
  added_uniform(io, operand, spec.bits.first, UniformRole::added);
  if (spec.place == Place::uniform_offset_address) offset_field(io, operand, kOffset24);
}

// The constant of LDC and ULDC, whose offset is in bytes.
template <class Io>
void byte_constant(Io& io, Operand& operand, const OperandSpec& spec) {
  const bool by_register = spec.place == Place::constant_or_indexed;
  const bool by_uniform = spec.place == Place::uniform_indexed_constant;
  io.kind(operand, by_register || by_uniform ? OperandKind::indexed_constant : OperandKind::constant);
  if (!by_register) operand.index = kRegisterZero;
  io.field(operand.bank_or_scale, 54, 5);
  io.signed_field(operand.value, 38, 16);
  if (!by_uniform) io.field(operand.bindless, kUniformBit, 1);
  if (operand.bindless || by_uniform)
    added_uniform(io, operand, 24, by_uniform ? UniformRole::added : UniformRole::none);
  if (!by_register) return;
  io.field(operand.index, operand.bindless ? 64 : 24, 8);
  slot_fields(io, operand, operand.bindless ? 2 : 0);
}

// A displacement counts 4-byte words: bits 34–81, on sm_90 with bits 16–23 below them.
template <class Io>
void displacement(Io& io, int64_t& bytes) {
  const bool split = io.word().arch == Arch::sm_90;
  const int low_bits = split ? 8 : 0;
  const int64_t words = bytes / 4;
  auto low = static_cast<uint64_t>(words) & 0xff;
  int64_t high = words >> low_bits;
  io.signed_field(high, 34, 48);
  if (split) io.field(low, 16, 8);
  bytes = static_cast<int64_t>(static_cast<uint64_t>(high) << low_bits | (split ? low : 0)) * 4;
}

template <class Io>
int64_t next_instruction(const Io& io) {
  return int64_t{io.word().address} + kInstructionBytes;
}

template <class Io>
void target(Io& io, Operand& operand) {
  io.kind(operand, OperandKind::target);
  int64_t distance = operand.value - next_instruction(io);
  displacement(io, distance);
  operand.value = next_instruction(io) + distance;
}

// `unit`: bytes that the field counts.
template <class Io>
void near_target(Io& io, Operand& operand, OffsetField bits, int64_t unit) {
  io.kind(operand, OperandKind::target);
  int64_t distance = (operand.value - next_instruction(io)) / unit;
  io.signed_field(distance, bits.first, bits.width);
  operand.value = next_instruction(io) + distance * unit;
}

// `base`: what the displacement is added to before it is printed.
template <class Io>
void through_register(Io& io, Operand& operand, int64_t base) {
  io.kind(operand, OperandKind::indirect_target);
  io.field(operand.index, 24, 8);
  slot_fields(io, operand, 0);
  int64_t distance = operand.value - base;
  displacement(io, distance);
  operand.value = base + distance;
}

template <class Io>
void through_uniform(Io& io, Operand& operand) {
  io.kind(operand, OperandKind::indirect_target);
  operand.index = kRegisterZero;
  displacement(io, operand.value);
  added_uniform(io, operand, 24, UniformRole::added);
}

}  // namespace

bool is_address(Place place) { return place >= Place::relative_target; }

template <class Io>
void constant_fields(Io& io, Operand& operand) {
  io.kind(operand, OperandKind::constant);
  operand.index = kRegisterZero;
  int64_t words = operand.value / 4;
  io.signed_field(words, 40, 14);
  operand.value = words * 4;
  io.field(operand.bindless, kUniformBit, 1);
  if (operand.bindless)
    added_uniform(io, operand, 32, UniformRole::none);
  else
    io.field(operand.bank_or_scale, 54, 5);
}
template void constant_fields(FieldReader&, Operand&);
template void constant_fields(FieldWriter&, Operand&);

template <class Io>
void address_fields(Io& io, Operand& operand, const OperandSpec& spec) {
  constexpr int kLoadDescriptorBit = 76, kAtomicDescriptorBit = 71;
  switch (spec.place) {
    case Place::relative_target:
      return target(io, operand);
    case Place::convergence_target:
      return near_target(io, operand, {34, 30}, 4);
    case Place::byte_target:
      return near_target(io, operand, {24, 58}, 1);
    case Place::register_displacement:
      return through_register(io, operand, 0);
    case Place::uniform_displacement:
      return through_uniform(io, operand);
    case Place::register_target:
      return through_register(io, operand, next_instruction(io));
    case Place::constant_or_indexed:
    case Place::uniform_constant:
    case Place::uniform_indexed_constant:
      return byte_constant(io, operand, spec);
    case Place::shared_address:
    case Place::scaled_shared_address:
      return shared_address(io, operand, spec);
    case Place::global_address:
      return global_address(io, operand, spec, kOffset24, kLoadDescriptorBit);
    case Place::atomic_address:
      return global_address(io, operand, spec, kOffset24, kAtomicDescriptorBit);
    case Place::copy_source:
      return copy_source(io, operand, spec, kLoadDescriptorBit);
    case Place::plain_address:
      return plain_address(io, operand, kOffset24);
    case Place::long_address:
      return plain_address(io, operand, kOffset32);
    case Place::copy_destination:
      return copy_destination(io, operand);
    case Place::cluster_address:
      return cluster_address(io, operand, spec);
    case Place::register_address:
      return base_register(io, operand, {40, 0});
    case Place::uniform_address:
    case Place::uniform_offset_address:
      return uniform_address(io, operand, spec);
    default:
      return;
  }
}
template void address_fields(FieldReader&, Operand&, const OperandSpec&);
template void address_fields(FieldWriter&, Operand&, const OperandSpec&);

}  // namespace gemmscope::isa
