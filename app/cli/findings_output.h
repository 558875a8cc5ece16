// Prints the mistakes of a kernel, and an execution that stopped at one, as sentences and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::cli {

// The findings in the code of the launch that is shown, and those of the other launches.
struct Mistakes {
  std::vector<machine::Finding> shown;
  std::vector<experiment::OtherFinding> others;
};
Mistakes mistakes_of(const experiment::GridResult& grid);

nlohmann::json findings_json(const Mistakes& mistakes, const experiment::CompiledKernel& compiled);
// Prints a heading and a sentence for each mistake; nothing when there are none.
void print_findings(const Mistakes& mistakes, const experiment::CompiledKernel& compiled,
                    std::FILE* stream = stdout);

// Prints the sentence of a failed execution and the mistakes found before it; with `as_json` also as JSON.
// Returns kFailed.
int print_failed_run(const experiment::Failure& failure, const experiment::CompiledKernel& compiled,
                     const experiment::Experiment& experiment, bool as_json);

}  // namespace gemmscope::cli
