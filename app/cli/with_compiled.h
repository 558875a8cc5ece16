// The first steps of every command on a kernel.
#pragma once

#include <memory>

#include "cli/experiment_options.h"
#include "cli/output.h"
#include "experiment/pipeline.h"

namespace gemmscope::cli {

using CompiledPointer = std::shared_ptr<const experiment::CompiledKernel>;

// Chooses the experiment, compiles its kernel and passes both to `use`, whose exit code it returns. Errors
// are printed.
template <typename F>
int with_compiled(const ExperimentOptions& options, F use) {
  tl::expected<ChosenExperiment, ChoiceError> chosen = choose_experiment(options);
  if (!chosen) return print_error(chosen.error().message), chosen.error().exit_code;
  experiment::Outcome<experiment::CompiledKernel> compiled =
      experiment::compile_kernel(chosen->kernel, chosen->experiment);
  if (!compiled) return print_failure(compiled.error());
  return use(*compiled, *chosen);
}

}  // namespace gemmscope::cli
