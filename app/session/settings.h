// Stores what the program remembers from one start to the next: $XDG_CONFIG_HOME/gemmscope/settings.json,
// else ~/.config/gemmscope/settings.json (XDG Base Directory Specification).
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

// Empty when the environment names no home.
std::filesystem::path settings_path();

// A missing file holds no settings. Fails, naming the file, when it cannot be read, is not JSON, or a setting
// has the wrong type.
Result<Settings> load_settings();
// Keeps the file's other settings, unless it is not JSON. Errors name the file.
Result<void> save_settings(const Settings& settings);

}  // namespace gemmscope::session
