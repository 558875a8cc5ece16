// Whether what a kernel executes and where it accesses memory depend on the values in memory. If nothing
// does, its counters are a function of the launch alone, and blocks at like places count alike.
//
// Follows values forward over the control flow of the machine code, register by register. A value from global
// or shared memory, an atomic or a clock taints what is computed from it. Errs on the safe side: everything
// read from shared memory is tainted, also what a kernel computed and put there; local memory is one place
// unless all its accesses are at fixed offsets from the stack pointer, as those of spills are; operands of
// matrix instructions have their largest width; indirect branches and Hopper's asynchronous engines count as
// dependent.
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

// None: the counters do not depend on data.
std::optional<DataDependence> find_data_dependence(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::metrics
