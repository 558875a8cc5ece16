#include <cstring>

#include "isa/disassemble.h"
#include "isa/opcode_table.h"
#include "targets.h"

namespace gemmscope::fuzz {

void instruction(Bytes bytes) {
  for (size_t at = 0; at + isa::kInstructionBytes <= bytes.size(); at += isa::kInstructionBytes) {
    uint64_t lo = 0, hi = 0;
    std::memcpy(&lo, &bytes[at], sizeof lo);
    std::memcpy(&hi, &bytes[at + sizeof lo], sizeof hi);
    for (const isa::Arch arch : isa::kAllArchs) {
      const isa::Instruction decoded = isa::decode(lo, hi, static_cast<uint32_t>(at), arch);
      require(decoded.lo == lo && decoded.hi == hi, "an instruction keeps its bits");
      require(decoded.known() == (decoded.row != nullptr), "a known instruction has a row of the table");
      require(decoded.destination_count <= decoded.operand_count, "destinations are operands");
      const std::string text = isa::disassemble(decoded);
      require(text.ends_with(" ;") || !decoded.known(), "disassembly ends with \" ;\": " + text);
      for (const char c : text) require(c >= ' ' && c <= '~', "disassembly is printable: " + text);
      require(!isa::control_text(decoded).empty(), "there is a text of the control bits");
    }
  }
}

}  // namespace gemmscope::fuzz
