// The launches of the programs that need a GPU.
#pragma once

#include "catalog/catalog.h"
#include "experiment/pipeline.h"
#include "gpu/client.h"

namespace gemmscope::gpu {

// Returns a request with the data that the kernel's parameters declare, as in the CPU execution; C is
// returned. With `leave_unwritten`, buffers without initial values are not written.
RunRequest run_request(const experiment::CompiledKernel& compiled, const catalog::Problem& problem,
                       const std::map<std::string, int64_t>& toggles = {}, bool leave_unwritten = false);

// Runs all launches of a kernel in order on the same buffers; the reply has all of them, in the order of the
// parameters.
Outcome<RunReply> run_all(Client& client, const experiment::CompiledKernel& compiled,
                          const catalog::Problem& problem, const std::map<std::string, int64_t>& toggles);

struct Case {
  catalog::Kernel kernel;
  std::map<std::string, int64_t> toggles;
  std::string label;
};
// Returns the kernel with its defaults, and with each other value of each toggle.
std::vector<Case> cases_of(const catalog::Kernel& kernel);
// Returns those of each kernel of the ladder.
std::vector<Case> ladder_cases();
// Returns each kernel of a folder with every combination of its toggles' values.
std::vector<Case> all_combinations(const std::filesystem::path& folder);

}  // namespace gemmscope::gpu
