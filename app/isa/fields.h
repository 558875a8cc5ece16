// Reads fields of an instruction at fixed bits. The printed position of a source varies, because most
// operations do not print a predicate that is PT; these helpers do not depend on it.
#pragma once

#include "isa/instruction.h"

namespace gemmscope::isa {

// The k-th operand after the destinations: source, address, immediate or predicate. Operand k must exist.
inline const Operand& source(const Instruction& instruction, int k) {
  return instruction.operands[instruction.destination_count + k];
}
inline int source_count(const Instruction& instruction) {
  return instruction.operand_count - instruction.destination_count;
}

// The destination register's number. It is RZ if the operation has a destination that is not printed. A
// uniform register's number has 6 bits.
inline uint8_t destination_register(const Instruction& instruction) {
  return static_cast<uint8_t>(instruction.bits(16, 8));
}

// Written predicates: 0 is bits 81–83, 1 is bits 84–86; PT drops the result. Only for operations that have
// them.
inline uint8_t predicate_destination(const Instruction& instruction, int which) {
  return static_cast<uint8_t>(instruction.bits(which == 0 ? 81 : 84, 3));
}

struct PredicateSource {
  uint8_t index = kPredicateTrue;
  bool negate = false;
};

// Read predicates: 0 is bits 87–90, 1 is bits 77–80, 2 is bits 68–71. Only for operations that have them.
inline PredicateSource predicate_source(const Instruction& instruction, int which) {
  constexpr int kFirst[3] = {87, 77, 68};
  return {static_cast<uint8_t>(instruction.bits(kFirst[which], 3)),
          instruction.bits(kFirst[which] + 3, 1) != 0};
}

}  // namespace gemmscope::isa
