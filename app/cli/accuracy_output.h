// Prints how far the model is from a recording.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiment/model_accuracy.h"

namespace gemmscope::cli {

void print_accuracy(const std::vector<experiment::AccuracyEntry>& entries, const sm::SmConfig& device);
nlohmann::json accuracy_json(const std::vector<experiment::AccuracyEntry>& entries);

}  // namespace gemmscope::cli
