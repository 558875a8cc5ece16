#include "session/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "session/user_folders.h"
#include "session/view_state.h"
#include "session/zoom.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

// ---- values: each has the type that its setting needs, and lies within its limits

bool take(const json& value, std::string& to) {
  if (!value.is_string()) return false;
  to = value.get<std::string>();
  return true;
}
bool take(const json& value, bool& to) {
  if (!value.is_boolean()) return false;
  to = value.get<bool>();
  return true;
}
bool take(const json& value, float& to, float least, float most) {
  if (!value.is_number()) return false;
  to = static_cast<float>(std::clamp<double>(value.get<double>(), least, most));
  return true;
}
template <typename Integer>
bool take(const json& value, Integer& to, int64_t least, int64_t most) {
  if (!value.is_number_integer()) return false;
  to = static_cast<Integer>(std::clamp(value.get<int64_t>(), least, most));
  return true;
}

bool take_share(const json& object, const char* name, float& to) {
  const auto value = object.find(name);
  return value == object.end() || take(*value, to, kLeastShare, kMostShare);
}

bool take_panels(const json& value, Settings& s) {
  if (!value.is_object()) return false;
  const auto width = value.find("experiment_points");
  if (width != value.end() && !take(*width, s.panels.experiment, 0, kMostPanelWidth)) return false;
  if (s.panels.experiment > 0) s.panels.experiment = std::max(s.panels.experiment, kLeastPanelWidth);
  const auto pictures = value.find("pictures_share");
  if (pictures != value.end() && !take(*pictures, s.panels.pictures, 0, kMostShare)) return false;
  if (s.panels.pictures > 0) s.panels.pictures = std::max(s.panels.pictures, kLeastShare);
  return take_share(value, "code_share", s.panels.code) &&
         take_share(value, "columns_share", s.panels.columns) &&
         take_share(value, "page_code_share", s.panels.page_code) &&
         take_share(value, "pipeline_share", s.panels.pipeline) &&
         take_share(value, "compared_share", s.panels.compared) &&
         take_share(value, "compared_code_share", s.panels.compared_code);
}
json give_panels(const Settings& s) {
  return {{"experiment_points", s.panels.experiment}, {"code_share", s.panels.code},
          {"pictures_share", s.panels.pictures},      {"pipeline_share", s.panels.pipeline},
          {"columns_share", s.panels.columns},        {"page_code_share", s.panels.page_code},
          {"compared_share", s.panels.compared},      {"compared_code_share", s.panels.compared_code}};
}

constexpr std::array kSides = {"m", "n", "k"};
constexpr int64_t kMostSide = 1 << 20;  // of the matrices; more is not executed anyway

bool take_problem(const json& value, Settings& s) {
  if (!value.is_object()) return false;
  for (size_t i = 0; i < s.sizes.size(); ++i)
    if (value.contains(kSides[i]) && !take(value[kSides[i]], s.sizes[i], 1, kMostSide)) return false;
  for (const auto& [name, scale] : {std::pair("alpha", &s.alpha), {"beta", &s.beta}})
    if (value.contains(name) &&
        !take(value[name], *scale, std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()))
      return false;
  return true;
}
json give_problem(const Settings& s) {
  json problem = {{"alpha", s.alpha}, {"beta", s.beta}};
  for (size_t i = 0; i < s.sizes.size(); ++i) problem[kSides[i]] = s.sizes[i];
  return problem;
}

bool take_toggles(const json& value, Settings& s) {
  if (!value.is_object()) return false;
  for (const auto& [name, toggle] : value.items()) {
    if (!toggle.is_number_integer()) return false;
    s.toggles[name] = toggle.get<int64_t>();
  }
  return true;
}

bool take_inputs(const json& value, Settings& s) {
  if (!value.is_object()) return false;
  for (const auto& [name, text] : value.items()) {
    if (!text.is_string()) return false;
    s.inputs[name] = text.get<std::string>();
  }
  return true;
}

bool take_window(const json& value, Settings& s) {
  constexpr int64_t kMostPixels = 16384;
  if (!value.is_object()) return false;
  return (!value.contains("width") || take(value["width"], s.window_width, 0, kMostPixels)) &&
         (!value.contains("height") || take(value["height"], s.window_height, 0, kMostPixels));
}

bool take_words(const json& value, Settings& s) {
  constexpr size_t kMost = 12;
  if (!value.is_array()) return false;
  s.recently_found.clear();
  for (const json& word : value) {
    if (!word.is_string()) return false;
    if (s.recently_found.size() < kMost) s.recently_found.push_back(word.get<std::string>());
  }
  return true;
}

