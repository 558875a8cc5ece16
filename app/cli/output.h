// How the headless commands speak: plain tables and JSON on stdout, one-sentence errors on stderr.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/results.h"

namespace gemmscope::cli {

int print_error(const std::string& message);            // returns kFailed
int print_failure(const experiment::Failure& failure);  // with its places in the source; returns kFailed
// A failed execution: the same, and the mistakes that were found before; all of it as JSON, too.
int print_failed_run(const experiment::Failure& failure, const experiment::CompiledKernel& compiled,
                     const experiment::Experiment& experiment, bool as_json);
void print_json(const nlohmann::json& json);

nlohmann::json experiment_json(const experiment::Experiment& experiment);
nlohmann::json resources_json(const experiment::Resources& resources);
nlohmann::json summary_json(const metrics::CounterSummary& summary);
nlohmann::json coverage_json(const experiment::GridCoverage& coverage);
nlohmann::json verification_json(const experiment::Verification& verification);
nlohmann::json bank_row_json(const metrics::BankRow& row, const experiment::CompiledKernel& compiled);

// Two lines: the experiment, and where its machine code comes from.
void print_heading(const experiment::CompiledKernel& compiled, const experiment::Experiment& experiment);
void print_resources(const experiment::CompiledKernel& compiled);
void print_summary(const metrics::CounterSummary& summary);
// A line for each of several launches; nothing where there is one. `summaries`: in their order.
void print_launches(const experiment::CompiledKernel& compiled,
                    const std::vector<metrics::CounterSummary>& summaries);
nlohmann::json launches_json(const experiment::CompiledKernel& compiled,
                             const std::vector<metrics::CounterSummary>& summaries);
void print_summary_csv(const metrics::CounterSummary& summary);  // a line a figure
void print_ncu_line(const metrics::CounterSummary& summary);     // a line of names, a line of values
void print_bank_rows(const std::vector<metrics::BankRow>& rows, const experiment::CompiledKernel& compiled);
nlohmann::json findings_json(const std::vector<machine::Finding>& findings,
                             const experiment::CompiledKernel& compiled);
// A heading and a sentence each; nothing where there are none.
void print_findings(const std::vector<machine::Finding>& findings, const experiment::CompiledKernel& compiled,
                    std::FILE* stream = stdout);
void print_verification(const experiment::Verification& verification);

}  // namespace gemmscope::cli
