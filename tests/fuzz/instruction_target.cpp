#include <cstring>
#include <vector>

#include "isa/disassemble.h"
#include "isa/opcode_table.h"
#include "lint/lint.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

// The same words as the code of a kernel, whatever its branches and its schedule are.
void lint_words(Bytes bytes) {
  for (const isa::Arch arch : isa::kAllArchs) {
    std::vector<isa::Instruction> code;
    for (size_t at = 0; at + isa::kInstructionBytes <= bytes.size(); at += isa::kInstructionBytes) {
      uint64_t words[2] = {};
      std::memcpy(words, &bytes[at], sizeof words);
      code.push_back(isa::decode(words[0], words[1], static_cast<uint32_t>(at), arch));
    }
    const lint::LintResult result = lint::lint(code);
    require(result.instructions == code.size(), "the lint looks at every instruction");
    for (const lint::Finding& finding : result.findings) {
      require(finding.dependence.producer < code.size(), "a finding has a producer");
      require(finding.dependence.consumer < code.size(), "a finding has a consumer");
      require(!lint::finding_text(finding, code).empty(), "a finding has a sentence");
      require(!lint::missing_text(finding).empty(), "a finding says what is missing");
    }
  }
}

}  // namespace

void instruction(Bytes bytes) {
  lint_words(bytes);
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
