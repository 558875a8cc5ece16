// The numbers of one device, as the model of its SM reads them. They are data: a device is a file in
// assets/devices/ (device_file.h).
#pragma once

#include <map>
#include <span>
#include <string>

#include "base/error.h"

namespace gemmscope::sm {

struct SmConfig {
  std::string id;    // "h200", the file's name
  std::string name;  // "NVIDIA H200"
  int compute_capability = 90;
#define SM_PARAMETER(name, unit, meaning) double name = 0;
#include "sm/parameters.def"
#undef SM_PARAMETER
  std::map<std::string, std::string> sources;  // by parameter: where its value comes from

  double dram_bytes_per_cycle() const { return dram_gb_s * 1e3 / clock_mhz; }
};

struct Parameter {
  const char* name;
  const char* unit;
  const char* meaning;
  double SmConfig::*value;
  bool is_switch() const { return std::string_view(unit) == "switch"; }
};
std::span<const Parameter> parameters();
const Parameter* find_parameter(std::string_view name);  // null: there is none

// Changes one number. Errors: a name that is not a parameter, a value that it cannot have.
Result<void> set_parameter(SmConfig& config, std::string_view name, double value);

}  // namespace gemmscope::sm
