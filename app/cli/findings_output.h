// Mistakes of a kernel, and an execution that stopped at one, as sentences and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::cli {

// What was found: places in the code of the launch that is shown, and the other launches'.
struct Mistakes {
  std::vector<machine::Finding> shown;
  std::vector<experiment::OtherFinding> others;
};
Mistakes mistakes_of(const experiment::GridResult& grid);

nlohmann::json findings_json(const Mistakes& mistakes, const experiment::CompiledKernel& compiled);
// A heading and a sentence each; nothing where there are none.
void print_findings(const Mistakes& mistakes, const experiment::CompiledKernel& compiled,
                    std::FILE* stream = stdout);

// A failed execution: its sentence, and the mistakes that were found before; all of it as JSON, too. Returns
// kFailed.
int print_failed_run(const experiment::Failure& failure, const experiment::CompiledKernel& compiled,
                     const experiment::Experiment& experiment, bool as_json);

}  // namespace gemmscope::cli
