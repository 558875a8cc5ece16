// Prints counters and bank reports as tables, JSON, CSV and the line format of a profiler.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::cli {

nlohmann::json summary_json(const metrics::CounterSummary& summary);
nlohmann::json bank_row_json(const metrics::BankRow& row, const experiment::CompiledKernel& compiled);

nlohmann::json distance_json(const metrics::DistanceSummary& distances);
void print_summary(const metrics::CounterSummary& summary);
// How far apart the traced block issues what depends on each other; null where it could not be traced.
void print_distances(const experiment::BlockResult* block);
// Prints a line for each launch when there are several, and nothing when there is one. `summaries` are in the
// order of the launches.
void print_launches(const experiment::CompiledKernel& compiled,
                    const std::vector<metrics::CounterSummary>& summaries);
nlohmann::json launches_json(const experiment::CompiledKernel& compiled,
                             const std::vector<metrics::CounterSummary>& summaries);
void print_summary_csv(const metrics::CounterSummary& summary);  // a line for each figure
void print_ncu_line(const metrics::CounterSummary& summary);     // a line of names, a line of values
void print_bank_rows(const std::vector<metrics::BankRow>& rows, const experiment::CompiledKernel& compiled);

}  // namespace gemmscope::cli
