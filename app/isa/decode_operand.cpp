#include "isa/decode_operand.h"

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

Operand vector_register(const Instruction& word, int first) {
  return {.kind = OperandKind::reg, .index = static_cast<uint8_t>(word.bits(first, 8))};
}

Operand source_register(const Instruction& word, int first, uint8_t slot) {
  Operand operand = vector_register(word, first);
  set_slot(operand, word, slot);
  return operand;
}

Operand uniform_register(const Instruction& word, int first) {
  return {.kind = OperandKind::uniform_reg, .index = static_cast<uint8_t>(word.bits(first, 6))};
}

Operand predicate(const Instruction& word, int first, int negate_bit, bool uniform) {
  return {.kind = uniform ? OperandKind::uniform_predicate : OperandKind::predicate,
          .index = static_cast<uint8_t>(word.bits(first, 3)),
          .invert = negate_bit != 0 && word.bits(negate_bit, 1) != 0};
}

// Reads a predicate stored as 7 − n, so that an all-zero field means PT.
Operand complemented_predicate(const Instruction& word, int first, bool uniform) {
  Operand operand = predicate(word, first, first + 3, uniform);
  operand.index = static_cast<uint8_t>(kPredicateTrue - operand.index);
  return operand;
}

Operand number(OperandKind kind, uint64_t value) {
  return {.kind = kind, .value = static_cast<int64_t>(value)};
}

Operand named(OperandKind kind, uint64_t index) {
  return {.kind = kind, .index = static_cast<uint8_t>(index)};
}

// The operand slot depends on the printed position: 0, 1, 2 for the first, second and third register.
Operand slot_register(Slot slot, bool adder, const Instruction& word) {
  switch (slot) {
    case Slot::a:
      return source_register(word, 24, 0);
    case Slot::b:
      return source_register(word, 32, adder ? 2 : 1);
    default:
      return source_register(word, 64, is_last_in_b(word.form) ? 1 : 2);
  }
}

Operand immediate_of(Source source, const Instruction& word) {
  const uint64_t raw = word.bits(32, 32);
  switch (source) {
    case Source::f32:
      return {.kind = OperandKind::real, .real = RealFormat::f32, .value = static_cast<int64_t>(raw)};
    case Source::f64:
      return {.kind = OperandKind::real, .real = RealFormat::f64_high, .value = static_cast<int64_t>(raw)};
    case Source::raw_signed:
    case Source::negatable:
    case Source::logical:
    case Source::carry:
      return {.kind = OperandKind::integer, .value = sign_extended(raw, 32)};
    default:
      return number(OperandKind::integer, raw);
  }
}

void apply_signs(Operand& operand, Slot slot, const OperandSpec& spec, const Instruction& word) {
  const Source source = spec.source;
  // A half2 source may be a float32. On sm_90 only HFMA2's source in slot B may be.
  const bool may_be_f32 = word.arch != Arch::sm_90 || (slot == Slot::b && spec.place <= Place::third);
  const SignBits bits = sign_bits(slot, is_half_source(source));
  const bool sign = word.bits(bits.negate, 1) != 0;
  switch (source) {
    case Source::raw:
    case Source::raw_signed:
      return;
    case Source::negatable:
    case Source::negatable_unsigned:
      operand.negate = sign;
      return;
    case Source::logical:
      operand.invert = sign;
      return;
    case Source::carry_in_b:
      if (slot == Slot::c) return;
      [[fallthrough]];
    case Source::carry:
      (word.bits(kCarryBit, 1) != 0 ? operand.invert : operand.negate) = sign;
      return;
    case Source::half: {
      const auto choice = word.bits(bits.half, 2);
      operand.part = (may_be_f32 ? kHalfOrF32 : kHalf)[choice];
      if (operand.is(OperandKind::constant)) operand.real = RealFormat::f16;
      [[fallthrough]];
    }
    default:
      operand.negate = sign;
      operand.absolute = word.bits(bits.absolute, 1) != 0;
  }
}

Operand read_source(const OperandSpec& spec, const Instruction& word, bool uniform) {
  const Slot slot = slot_of(spec.place, word.form);
  const bool adder = spec.place == Place::slot_b_adder;
  Operand operand;
  if (slot == Slot::b && is_immediate_form(word.form)) return immediate_of(spec.source, word);
  if (slot == Slot::b && is_constant_form(word.form))
    operand = read_constant(word);
  else if (slot == Slot::b && (uniform || word.form != 1))
    operand = uniform_register(word, 32);
  else if (uniform)
    operand = uniform_register(word, slot == Slot::a ? 24 : 64);
  else
    operand = slot_register(slot, adder, word);
  apply_signs(operand, slot, spec, word);
  return operand;
}

