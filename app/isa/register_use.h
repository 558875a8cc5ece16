// Which registers an instruction reads and writes, how many of each, and through which operand slot. Derived
// from the decoded instruction alone, for whoever follows dependencies or counts register ports.
//
// Leaves out: what the hardware does to registers later and on its own, as a warpgroup's product does with
// its accumulators; all but the first register of each operand of a texture or a surface operation and of a
// tensor copy (UTMA…); return addresses and convergence barriers, which the hardware tracks itself. The guard
// is Instruction::guard and is not repeated here.
#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "isa/opcode_table.h"

namespace gemmscope::isa {

// `words` consecutive registers from `reg` on. Never holds RZ or URZ.
struct RegisterRange {
  uint8_t reg = 0, words = 1;
  friend bool operator==(const RegisterRange&, const RegisterRange&) = default;
};

struct RegisterRead {
  uint8_t reg = 0, words = 1;
  uint8_t slot = kNoSlot;  // operand slot 0–2; kNoSlot where the instruction word has no reuse flag for it
  bool reuse = false;      // the operand cache keeps the register for the next read through this slot
  friend bool operator==(const RegisterRead&, const RegisterRead&) = default;
};

// A set of predicates: bit k is P0 + k. PT is never in it.
using PredicateSet = uint8_t;
inline constexpr PredicateSet kAllPredicates = 0x7f;

struct RegisterUse {
  ShortList<RegisterRead, 6> reads;
  ShortList<RegisterRange, 2> writes;
  ShortList<RegisterRange, 6> uniform_reads;
  ShortList<RegisterRange, 1> uniform_writes;
  PredicateSet predicate_reads = 0, predicate_writes = 0;
  PredicateSet uniform_predicate_reads = 0, uniform_predicate_writes = 0;
};

// Nothing is read or written by an unknown instruction.
RegisterUse register_use(const Instruction& instruction);

}  // namespace gemmscope::isa
