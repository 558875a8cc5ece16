// Short names that make the rows of the instruction table read as a table. Only opcodes_*.cpp include it.
#pragma once

#include "isa/opcode_table.h"

namespace gemmscope::isa::rows {

using M = Modifier;
using enum Place;
using enum Source;

// --- operands
constexpr OperandSpec at(Place place, Source source = raw) { return {.place = place, .source = source}; }
constexpr OperandSpec a_first(Source source = raw) { return at(first, source); }
constexpr OperandSpec a_second(Source source = raw) { return at(second, source); }
constexpr OperandSpec a_third(Source source = raw) { return at(third, source); }
constexpr OperandSpec in_b(Source source = raw) { return at(slot_b, source); }
constexpr OperandSpec with_bits(Place place, uint8_t first_bit, uint8_t width) {
  return {.place = place, .bits = {first_bit, width}};
}
constexpr OperandSpec imm(uint8_t first_bit, uint8_t width) { return with_bits(immediate, first_bit, width); }
constexpr OperandSpec imm(BitField field) { return {.place = immediate, .bits = field}; }
constexpr OperandSpec name(BitField field, const M* names) {
  return {.place = name_in, .bits = field, .names = names};
}
constexpr OperandSpec address(Place place, uint8_t uniform_bit = 0) {
  return with_bits(place, uniform_bit, 6);
}

inline constexpr OperandSpec kDst = at(destination);
inline constexpr OperandSpec kUniformDst = at(uniform_destination);
inline constexpr OperandSpec kPu = at(predicate_u);
inline constexpr OperandSpec kPv = at(predicate_v);
inline constexpr OperandSpec kPq = at(predicate_q);
inline constexpr OperandSpec kPr = at(predicate_r);
inline constexpr OperandSpec kPs = at(predicate_s);
inline constexpr OperandSpec kRegA = at(vector_a);
inline constexpr OperandSpec kRegB = at(vector_b);
inline constexpr OperandSpec kRegC = at(vector_c);

// --- modifiers
constexpr ModifierField flag(uint8_t bit, M when_set) { return {.bits = {bit, 1}, .first = when_set}; }
constexpr ModifierField field(uint8_t first_bit, uint8_t width, const M* values) {
  return {.bits = {first_bit, width}, .values = values};
}
constexpr ModifierField field(BitField bits, const M* values) { return {.bits = bits, .values = values}; }
constexpr ModifierField range(BitField bits, M first_value) {
  return {.bits = bits, .first = first_value, .consecutive = true};
}
constexpr ModifierField fixed(M modifier) { return range({0, 0}, modifier); }

// --- field values that several families share
inline constexpr M kRounding[4] = {M::none, M::rm, M::rp, M::rz};
inline constexpr M kIntegerRounding[4] = {M::none, M::floor, M::ceil, M::trunc};
inline constexpr M kBoolean[4] = {M::and_, M::or_, M::xor_, M::invalid3};
inline constexpr M kIntegerCompare[8] = {M::f, M::lt, M::eq, M::le, M::gt, M::ne, M::ge, M::t};
inline constexpr M kFloatCompare[16] = {M::f,   M::lt,  M::eq,  M::le,  M::gt,  M::ne,  M::ge,  M::num,
                                        M::nan, M::ltu, M::equ, M::leu, M::gtu, M::neu, M::geu, M::t};
inline constexpr M kFtzFmz[4] = {M::none, M::ftz, M::fmz, M::invalid3};  // bits 80 and 76
inline constexpr M kAccessSize[8] = {M::u8, M::s8, M::u16, M::s16, M::none, M::b64, M::b128, M::invalid7};
inline constexpr M kConstantSize[8] = {M::u8,   M::s8,  M::u16,      M::s16,
                                       M::none, M::b64, M::invalid6, M::invalid7};
inline constexpr M kEviction[8] = {M::ef, M::none, M::el, M::lu, M::eu, M::na, M::invalid6, M::invalid7};
inline constexpr M kPrefetch[4] = {M::none, M::ltc64b, M::ltc128b, M::ltc256b};
inline constexpr M kVote[4] = {M::all, M::any, M::eq, M::invalid3};
inline constexpr M kU32UnlessSet[2] = {M::u32, M::none};  // signed is the default and prints nothing
inline constexpr M kU8UnlessSet[2] = {M::u8, M::none};

inline constexpr Part kByteParts[4] = {Part::whole, Part::b1, Part::b2, Part::b3};
inline constexpr Part kUpperHalf[2] = {Part::whole, Part::h1};
inline constexpr Part kSignParts[1] = {Part::sign};
inline constexpr Part kRowColumn[2] = {Part::row, Part::col};
inline constexpr Part kOnlyRow[2] = {Part::row, Part::unnamed1};
inline constexpr Part kOnlyColumn[2] = {Part::unnamed0, Part::col};

inline constexpr BitField kRoundingBits{78, 2};
inline constexpr BitField kFtzFmzBits{80, 1, 76, 1};

}  // namespace gemmscope::isa::rows

namespace gemmscope::isa {

// The rows by family. The lists live as long as the program.
std::span<const OpcodeRow> integer_rows();
std::span<const OpcodeRow> predicate_rows();
std::span<const OpcodeRow> float_rows();
std::span<const OpcodeRow> half_rows();
std::span<const OpcodeRow> conversion_rows();
std::span<const OpcodeRow> tensor_rows();
std::span<const OpcodeRow> memory_rows();
std::span<const OpcodeRow> atomic_rows();
std::span<const OpcodeRow> control_rows();
std::span<const OpcodeRow> async_rows();
std::span<const OpcodeRow> texture_rows();

}  // namespace gemmscope::isa
