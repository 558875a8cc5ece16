// Command-line options that describe an experiment; every subcommand that needs an experiment takes them.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "experiment/experiment.h"

namespace CLI {
class App;  // its header takes seconds to compile: only the sources that define options include it
}

namespace gemmscope::cli {

struct ExperimentOptions {
  std::string kernel, arch = "sm_86";
  bool arch_given = false;  // else it may be later, if the kernel needs that
  int64_t m = 256, n = 256, k = 256;
  float alpha = 1.0f, beta = 0.0f;
  std::vector<uint32_t> block;
  std::vector<std::string> toggles;  // NAME=VALUE
  std::vector<std::string> inputs;   // NAME=EXPRESSION
  uint32_t launch = 1;               // which of several, from 1
  // ---- of a user's own file: the keys of its description
  std::string entry, block_dim, grid_dim, shared;
  std::vector<std::string> defines, parameters;
  bool column_major = false;
  bool json = false;
};

// `kernel_name` is the name of the option for the kernel: "kernel" (a positional), "--kernel" or, where the
// command names its kernels in its own way, "".
void add_experiment_options(CLI::App& command, ExperimentOptions& options,
                            const std::string& kernel_name = "kernel");

// The kernel (from the catalogue, or a user's .cu file) and the experiment on it.
struct ChosenExperiment {
  catalog::Kernel kernel;
  experiment::Experiment experiment;
};
struct ChoiceError {
  std::string message;  // names the option
  int exit_code;        // kBadUse, or kFailed for a kernel file that is missing or malformed
};
tl::expected<ChosenExperiment, ChoiceError> choose_experiment(const ExperimentOptions& options);

}  // namespace gemmscope::cli
