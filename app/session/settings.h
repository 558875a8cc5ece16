// What the program remembers from one start to the next: $XDG_CONFIG_HOME/gemmscope/settings.json, else
// ~/.config/gemmscope/settings.json (XDG Base Directory Specification).
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace gemmscope::session {

struct Settings {
  // Command line of the GPU runner (gpu/find_runner.h); empty: the one beside the program.
  std::string gpu_runner;
  friend bool operator==(const Settings&, const Settings&) = default;
};

// Empty where the environment names no home.
std::filesystem::path settings_path();

// A file that is not there holds no settings. Errors: it cannot be read, it is not JSON, a setting is not of
// its type; they name the file.
Result<Settings> load_settings();
// What the file holds besides stays, unless it is no JSON. Errors name the file.
Result<void> save_settings(const Settings& settings);

}  // namespace gemmscope::session
