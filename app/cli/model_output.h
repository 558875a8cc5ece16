// Prints modelled times and stalls.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "experiment/model_report.h"
#include "experiment/recorded_time.h"

namespace gemmscope::cli {

using experiment::ModelReport;
using experiment::RecordedTime;

// "+1.2 %": how far the modelled time is from the recorded one.
std::string error_text(double modelled, double recorded);

// `changed`: numbers of the device are not its own, so that no recording is of it.
void print_time(const ModelReport& report, const std::optional<RecordedTime>& recorded, bool changed);
nlohmann::json time_json(const ModelReport& report, const std::optional<RecordedTime>& recorded);

// Of the launch that is shown.
void print_stalls(const ModelReport& report, const experiment::CompiledKernel& compiled);
nlohmann::json stalls_json(const ModelReport& report, const experiment::CompiledKernel& compiled);

}  // namespace gemmscope::cli
