// Which instructions may execute after which, seen from one thread. For whoever follows values or times
// through a kernel's code.
//
// A return leads to every place behind a call: callers are not told apart. The targets of BRX, BRXU and
// CALL.ABS are in registers and constants, so these have no successors here unless they are conditional.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/instruction.h"

namespace gemmscope::isa {

class ControlFlow {
 public:
  // `instructions`: a kernel's code from its entry on, without gaps.
  explicit ControlFlow(const std::vector<Instruction>& instructions);

  // Indices of the instructions that may execute after instruction i. A return also leads to all
  // return_sites().
  std::span<const uint32_t> successors(uint32_t i) const {
    return std::span(successors_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  // The instructions behind the calls, but not behind those that only jump.
  std::span<const uint32_t> return_sites() const { return return_sites_; }

 private:
  std::vector<uint32_t> first_, successors_, return_sites_;
};

// What a branch backwards repeats: the instructions between its target and itself that lie on a way from one
// to the other which does not leave them. The turn of a wait that the compiler has put behind the kernel's
// end is a loop of its few instructions, although its branch goes back over many; and a branch that only
// returns from there is none.
struct Loop {
  uint32_t head = 0, back_edge = 0;
  std::vector<uint32_t> body;  // sorted
  bool has(uint32_t i) const;
};
// By back edge. The padding behind a kernel, which branches to itself, is none.
std::vector<Loop> loops_of(const std::vector<Instruction>& instructions);

// CALL.REL with a known target; another CALL.REL is how sm_75 to sm_89 write some returns.
bool is_call(const Instruction& instruction);
bool is_return(const Instruction& instruction);
// Whether control may go elsewhere than to the next instruction.
bool ends_block(const Instruction& instruction);

}  // namespace gemmscope::isa
