// A value stored in one or two runs of bits of an instruction word.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace gemmscope::isa {

// The low `width` bits begin at `first`, the `high_width` bits above them at `high_first`. Width 0 gives 0.
struct BitField {
  uint8_t first = 0, width = 0;
  uint8_t high_first = 0, high_width = 0;

  constexpr int total_width() const { return width + high_width; }
  uint64_t of(const Instruction& word) const {
    uint64_t value = word.bits(first, width);
    if (high_width != 0) value |= word.bits(high_first, high_width) << width;
    return value;
  }
};

// A field of width 0 has no sign: it reads as 0.
constexpr int64_t sign_extended(uint64_t value, int width) {
  if (width == 0) return 0;
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((value ^ sign) - sign);
}

// Holds if bit v of `accepted` is set for the field's value v. The field has at most 6 bits.
struct Condition {
  BitField bits;
  uint64_t accepted = 1;

  bool holds(const Instruction& word) const { return (accepted >> bits.of(word)) & 1; }
};

}  // namespace gemmscope::isa
