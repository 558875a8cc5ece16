#include "sm/config.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gemmscope::sm {
namespace {

constexpr std::array kParameters = {
#define SM_PARAMETER(name, unit, meaning) Parameter{#name, unit, meaning, &SmConfig::name},
#include "sm/parameters.def"
#undef SM_PARAMETER
};

// These divide, or count something that a device must have.
constexpr std::array kPositive = {"sms",
                                  "clock_mhz",
                                  "tensor_clock_share",
                                  "fma_halves",
                                  "read_window_cycles",
                                  "queue_depth",
                                  "mio_queue_depth",
                                  "return_bytes",
                                  "l1_kib",
                                  "l0_kib",
                                  "l1i_kib",
                                  "l2_sm_bytes",
                                  "l2_chip_bytes",
                                  "store_sm_bytes",
                                  "store_chip_bytes",
                                  "store_chip_line_bytes",
                                  "store_mean_share",
                                  "dram_gb_s",
                                  "runs"};

}  // namespace

std::span<const Parameter> parameters() { return kParameters; }

const Parameter* find_parameter(std::string_view name) {
  const auto found = std::ranges::find(kParameters, name, &Parameter::name);
  return found == kParameters.end() ? nullptr : &*found;
}

Result<void> set_parameter(SmConfig& config, std::string_view name, double value) {
  const Parameter* parameter = find_parameter(name);
  if (parameter == nullptr)
    return fail("The model of an SM has no parameter {}; gemmscope time --parameters lists them.", name);
  const bool positive = std::ranges::find(kPositive, name) != kPositive.end();
  if (!std::isfinite(value) || value < 0 || (positive && value == 0))
    return fail("{} cannot be {}; give {}.", name, value, positive ? "a number above 0" : "0 or more");
  if (parameter->is_switch() && value != 0 && value != 1)
    return fail("{} cannot be {}; it is a switch: give 0 or 1.", name, value);
  config.*parameter->value = value;
  return {};
}

}  // namespace gemmscope::sm
