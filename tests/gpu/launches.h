// What the programs that need a GPU launch there.
#pragma once

#include "catalog/catalog.h"
#include "experiment/pipeline.h"
#include "gpu/client.h"

namespace gemmscope::gpu {

// What the kernel's parameters declare, as the CPU execution has it; C comes back. `leave_unwritten`: so the
// memory of buffers that hold nothing at first.
RunRequest run_request(const experiment::CompiledKernel& compiled, const catalog::Problem& problem,
                       const std::map<std::string, int64_t>& toggles = {}, bool leave_unwritten = false);

struct Case {
  catalog::Kernel kernel;
  std::map<std::string, int64_t> toggles;
  std::string label;
};
// The kernel with its defaults, and with each other value of each toggle.
std::vector<Case> cases_of(const catalog::Kernel& kernel);
// Those of each kernel of the ladder.
std::vector<Case> ladder_cases();
// Each kernel of a folder with every combination of its toggles' values.
std::vector<Case> all_combinations(const std::filesystem::path& folder);

}  // namespace gemmscope::gpu
