// Changes of machine code by hand: an instruction moves by one place, or a control field of it changes. An
// edit is small and names its instruction by the address that it has before the edit, so that a list of edits
// can be saved and made again on the same code.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "isa/instruction.h"

namespace gemmscope::schedule {

enum class EditKind : uint8_t {
  up,     // changes places with the instruction before it
  down,   // or with the one behind it
  reuse,  // flips the reuse flag of an operand slot
  stall,  // sets the stall count
  yield,  // flips the yield flag
  mend,   // adds the waits and stall cycles that the hazard lint misses, in all of the code
};
struct Edit {
  EditKind kind = EditKind::up;
  uint32_t address = 0;  // bytes; mend: 0
  int value = 0;         // reuse: the slot, 0 to 2; stall: the cycles, 0 to 15
  friend bool operator==(const Edit&, const Edit&) = default;
};

// "0x1a40 up", "0x1a40 reuse b", "0x1a40 stall 4", "0x1a40 yield", "mend"; read_edit reads it back.
std::string edit_text(const Edit& edit);
Result<Edit> read_edit(std::string_view text);

struct EditedCode {
  std::vector<isa::Instruction> instructions;
  std::vector<uint32_t> moved;  // by place: the place in the code before
  std::vector<char> by_hand;    // by place: an edit named it
};
// Makes the edits in their order. What they break is not looked at here (schedule/breakage.h).
// `named_addresses`: of instructions that must stay (cubin/write_cubin.h). Errors: an edit that nothing could
// be said about: no such instruction, a move across a branch or into a loop, an operand that has no flag.
Result<EditedCode> apply_edits(const std::vector<isa::Instruction>& before, std::span<const Edit> edits,
                               const std::vector<uint32_t>& named_addresses);

// 16 hexadecimal digits that tell one kernel's machine code from another's. Not for secrets.
std::string fingerprint(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::schedule
