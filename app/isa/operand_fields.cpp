#include "isa/operand_fields.h"

namespace gemmscope::isa {

namespace {

enum class Slot : uint8_t { a, b, c };

constexpr int kCarryBit = 74;  // .X of IADD3, LEA and IMAD
constexpr Part kHalfOrF32[4] = {Part::whole, Part::f32, Part::h0_h0, Part::h1_h1};
constexpr Part kHalf[4] = {Part::whole, Part::invalid1, Part::h0_h0, Part::h1_h1};

struct SignBits {
  uint8_t negate, absolute, half;
};

// The bits of a slot's sign, absolute value and choice of halves. Half2 operations use other bits for C.
constexpr SignBits sign_bits(Slot slot, bool half) {
  switch (slot) {
    case Slot::a:
      return {72, 73, 74};
    case Slot::b:
      return {63, 62, 60};
    default:
      return half ? SignBits{84, 83, 81} : SignBits{75, 74, 81};
  }
}

bool is_half_source(Source source) { return source == Source::half || source == Source::half_whole; }

Slot slot_of(Place place, int form) {
  switch (place) {
    case Place::first:
      return Slot::a;
    case Place::second:
      return is_last_in_b(form) ? Slot::c : Slot::b;
    case Place::third:
      return is_last_in_b(form) ? Slot::b : Slot::c;
    default:
      return Slot::b;
  }
}

template <class Io>
void vector_register(Io& io, Operand& operand, int first) {
  io.kind(operand, OperandKind::reg);
  io.field(operand.index, first, 8);
}

template <class Io>
void source_register(Io& io, Operand& operand, int first, uint8_t slot) {
  vector_register(io, operand, first);
  slot_fields(io, operand, slot);
}

template <class Io>
void uniform_register(Io& io, Operand& operand, int first) {
  io.kind(operand, OperandKind::uniform_reg);
  io.field(operand.index, first, 6);
}

template <class Io>
void predicate(Io& io, Operand& operand, int first, int negate_bit, bool uniform) {
  io.kind(operand, uniform ? OperandKind::uniform_predicate : OperandKind::predicate);
  io.field(operand.index, first, 3);
  if (negate_bit != 0) io.field(operand.invert, negate_bit, 1);
}

// A predicate stored as 7 − n, so that an all-zero field means PT.
template <class Io>
void complemented_predicate(Io& io, Operand& operand, int first, bool uniform) {
  io.kind(operand, uniform ? OperandKind::uniform_predicate : OperandKind::predicate);
  auto stored = static_cast<uint8_t>(kPredicateTrue - operand.index);
  io.field(stored, first, 3);
  operand.index = static_cast<uint8_t>(kPredicateTrue - stored);
  io.field(operand.invert, first + 3, 1);
}

template <class Io>
void number(Io& io, Operand& operand, OperandKind kind, BitField bits) {
  io.kind(operand, kind);
  io.field(operand.value, bits);
}

template <class Io>
void named(Io& io, Operand& operand, OperandKind kind, BitField bits) {
  io.kind(operand, kind);
  io.field(operand.index, bits);
}

// All predicates: which file they are in follows from the row.
template <class Io>
void file(Io& io, Operand& operand, uint8_t index) {
  io.kind(operand, OperandKind::predicate_file);
  operand.index = index;
}

// The operand slot depends on the printed position: 0, 1, 2 for the first, second and third register.
template <class Io>
void slot_register(Io& io, Operand& operand, Slot slot, bool adder) {
  switch (slot) {
    case Slot::a:
      return source_register(io, operand, 24, 0);
    case Slot::b:
      return source_register(io, operand, 32, adder ? 2 : 1);
    default:
      return source_register(io, operand, 64, is_last_in_b(io.word().form) ? 1 : 2);
  }
}

template <class Io>
void immediate(Io& io, Operand& operand, Source source) {
  constexpr BitField kBits{32, 32};
  switch (source) {
    case Source::f32:
    case Source::f64:
      operand.real = source == Source::f32 ? RealFormat::f32 : RealFormat::f64_high;
      return number(io, operand, OperandKind::real, kBits);
    case Source::raw_signed:
    case Source::negatable:
    case Source::logical:
    case Source::carry:
      io.kind(operand, OperandKind::integer);
      return io.signed_field(operand.value, kBits.first, kBits.width);
    default:
      return number(io, operand, OperandKind::integer, kBits);
  }
}

template <class Io>
void sign_fields(Io& io, Operand& operand, Slot slot, const OperandSpec& spec) {
  const Source source = spec.source;
  const Instruction& word = io.word();
  // A half2 source may be a float32. On sm_90 only HFMA2's source in slot B may be.
  const bool may_be_f32 = word.arch != Arch::sm_90 || (slot == Slot::b && spec.place <= Place::third);
  const SignBits bits = sign_bits(slot, is_half_source(source));
  switch (source) {
    case Source::raw:
    case Source::raw_signed:
      return;
    case Source::negatable:
    case Source::negatable_unsigned:
      return io.field(operand.negate, bits.negate, 1);
    case Source::logical:
      return io.field(operand.invert, bits.negate, 1);
    case Source::carry_in_b:
      if (slot == Slot::c) return;
      [[fallthrough]];
    case Source::carry:
      return io.field(word.bits(kCarryBit, 1) != 0 ? operand.invert : operand.negate, bits.negate, 1);
    case Source::half: {
      io.choice(operand.part, may_be_f32 ? kHalfOrF32 : kHalf, BitField{bits.half, 2});
      if (operand.is(OperandKind::constant)) operand.real = RealFormat::f16;
      [[fallthrough]];
    }
    default:
      io.field(operand.negate, bits.negate, 1);
      io.field(operand.absolute, bits.absolute, 1);
  }
}

template <class Io>
void source_fields(Io& io, Operand& operand, const OperandSpec& spec, bool uniform) {
  const uint8_t form = io.word().form;
  const Slot slot = slot_of(spec.place, form);
  const bool adder = spec.place == Place::slot_b_adder;
  if (slot == Slot::b && is_immediate_form(form)) return immediate(io, operand, spec.source);
  if (slot == Slot::b && is_constant_form(form))
    constant_fields(io, operand);
  else if (slot == Slot::b && (uniform || form != 1))
    uniform_register(io, operand, 32);
  else if (uniform)
    uniform_register(io, operand, slot == Slot::a ? 24 : 64);
  else
    slot_register(io, operand, slot, adder);
  sign_fields(io, operand, slot, spec);
}

// If A is a register, the register carries A's sign, so only B's flags are fields here.
template <class Io>
void group_descriptor(Io& io, Operand& operand, const OperandSpec& spec) {
  constexpr std::array<uint8_t, 4> kFlagBits{72, 63, 61, 62};  // negA, negB, tnspA, tnspB
  named(io, operand, OperandKind::group_descriptor, spec.bits);
  const bool of_b_only = spec.bits.first != 24;
  uint64_t flags = 0;
  for (size_t k = 0; k < kFlagBits.size(); ++k) {
    if (of_b_only && k % 2 == 0) continue;
    bool flag = (operand.value >> k & 1) != 0;
    io.field(flag, kFlagBits[k], 1);
    flags |= uint64_t{flag} << k;
  }
  operand.value = static_cast<int64_t>(flags);
}

template <class Io>
void mask_register(Io& io, Operand& operand) {
  uniform_register(io, operand, 24);
  io.field(operand.invert, 30, 1);
}

template <class Io>
void name_field(Io& io, Operand& operand, const OperandSpec& spec) {
  io.kind(operand, OperandKind::name);
  auto name = static_cast<Modifier>(operand.value);
  io.choice(name, spec.names, spec.bits);
  operand.value = static_cast<int64_t>(name);
}

template <class Io>
void plain_fields(Io& io, Operand& operand, const OperandSpec& spec, bool uniform) {
  switch (spec.place) {
    case Place::destination:
      return uniform ? uniform_register(io, operand, 16) : vector_register(io, operand, 16);
    case Place::uniform_destination:
      return uniform_register(io, operand, 16);
    case Place::vector_a:
      return slot_register(io, operand, Slot::a, false);
    case Place::vector_b:
      return slot_register(io, operand, Slot::b, false);
    case Place::vector_c:
      return slot_register(io, operand, Slot::c, false);
    case Place::uniform_a:
      return uniform_register(io, operand, 24);
    case Place::uniform_b:
      return uniform_register(io, operand, 32);
    case Place::uniform_c:
      return uniform_register(io, operand, 64);
    case Place::mask_register:
      return mask_register(io, operand);
    case Place::predicate_u:
      return predicate(io, operand, 81, 0, uniform);
    case Place::predicate_v:
      return predicate(io, operand, 84, 0, uniform);
    case Place::predicate_q:
      return predicate(io, operand, 87, 90, uniform);
    case Place::predicate_r:
      return predicate(io, operand, 77, 80, uniform);
    case Place::predicate_s:
      return predicate(io, operand, 68, 71, uniform);
    case Place::uniform_predicate_u:
      return predicate(io, operand, 81, 0, true);
    case Place::uniform_predicate_s:
      return predicate(io, operand, 68, 71, true);
    case Place::uniform_predicate_a:
      return predicate(io, operand, 24, 27, true);
    case Place::complement_64:
      return complemented_predicate(io, operand, 64, false);
    case Place::complement_87:
      return complemented_predicate(io, operand, 87, true);
    case Place::predicate_file:
      return file(io, operand, 0);
    case Place::uniform_predicate_file:
      return file(io, operand, 1);
    case Place::register_in:
      return vector_register(io, operand, spec.bits.first);
    case Place::uniform_in:
      return uniform_register(io, operand, spec.bits.first);
    case Place::cache_descriptor:
      return named(io, operand, OperandKind::descriptor, {40, 6});
    case Place::name_in:
      return name_field(io, operand, spec);
    case Place::lane_signs:
      return number(io, operand, OperandKind::lane_signs, {32, 8});
    case Place::immediate:
      return number(io, operand, OperandKind::integer, spec.bits);
    case Place::special_register:
      return named(io, operand, OperandKind::special_reg, {72, 8});
    case Place::barrier:
      return named(io, operand, OperandKind::barrier, spec.bits);
    case Place::scoreboard:
      return named(io, operand, OperandKind::scoreboard, {44, 3});
    case Place::scoreboard_set:
      return number(io, operand, OperandKind::scoreboard_set, {32, 6});
    case Place::group_scoreboard:
      return named(io, operand, OperandKind::group_scoreboard, spec.bits);
    case Place::group_descriptor:
      return group_descriptor(io, operand, spec);
    default:
      return;
  }
}

bool is_source_place(Place place) { return place >= Place::first && place <= Place::slot_b_adder; }

}  // namespace

template <class Io>
void operand_fields(Io& io, Operand& operand, const OperandSpec& spec, const OpcodeRow& row) {
  if (is_address(spec.place)) return address_fields(io, operand, spec);
  const bool uniform = row.datapath == Datapath::uniform;
  if (is_source_place(spec.place))
    source_fields(io, operand, spec, uniform);
  else
    plain_fields(io, operand, spec, uniform);
  if (spec.parts != nullptr && !operand.is(OperandKind::integer))
    io.choice(operand.part, spec.parts, spec.part_bits);
}
template void operand_fields(FieldReader&, Operand&, const OperandSpec&, const OpcodeRow&);
template void operand_fields(FieldWriter&, Operand&, const OperandSpec&, const OpcodeRow&);

bool is_half_pair(const OperandSpec& spec, const Instruction& word) {
  return is_source_place(spec.place) && is_half_source(spec.source) && is_immediate_form(word.form) &&
         slot_of(spec.place, word.form) == Slot::b;
}

template <class Io>
void half_immediate_fields(Io& io, Operand& operand, bool upper) {
  operand.real = io.word().has(Modifier::bf16_v2) ? RealFormat::bf16 : RealFormat::f16;
  number(io, operand, OperandKind::real, upper ? BitField{48, 16} : BitField{32, 16});
}
template void half_immediate_fields(FieldReader&, Operand&, bool);
template void half_immediate_fields(FieldWriter&, Operand&, bool);

}  // namespace gemmscope::isa
