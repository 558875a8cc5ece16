// Compiles an instruction test and runs it on the machine.
#pragma once

#include "cubin/cubin.h"
#include "instruction_case.h"

namespace gemmscope::instructions {

struct CompiledCase {
  std::vector<std::byte> binary;
  cubin::Cubin cubin;
  std::string text;  // its disassembly, a line an instruction
  const cubin::KernelCode& kernel() const { return *cubin.find("test"); }
};
Result<CompiledCase> compile_case(const InstructionCase& c, isa::Arch arch);

// Returns out[] after the launch. The error is the text of the machine's fault.
Result<std::vector<uint32_t>> run_on_machine(const InstructionCase& c, const CompiledCase& compiled);

}  // namespace gemmscope::instructions
