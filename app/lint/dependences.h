// Every dependence between two instructions of a kernel's code, along every path of control flow.
#pragma once

#include <functional>
#include <vector>

#include "isa/instruction.h"
#include "lint/dependence.h"

namespace gemmscope::lint {

// `instructions`: a kernel's code from its entry on, without gaps. A dependence is visited at least once.
void for_dependences(const std::vector<isa::Instruction>& instructions,
                     const std::function<void(const Dependence&)>& visit);

}  // namespace gemmscope::lint
