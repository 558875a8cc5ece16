// With these words a row of the instruction table says where its operands are and how they are read.
//
// Three sources share three places: A is bits 24–31, C is bits 64–71, and B is bits 32–63, where the form
// chooses a register, an immediate, a constant or a uniform register. In forms 2, 3 and 7 B holds the *last*
// source and C the second. `first`, `second` and `third` are the printed positions and take this into
// account.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "isa/arch_set.h"
#include "isa/bit_field.h"
#include "isa/modifier.h"

namespace gemmscope::isa {

// clang-format off
enum class Place : uint8_t {
  none,
  // Registers. In a row of the uniform datapath all but `vector_…` are uniform registers.
  destination,          // 16–21/23
  uniform_destination,  // 16–21, in a row of the vector datapath
  first, second, third, // the sources by printed position
  slot_b,               // the second of two sources
  slot_b_adder,         // slot_b on the adder's port: its reuse flag is that of a third source
  vector_a, vector_b, vector_c,     // always a vector register
  uniform_a, uniform_b, uniform_c,  // always a uniform register
  mask_register,                    // UR in 24–29, inverted by bit 30
  // Predicates. `u` and `v` are written, the others are read; the bit above a source negates it.
  predicate_u,           // 81–83
  predicate_v,           // 84–86
  predicate_q,           // 87–89, 90
  predicate_r,           // 77–79, 80
  predicate_s,           // 68–70, 71
  uniform_predicate_u,   // 81–83, in a row of the vector datapath
  uniform_predicate_s,   // 68–70, 71, in a row of the vector datapath
  uniform_predicate_a,   // 24–26, 27, in a row of the vector datapath
  complement_64,         // 64–66, 67: stored as 7 − n
  complement_87,         // 87–89, 90: a uniform predicate, stored as 7 − n
  predicate_file,
  uniform_predicate_file,
  // Numbers and names
  immediate,             // `bits`, unsigned
  special_register,      // 72–79
  barrier,               // `bits`
  scoreboard, scoreboard_set, group_scoreboard, group_descriptor, // gdesc: UR in `bits`
  register_in,           // the vector register in `bits`
  uniform_in,            // the uniform register in `bits`
  cache_descriptor,      // 40–45
  lane_signs,            // 32–39
  name_in,               // the name in `names` for the value of `bits`
  // Code addresses
  relative_target,       // the long branch displacement
  convergence_target,    // 34–63, BSSY
  byte_target,           // 24–81 in bytes, LEPC
  register_displacement, // A and the raw displacement
  uniform_displacement,  // UR in 24–29 and the raw displacement
  register_target,       // A and the absolute address of the displacement
  // Constants and memory
  constant_or_indexed,   // LDC
  uniform_constant,      // ULDC
  uniform_indexed_constant,
  shared_address,        // [A + UR + 24 bits], UR at `bits.first` if bit 91
  scaled_shared_address, // shared_address with A scaled by 78–79
  global_address,        // UR at `bits.first`: descriptor or added, bit 76 says which (sm_80 and later)
  atomic_address,        // global_address, but bit 71 says which
  plain_address,         // [A + 24 bits]
  long_address,          // [A + 32 bits]
  copy_destination,      // LDGSTS: shared memory, [destination + 20 bits]
  copy_source,           // LDGSTS: global memory, [A + 12 bits]
  cluster_address,       // STAS
  register_address,      // [A]
  uniform_address,       // [UR], UR at `bits.first`
  uniform_offset_address // [UR + 24 bits], UR at `bits.first`
};
// clang-format on

// Which bits of a source change its sign, and how an immediate in its place is read.
enum class Source : uint8_t {
  raw,                 // none; immediate unsigned
  raw_signed,          // none; immediate signed
  negatable,           // minus; immediate signed
  negatable_unsigned,  // minus; immediate unsigned
  logical,             // bitwise not; immediate signed
  carry,               // minus, or with .X (bit 74) bitwise not; immediate signed
  carry_in_b,          // carry, but only in slot B; immediate unsigned
  f32,
  f64,         // minus and absolute value; a 64-bit immediate gives the high word
  half,        // minus, absolute value and a choice of halves; the immediate is a pair
  half_whole,  // half without the choice
};

struct OperandSpec {
  Place place = Place::none;
  Source source = Source::raw;
  BitField bits{};
  bool hidden_default = false;  // not printed when it is PT, RZ or 0
  ArchSet archs = kAllSm;
  Condition condition{};
  const Part* parts = nullptr;  // the parts of a register that `part_bits` chooses from
  BitField part_bits{};
  const Modifier* names = nullptr;

  constexpr OperandSpec optional() const {
    auto s = *this;
    s.hidden_default = true;
    return s;
  }
  constexpr OperandSpec on(ArchSet set) const {
    auto s = *this;
    s.archs = set;
    return s;
  }
  constexpr OperandSpec when(BitField field, std::initializer_list<int> values) const {
    auto s = *this;
    s.condition = {field, 0};
    for (const int value : values) s.condition.accepted |= uint64_t{1} << value;
    return s;
  }
  constexpr OperandSpec if_set(uint8_t bit) const { return when({bit, 1}, {1}); }
  constexpr OperandSpec if_clear(uint8_t bit) const { return when({bit, 1}, {0}); }
  constexpr OperandSpec in_forms(std::initializer_list<int> forms) const { return when({9, 3}, forms); }
  constexpr OperandSpec part(BitField field, const Part* table) const {
    auto s = *this;
    s.part_bits = field;
    s.parts = table;
    return s;
  }
};

}  // namespace gemmscope::isa
