// Counters and bank reports as tables, JSON, CSV and a profiler's line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "experiment/results.h"

namespace gemmscope::cli {

nlohmann::json summary_json(const metrics::CounterSummary& summary);
nlohmann::json bank_row_json(const metrics::BankRow& row, const experiment::CompiledKernel& compiled);

void print_summary(const metrics::CounterSummary& summary);
// A line for each of several launches; nothing where there is one. `summaries`: in their order.
void print_launches(const experiment::CompiledKernel& compiled,
                    const std::vector<metrics::CounterSummary>& summaries);
nlohmann::json launches_json(const experiment::CompiledKernel& compiled,
                             const std::vector<metrics::CounterSummary>& summaries);
void print_summary_csv(const metrics::CounterSummary& summary);  // a line a figure
void print_ncu_line(const metrics::CounterSummary& summary);     // a line of names, a line of values
void print_bank_rows(const std::vector<metrics::BankRow>& rows, const experiment::CompiledKernel& compiled);

}  // namespace gemmscope::cli
