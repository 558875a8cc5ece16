// Output of the headless commands: plain tables and JSON on stdout, one-sentence errors on stderr.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/results.h"

namespace gemmscope::cli {

int print_error(const std::string& message);            // returns kFailed
void print_note(const std::string& message);            // to stderr: what replaced what was asked for
int print_failure(const experiment::Failure& failure);  // with places in the source; returns kFailed
void print_json(const nlohmann::json& json);

nlohmann::json experiment_json(const experiment::Experiment& experiment);
nlohmann::json resources_json(const experiment::Resources& resources);
nlohmann::json coverage_json(const experiment::GridCoverage& coverage);
nlohmann::json verification_json(const experiment::Verification& verification);

// Prints the experiment and where its machine code comes from.
void print_heading(const experiment::CompiledKernel& compiled, const experiment::Experiment& experiment);
void print_resources(const experiment::CompiledKernel& compiled);
void print_verification(const experiment::Verification& verification);

}  // namespace gemmscope::cli
