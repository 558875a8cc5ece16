// What the compiler is asked for, of an experiment.
#pragma once

#include "compile/compiler.h"
#include "experiment/experiment.h"

namespace gemmscope::experiment {

// The macros of toggles and typed inputs, the folders of headers, and the pack for where there is no NVRTC.
// Errors: a typed input that is no expression of its names.
Result<compile::CompileRequest> compile_request(const catalog::Kernel& kernel, const Experiment& experiment);

}  // namespace gemmscope::experiment
