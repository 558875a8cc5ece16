#include "experiment/experiment.h"

#include <algorithm>
#include <tuple>

namespace gemmscope::experiment {

bool operator==(const Experiment& a, const Experiment& b) {
  const auto key = [](const Experiment& e) {
    return std::tie(e.kernel, e.problem.m, e.problem.n, e.problem.k, e.problem.alpha, e.problem.beta,
                    e.toggles, e.inputs, e.arch, e.launch, e.block, e.changes);
  };
  return key(a) == key(b);
}

Experiment with_kernel(Experiment experiment, const std::string& kernel) {
  if (experiment.kernel == kernel) return experiment;
  experiment.kernel = kernel;
  experiment.toggles.clear();
  experiment.inputs.clear();
  experiment.launch = 0;
  experiment.block = {0, 0, 0};
  experiment.changes = {};
  return experiment;
}

isa::Arch arch_for(const catalog::Kernel& kernel, isa::Arch arch) {
  if (isa::sm_number(arch) >= kernel.architecture) return arch;
  const auto* const fits = std::ranges::find_if(
      isa::kAllArchs, [&](isa::Arch a) { return isa::sm_number(a) >= kernel.architecture; });
  return fits == isa::kAllArchs.end() ? arch : *fits;
}

}  // namespace gemmscope::experiment
