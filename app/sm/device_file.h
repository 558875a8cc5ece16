// Device files: the numbers of an SmConfig as TOML, each with its source.
//
//   name = "NVIDIA A100"
//   compute_capability = "8.0"
//   like = "h200"                     # optional: what is not listed is taken over from that device
//   [parameters]
//   sms = { value = 108, source = "NVIDIA A100 whitepaper" }
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sm/config.h"

namespace gemmscope::sm {

// Errors name the file, the line and the key: an unknown or missing key, a value of the wrong kind, a device
// that `like` does not find.
Result<SmConfig> read_device(const std::filesystem::path& file);

struct DeviceList {
  std::vector<SmConfig> devices;  // by name
  std::vector<Error> errors;      // of files that could not be read
  const SmConfig* find(std::string_view id) const;
};
// All files of the folder that end in .toml.
DeviceList read_devices(const std::filesystem::path& folder);

}  // namespace gemmscope::sm
