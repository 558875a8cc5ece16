// Finds whether a kernel's control flow or addresses depend on the values in memory. If they do not, its
// counters are a function of the launch alone, and blocks at similar places have equal counters.
//
// This is a forward taint analysis over the control flow of the machine code, register by register. A value
// from global or shared memory, an atomic or a clock taints what is computed from it. It errs on the safe
// side: everything read from shared memory is tainted, even if the kernel computed it; local memory is one
// place unless all its accesses are at fixed offsets from the stack pointer, as in spills; operands of matrix
// instructions have their largest width; indirect branches and those of Hopper's asynchronous engines that
// the machine does not execute count as dependent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace gemmscope::metrics {

struct DataDependence {
  uint32_t instruction = 0;  // the first in code order that depends on data
  std::string what;          // "its address", "its guard" …
};

// Returns nothing if the counters do not depend on data.
std::optional<DataDependence> find_data_dependence(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::metrics
