// What edits of machine code break: dependences between instructions that changed places, and reuse flags
// that outlive their register. Stall counts and scoreboards are the hazard lint's.
//
// Edits rename no register. So the code computes the same if every two instructions that changed places could
// do so: neither writes what the other reads or writes, and no access to memory passes another one that it
// may not pass. Two accesses may pass each other if both read, or if one is of shared memory alone and the
// other of global or local memory alone; addresses are not compared. Whatever orders memory (barriers,
// fences, atomics, copies in groups) passes no access at all.
#pragma once

#include <string>
#include <vector>

#include "schedule/edit.h"

namespace gemmscope::schedule {

struct Breakage {
  uint32_t instruction = 0;  // in the edited code: where the mistake shows
  std::string sentence;      // names the dependence and the other place
};

// In the order of the code, at most `kMostBreakages`.
inline constexpr size_t kMostBreakages = 50;
std::vector<Breakage> what_breaks(const std::vector<isa::Instruction>& before, const EditedCode& edited);

// Reuse flags that keep a register beyond the instruction that writes it. Code of a compiler has none.
std::vector<Breakage> outlived_flags(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::schedule
