// Stores what the program remembers from one start to the next: $XDG_CONFIG_HOME/gemmscope/settings.json,
// else ~/.config/gemmscope/settings.json (XDG Base Directory Specification).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "session/panels.h"
#include "session/present_state.h"

namespace gemmscope::session {

struct Settings {
  // Command line of the GPU runner (gpu/find_runner.h); empty: the one beside the program.
  std::string gpu_runner = {};
  bool light = false;
  std::string language = {};  // "en" or "zh"; empty: the environment's
  float zoom = 1, presenting_zoom = kPresentingZoom;
  int window_width = 0, window_height = 0;  // screen coordinates; 0: the program chooses
  PanelSizes panels = {};
  std::string kernel = {};                         // empty: the program chooses
  std::string file = {};                           // of the user's, when the kernel is one; else empty
  std::array<int64_t, 3> sizes = {256, 256, 256};  // M, N, K
  float alpha = 1, beta = 0;                       // finite
  std::map<std::string, int64_t> toggles = {};
  std::map<std::string, std::string> inputs = {};  // typed expressions, by macro
  int arch = 0;  // compute capability of the machine code, 90 for 9.0; 0: the program chooses
  std::vector<std::string> recently_found = {};  // ids (session/found_things.h), the last one first
  float steps_per_second = 8, cycles_per_second = 200;
  friend bool operator==(const Settings&, const Settings&) = default;
};

// Empty when the environment names no home.
std::filesystem::path settings_path();

// A missing file holds no settings. Numbers beyond their limits are brought within them. Fails, naming the
// file, when it cannot be read, is not JSON, or a setting has the wrong type.
Result<Settings> load_settings();
// Keeps what a later version wrote into the file, unless it is not JSON. The file is replaced at once or not
// at all. Errors name the file.
Result<void> save_settings(const Settings& settings);
// Renames a file that load_settings() refuses, so that nothing of it is lost; gives its new name.
Result<std::filesystem::path> set_settings_aside();

}  // namespace gemmscope::session
