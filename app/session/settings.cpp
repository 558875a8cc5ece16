#include "session/settings.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kGpuRunner = "gpu_runner";

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns an empty object when there is no file.
Result<json> read_file(const fs::path& path) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return json::object();
  std::ifstream in(path);
  json read = json::parse(in, nullptr, false);
  if (!read.is_object())
    return fail("The settings file {} is not a JSON object. Correct or remove it.", path.string());
  return read;
}

}  // namespace

fs::path settings_path() {
  if (const std::string config = environment("XDG_CONFIG_HOME"); !config.empty())
    return fs::path(config) / "gemmscope" / "settings.json";
  if (const std::string home = environment("HOME"); !home.empty())
    return fs::path(home) / ".config" / "gemmscope" / "settings.json";
  return {};
}

Result<Settings> load_settings() {
  const fs::path path = settings_path();
  const Result<json> read = read_file(path);
  if (!read) return tl::unexpected(read.error());
  Settings settings;
  if (const auto runner = read->find(kGpuRunner); runner != read->end()) {
    if (!runner->is_string())
      return fail("\"{}\" in {} is not a string, such as \"ssh lab-gpu gemmscope-gpu-runner\".", kGpuRunner,
                  path.string());
    settings.gpu_runner = runner->get<std::string>();
  }
  return settings;
}

Result<void> save_settings(const Settings& settings) {
  const fs::path path = settings_path();
  if (path.empty()) return fail("The setting was not saved: HOME and XDG_CONFIG_HOME are not set.");
  json all = read_file(path).value_or(json::object());
  all[kGpuRunner] = settings.gpu_runner;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  // Writes a new file beside the old one first, so that a full disk does not cost the settings that were
  // there.
  const fs::path fresh = path.string() + ".new";
  std::ofstream out(fresh);
  out << all.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
  out.close();
  if (out) fs::rename(fresh, path, error);
  if (!out || error)
    return fail("The setting was not saved: {} cannot be written{}.", path.string(),
                error ? " (" + error.message() + ")" : "");
  return {};
}

}  // namespace gemmscope::session
