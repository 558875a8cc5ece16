// From a cubin's machine code to a Program that blocks execute.
#pragma once

#include "machine/state/program.h"

namespace gemmscope::machine {

// Never fails because of an instruction: one that the machine does not know becomes a micro-op that faults
// when a lane reaches it. Errors: those of constant_banks.
Result<Program> translate(const cubin::Cubin& cubin, const cubin::KernelCode& kernel,
                          const LaunchConfig& launch, GlobalMemory& memory);

}  // namespace gemmscope::machine