struct Entry {
  const char *name, *kind;
  bool (*take)(const json&, Settings&);
  json (*give)(const Settings&);
};
constexpr const char* kNumber = "a number";
constexpr Entry kEntries[] = {
    {"gpu_runner", "a string, such as \"ssh lab-gpu gemmscope-gpu-runner\"",
     [](const json& v, Settings& s) { return take(v, s.gpu_runner); },
     [](const Settings& s) { return json(s.gpu_runner); }},
    {"light_theme", "true or false", [](const json& v, Settings& s) { return take(v, s.light); },
     [](const Settings& s) { return json(s.light); }},
    {"language", "\"en\" or \"zh\"",
     [](const json& v, Settings& s) {
       return take(v, s.language) && (s.language.empty() || s.language == "en" || s.language == "zh");
     },
     [](const Settings& s) { return json(s.language); }},
    {"zoom", kNumber, [](const json& v, Settings& s) { return take(v, s.zoom, kMinZoom, kMaxZoom); },
     [](const Settings& s) { return json(s.zoom); }},
    {"presenting_zoom", kNumber,
     [](const json& v, Settings& s) { return take(v, s.presenting_zoom, kMinZoom, kMaxZoom); },
     [](const Settings& s) { return json(s.presenting_zoom); }},
    {"window", "an object of width and height", take_window,
     [](const Settings& s) {
       return json{{"width", s.window_width}, {"height", s.window_height}};
     }},
    {"panels", "an object of numbers", take_panels, give_panels},
    {"kernel", "a string", [](const json& v, Settings& s) { return take(v, s.kernel); },
     [](const Settings& s) { return json(s.kernel); }},
    {"file", "a string", [](const json& v, Settings& s) { return take(v, s.file); },
     [](const Settings& s) { return json(s.file); }},
    {"problem", "an object of m, n, k, alpha and beta, all numbers", take_problem, give_problem},
    {"toggles", "an object of whole numbers", take_toggles,
     [](const Settings& s) { return s.toggles.empty() ? json::object() : json(s.toggles); }},
    {"inputs", "an object of strings", take_inputs,
     [](const Settings& s) { return s.inputs.empty() ? json::object() : json(s.inputs); }},
    {"architecture", "a whole number, such as 90",
     [](const json& v, Settings& s) { return take(v, s.arch, 0, 999); },
     [](const Settings& s) { return json(s.arch); }},
    {"recently_found", "a list of strings", take_words,
     [](const Settings& s) { return json(s.recently_found); }},
    {"steps_per_second", kNumber,
     [](const json& v, Settings& s) { return take(v, s.steps_per_second, kSlowestPlay, kFastestPlay); },
     [](const Settings& s) { return json(s.steps_per_second); }},
    {"cycles_per_second", kNumber,
     [](const json& v, Settings& s) { return take(v, s.cycles_per_second, kSlowestPlay, kFastestPlay); },
     [](const Settings& s) { return json(s.cycles_per_second); }}};

}  // namespace

fs::path settings_path() {
  const fs::path config = user_folder("XDG_CONFIG_HOME", ".config");
  return config.empty() ? config : config / "gemmscope" / "settings.json";
}

Result<Settings> load_settings() {
  const fs::path path = settings_path();
  const Result<json> read = read_file(path);
  if (!read) return tl::unexpected(read.error());
  Settings settings;
  for (const Entry& entry : kEntries) {
    const auto value = read->find(entry.name);
    if (value == read->end()) continue;
    if (!entry.take(*value, settings))
      return fail("\"{}\" in {} is not {}.", entry.name, path.string(), entry.kind);
  }
  return settings;
}

Result<void> save_settings(const Settings& settings) {
  const fs::path path = settings_path();
  if (path.empty()) return fail("The setting was not saved: HOME and XDG_CONFIG_HOME are not set.");
  json all = read_file(path).value_or(json::object());
  for (const Entry& entry : kEntries) all[entry.name] = entry.give(settings);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  // Writes a new file beside the old one first, so that a full disk does not cost the settings that were
  // there. Two windows may write at a time: each has a file of its own.
  const fs::path fresh = fmt::format("{}.{}.new", path.string(), getpid());
  std::ofstream out(fresh);
  out << all.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
  out.close();
  if (out) fs::rename(fresh, path, error);
  if (out && !error) return {};
  std::error_code ignored;
  fs::remove(fresh, ignored);
  return fail("The setting was not saved: {} cannot be written{}.", path.string(),
              error ? " (" + error.message() + ")" : "");
}

Result<fs::path> set_settings_aside() {
  const fs::path path = settings_path(), aside = path.string() + ".unreadable";
  std::error_code error;
  fs::rename(path, aside, error);
  if (error) return fail("{} could not be renamed ({}).", path.string(), error.message());
  return aside;
}

}  // namespace gemmscope::session
