// Prints what tune found at one size.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment/tune_choice.h"

namespace gemmscope::cli {

struct TuneReport {
  catalog::Problem problem;
  std::vector<experiment::TuneResult> searches;    // one a kernel
  std::vector<experiment::TunedVariant> variants;  // those to measure
  std::optional<experiment::VariantKey> by_size;   // what the table by size takes, if it is among them
  std::optional<experiment::Timings> timings;      // nothing: not measured
};

// `origin`: "modelled for NVIDIA H200, no GPU: …".
void print_tune_report(const TuneReport& report, const std::string& origin);
nlohmann::json tune_report_json(const TuneReport& report);
// "by_size takes …, the fastest measured is … % faster: …". Empty where it takes the fastest, or was not
// measured.
std::string by_size_sentence(const TuneReport& report);

}  // namespace gemmscope::cli