// If A is a register, the register carries A's sign, so only B's flags are read here.
Operand group_descriptor_of(const OperandSpec& spec, const Instruction& word) {
  constexpr uint64_t kOfB = 0b1010;
  // negA, negB, tnspA, tnspB
  const uint64_t all = word.bits(72, 1) | word.bits(63, 1) << 1 | word.bits(61, 2) << 2;
  const uint64_t flags = spec.bits.first == 24 ? all : all & kOfB;
  return {.kind = OperandKind::group_descriptor,
          .index = static_cast<uint8_t>(spec.bits.of(word)),
          .value = static_cast<int64_t>(flags)};
}

Operand mask_register_of(const Instruction& word) {
  Operand operand = uniform_register(word, 24);
  operand.invert = word.bits(30, 1) != 0;
  return operand;
}

Operand read_plain(const OperandSpec& spec, const Instruction& word, bool uniform) {
  switch (spec.place) {
    case Place::destination:
      return uniform ? uniform_register(word, 16) : vector_register(word, 16);
    case Place::uniform_destination:
      return uniform_register(word, 16);
    case Place::vector_a:
      return slot_register(Slot::a, false, word);
    case Place::vector_b:
      return slot_register(Slot::b, false, word);
    case Place::vector_c:
      return slot_register(Slot::c, false, word);
    case Place::uniform_a:
      return uniform_register(word, 24);
    case Place::uniform_b:
      return uniform_register(word, 32);
    case Place::uniform_c:
      return uniform_register(word, 64);
    case Place::mask_register:
      return mask_register_of(word);
    case Place::predicate_u:
      return predicate(word, 81, 0, uniform);
    case Place::predicate_v:
      return predicate(word, 84, 0, uniform);
    case Place::predicate_q:
      return predicate(word, 87, 90, uniform);
    case Place::predicate_r:
      return predicate(word, 77, 80, uniform);
    case Place::predicate_s:
      return predicate(word, 68, 71, uniform);
    case Place::uniform_predicate_u:
      return predicate(word, 81, 0, true);
    case Place::uniform_predicate_s:
      return predicate(word, 68, 71, true);
    case Place::uniform_predicate_a:
      return predicate(word, 24, 27, true);
    case Place::complement_64:
      return complemented_predicate(word, 64, false);
    case Place::complement_87:
      return complemented_predicate(word, 87, true);
    case Place::predicate_file:
      return named(OperandKind::predicate_file, 0);
    case Place::uniform_predicate_file:
      return named(OperandKind::predicate_file, 1);
    case Place::register_in:
      return vector_register(word, spec.bits.first);
    case Place::uniform_in:
      return uniform_register(word, spec.bits.first);
    case Place::cache_descriptor:
      return named(OperandKind::descriptor, word.bits(40, 6));
    case Place::name_in:
      return number(OperandKind::name, static_cast<int64_t>(spec.names[spec.bits.of(word)]));
    case Place::lane_signs:
      return number(OperandKind::lane_signs, word.bits(32, 8));
    case Place::immediate:
      return number(OperandKind::integer, spec.bits.of(word));
    case Place::special_register:
      return named(OperandKind::special_reg, word.bits(72, 8));
    case Place::barrier:
      return named(OperandKind::barrier, spec.bits.of(word));
    case Place::scoreboard:
      return named(OperandKind::scoreboard, word.bits(44, 3));
    case Place::scoreboard_set:
      return number(OperandKind::scoreboard_set, word.bits(32, 6));
    case Place::group_scoreboard:
      return named(OperandKind::group_scoreboard, spec.bits.of(word));
    case Place::group_descriptor:
      return group_descriptor_of(spec, word);
    default:
      return {};
  }
}

bool is_source_place(Place place) { return place >= Place::first && place <= Place::slot_b_adder; }

}  // namespace

Operand read_operand(const OperandSpec& spec, const Instruction& word, const OpcodeRow& row) {
  if (is_address(spec.place)) return read_address(spec, word);
  const bool uniform = row.datapath == Datapath::uniform;
  Operand operand =
      is_source_place(spec.place) ? read_source(spec, word, uniform) : read_plain(spec, word, uniform);
  if (spec.parts != nullptr && !operand.is(OperandKind::integer))
    operand.part = spec.parts[spec.part_bits.of(word)];
  return operand;
}

bool is_half_pair(const OperandSpec& spec, const Instruction& word) {
  return is_source_place(spec.place) && is_half_source(spec.source) && is_immediate_form(word.form) &&
         slot_of(spec.place, word.form) == Slot::b;
}

Operand read_half_immediate(const Instruction& word, bool upper) {
  return {.kind = OperandKind::real,
          .real = word.has(Modifier::bf16_v2) ? RealFormat::bf16 : RealFormat::f16,
          .value = static_cast<int64_t>(word.bits(upper ? 48 : 32, 16))};
}

}  // namespace gemmscope::isa
