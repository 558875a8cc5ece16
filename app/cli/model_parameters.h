// The device of time and stalls: chosen, changed by --set, and printed with the source of each number.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/commands.h"
#include "cli/experiment_options.h"
#include "sm/config.h"

namespace gemmscope::cli {

// `name` is the device where --device does not say it. Errors: an unknown device, a broken device file, a
// wrong --set.
tl::expected<sm::SmConfig, ChoiceError> choose_device(const ModelOptions& model, const std::string& name);

// Takes the device's machine code, unless --arch is given.
void use_arch_of(const sm::SmConfig& device, ExperimentOptions& options);

void print_parameters(const sm::SmConfig& device);
nlohmann::json parameters_json(const sm::SmConfig& device);
// Id, name, compute capability, and the numbers that --set changed.
nlohmann::json device_json(const sm::SmConfig& device, const ModelOptions& model);

}  // namespace gemmscope::cli
