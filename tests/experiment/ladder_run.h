// Compiles the ladder's kernels (with NVRTC, else from the prebuilt pack) and runs them with access to their
// memory.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "../isa/print_arch.h"
#include "catalog/catalog.h"
#include "experiment/launch_parts.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "machine/execute/grid.h"
#include "machine/translate/translate.h"

namespace gemmscope::experiment {

inline const catalog::Catalog& ladder() {
  static const catalog::Catalog catalog =
      catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels" / "ladder");
  return catalog;
}

inline std::vector<std::string> ladder_ids() {
  std::vector<std::string> ids;
  for (const catalog::Kernel& kernel : ladder().kernels) ids.push_back(kernel.id);
  return ids;
}

// Rounds sizes up to what the kernel accepts. Returns nothing if the kernel does not run on the architecture.
inline std::optional<catalog::Problem> fitted_for(const catalog::Kernel& kernel, isa::Arch arch,
                                                  const catalog::Problem& wanted,
                                                  const std::map<std::string, int64_t>& toggles = {}) {
  if (isa::sm_number(arch) < kernel.architecture) return std::nullopt;
  const auto problem = catalog::fitted(kernel, wanted, toggles);
  EXPECT_TRUE(problem.has_value()) << problem.error().message;
  if (!problem) return std::nullopt;
  const auto launch = catalog::launch_for(kernel, *problem, toggles);
  EXPECT_TRUE(launch.has_value()) << launch.error().message;
  if (!launch || launch->dynamic_shared_bytes > isa::most_shared_bytes(arch)) return std::nullopt;
  return *problem;
}

// cvt.rna keeps infinite and NaN factors unchanged. The machine code tests for them, so its counters depend
// on the data.
inline bool counts_by_data(const std::string& kernel, const std::map<std::string, int64_t>& toggles) {
  return kernel == "14_tensor_tf32" && toggles.contains("ROUND") && toggles.at("ROUND") == 1;
}

inline bool has_nvrtc() { return compile::nvrtc_version().has_value(); }

// On a later architecture where the kernel needs that.
inline Experiment experiment_on(const std::string& kernel, isa::Arch arch, const catalog::Problem& problem) {
  Experiment experiment;
  experiment.kernel = kernel;
  const catalog::Kernel* const known = ladder().find(kernel);
  experiment.arch = known == nullptr ? arch : arch_for(*known, arch);
  experiment.problem = problem;
  return experiment;
}

inline std::shared_ptr<const CompiledKernel> compile_ladder(const Experiment& experiment) {
  const catalog::Kernel* kernel = ladder().find(experiment.kernel);
  EXPECT_NE(kernel, nullptr) << experiment.kernel;
  if (kernel == nullptr) return nullptr;
  const Outcome<CompiledKernel> compiled = compile_kernel(*kernel, experiment);
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  return compiled.value_or(nullptr);
}

// All launches of a kernel, with their matrices, so that a test can inspect all memory afterwards.
struct GridOnData {
  ProblemData data;
  machine::InstructionCounts counts;  // of the shown launch

  std::span<const float> floats(const char* name) { return as_floats(data.memory.bytes(name)); }
};

inline GridOnData run_on_data(const CompiledKernel& compiled, const catalog::Problem& problem, int threads,
                              const std::map<std::string, int64_t>& toggles = {}) {
  auto data = make_problem_data(compiled.kernel, problem, toggles);
  EXPECT_TRUE(data.has_value()) << data.error().message;
  GridOnData run{data ? *std::move(data) : ProblemData(), machine::InstructionCounts()};
  machine::GridOptions options;
  options.threads = threads;
  for (const LaunchPart& part : compiled.parts) {
    auto done = run_part(compiled, part, run.data, options);
    EXPECT_TRUE(done.has_value()) << done.error().message;
    if (!done) return run;
    if (part.code_index == compiled.code_index) run.counts = std::move(done->counts);
  }
  return run;
}

inline bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace gemmscope::experiment
