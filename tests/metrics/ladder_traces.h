// Traces blocks of the ladder's kernels once for all tests of this folder.
#pragma once

#include <map>

#include "../experiment/ladder_run.h"

namespace gemmscope::metrics {

using experiment::BlockResult, experiment::ladder_ids;

// Returns the block at the problem, with its sizes rounded up to what the kernel requires. Null after a
// failed expectation.
inline std::shared_ptr<const BlockResult> traced_block(const std::string& kernel,
                                                       const catalog::Problem& problem,
                                                       isa::Arch arch = isa::Arch::sm_86) {
  using Key = std::tuple<std::string, int64_t, int64_t, int64_t, isa::Arch>;
  static std::map<Key, std::shared_ptr<const BlockResult>> made;
  std::shared_ptr<const BlockResult>& block = made[{kernel, problem.m, problem.n, problem.k, arch}];
  if (block != nullptr) return block;
  const catalog::Kernel* const described = experiment::ladder().find(kernel);
  const auto fitting =
      described == nullptr ? problem : catalog::fitted(*described, problem, {}).value_or(problem);
  const experiment::Experiment e = experiment::experiment_on(kernel, arch, fitting);
  const auto compiled = experiment::compile_ladder(e);
  if (compiled == nullptr) return nullptr;
  const experiment::Outcome<BlockResult> result = experiment::run_block(compiled, e, nullptr);
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return block = result.value_or(nullptr);
}

}  // namespace gemmscope::metrics
