#include "cli/model_parameters.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "experiment/devices.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

Result<std::pair<std::string, double>> parse_setting(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return fail("--set {}: expected NAME=VALUE", text);
  double value = 0;
  const char* const end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
      error != std::errc{} || stop != end)
    return fail("--set {}: \"{}\" is not a number", text, text.substr(equals + 1));
  return std::pair(text.substr(0, equals), value);
}

std::string capability_text(const sm::SmConfig& device) {
  return fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10);
}

}  // namespace

tl::expected<sm::SmConfig, ChoiceError> choose_device(const ModelOptions& model, const std::string& name) {
  const std::string chosen = model.device.empty() ? name : model.device;
  Result<sm::SmConfig> device = experiment::find_device(chosen);
  if (!device) {
    const bool is_file = chosen.ends_with(".toml") || chosen.find('/') != std::string::npos ||
                         std::filesystem::exists(experiment::devices_folder() / (chosen + ".toml"));
    return tl::unexpected(ChoiceError{"--device: " + device.error().message, is_file ? kFailed : kBadUse});
  }
  for (const std::string& text : model.set) {
    const auto setting = parse_setting(text);
    if (!setting) return tl::unexpected(ChoiceError{setting.error().message, kBadUse});
    if (const auto set = sm::set_parameter(*device, setting->first, setting->second); !set)
      return tl::unexpected(ChoiceError{fmt::format("--set {}: {}", text, set.error().message), kBadUse});
    device->sources[setting->first] = "--set";
  }
  return *std::move(device);
}

void use_arch_of(const sm::SmConfig& device, ExperimentOptions& options) {
  if (options.arch_given) return;
  options.arch = isa::arch_name(experiment::arch_of(device));
  options.arch_given = true;
}

void print_parameters(const sm::SmConfig& device) {
  fmt::print("{}, compute capability {}\n", device.name, capability_text(device));
  size_t width = 0;
  for (const sm::Parameter& parameter : sm::parameters())
    width = std::max(width, std::string_view(parameter.name).size());
  for (const sm::Parameter& parameter : sm::parameters())
    fmt::print("{:<{}}  {:>9} {:<12}  {}\n{:<{}}  from: {}\n", parameter.name, width, device.*parameter.value,
               parameter.is_switch() ? "" : parameter.unit, parameter.meaning, "", width + 24,
               device.sources.at(parameter.name));
}

json parameters_json(const sm::SmConfig& device) {
  json list = json::array();
  for (const sm::Parameter& parameter : sm::parameters())
    list.push_back({{"name", parameter.name},
                    {"value", device.*parameter.value},
                    {"unit", parameter.unit},
                    {"meaning", parameter.meaning},
                    {"source", device.sources.at(parameter.name)}});
  return {
      {"device", {{"id", device.id}, {"name", device.name}, {"compute_capability", capability_text(device)}}},
      {"parameters", list}};
}

json device_json(const sm::SmConfig& device, const ModelOptions& model) {
  json changed = json::object();
  for (const std::string& text : model.set) {
    const std::string name = text.substr(0, text.find('='));
    changed[name] = device.*sm::find_parameter(name)->value;
  }
  return {{"id", device.id},
          {"name", device.name},
          {"compute_capability", capability_text(device)},
          {"changed", changed}};
}

}  // namespace gemmscope::cli
