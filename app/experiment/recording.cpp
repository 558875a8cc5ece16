// Writes recordings and finds them; read_recording.cpp reads them.
#include "experiment/recording.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace gemmscope::experiment {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

double rounded(double value, double units) { return std::round(value * units) / units; }

// Members with their default value are left out.
void add(json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}
void add(json& object, const char* key, double value, double default_value) {
  if (value != default_value) object[key] = value;
}

json device_json(const TimedDevice& device) {
  json object;
  object["name"] = device.name;
  if (device.compute_capability != 0) object["compute_capability"] = device.compute_capability;
  if (device.sm_count != 0) object["sm_count"] = device.sm_count;
  add(object, "max_clock_mhz", device.max_clock_mhz, 0);
  add(object, "memory_gb_per_second", device.memory_gb_per_second, 0);
  add(object, "l2_gb_per_second", device.l2_gb_per_second, 0);
  add(object, "l1_gb_per_second", device.l1_gb_per_second, 0);
  add(object, "driver", device.driver_version);
  add(object, "cuda", device.cuda_version);
  add(object, "library", device.library);
  add(object, "peak_fp32", device.peak_fp32, 0);
  add(object, "peak_tf32", device.peak_tf32, 0);
  add(object, "peak_bf16", device.peak_bf16, 0);
  return object;
}

json variant_json(const TimedVariant& variant) {
  json object;
  object["id"] = variant.id;
  object["title"] = variant.title;
  if (!variant.toggles.empty()) object["toggles"] = variant.toggles;
  object["grade"] = grade_name(variant.grade);
  if (variant.is_library) object["library"] = true;
  if (!variant.is_product) object["product"] = false;
  add(object, "largest_error", variant.largest_error, -1);
  add(object, "error_ratio", variant.error_ratio, -1);
  add(object, "trouble", variant.trouble);
  add(object, "note", variant.note);
  json& samples = object["samples"] = json::array();
  for (const Sample& s : variant.samples)
    samples.push_back({rounded(s.at_seconds, 1e6), rounded(s.ms, 1e6), rounded(s.sm_clock_mhz, 10)});
  return object;
}

// Everything but the variants.
json run_json(const Timings& run) {
  json object;
  add(object, "title", run.title);
  object["m"] = run.problem.m;
  object["n"] = run.problem.n;
  object["k"] = run.problem.k;
  object["alpha"] = run.problem.alpha;
  object["beta"] = run.problem.beta;
  object["l2_flushed"] = run.l2_flushed;
  add(object, "trouble", run.trouble);
  add(object, "notice", run.notice);
  return object;
}

// Texts come from drivers and compilers, so bytes that are not UTF-8 are replaced.
std::string compact(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

// The object's text without its closing brace.
std::string open_text(const json& object) {
  std::string text = compact(object);
  text.pop_back();
  return text;
}

}  // namespace

std::string recording_text(const Recording& recording) {
  const Timings common = recording.empty() ? Timings{} : recording.front();
  json head;
  head["gemmscope_recording"] = kRecordingVersion;
  add(head, "date", common.date);
  add(head, "command", common.command);
  add(head, "source", common.source);
  head["device"] = device_json(common.device);
  std::string text = open_text(head) + ",\n\"runs\":[";
  for (size_t i = 0; i < recording.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + open_text(run_json(recording[i])) + ",\"variants\":[";
    for (size_t k = 0; k < recording[i].variants.size(); ++k)
      text += (k == 0 ? "\n" : ",\n") + compact(variant_json(recording[i].variants[k]));
    text += "\n]}";
  }
  return text + "\n]}\n";
}

Result<void> write_recording(const fs::path& path, const Recording& recording) {
  std::ofstream file(path, std::ios::binary);
  file << recording_text(recording);
  file.close();
  if (!file) return fail("{} cannot be written; choose another path", path.string());
  return {};
}

Result<Recording> read_recording(const fs::path& path) {
  constexpr size_t kMostBytes = size_t{256} << 20;
  std::error_code error;
  if (const auto size = fs::file_size(path, error); !error && size > kMostBytes)
    return fail("{} is larger than a recording can be", path.string());
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (error || !file) return fail("{} cannot be read", path.string());
  return parse_recording(text.str(), path.filename().string());
}

std::vector<std::string> renumber_kernels(Recording& recording, const catalog::Catalog& catalog) {
  std::set<std::string> changes;
  for (Timings& run : recording)
    for (TimedVariant& variant : run.variants) {
      if (catalog.find(variant.id) != nullptr) continue;
      const catalog::Kernel* kernel = catalog.find_renumbered(variant.id);
      if (kernel == nullptr) continue;
      changes.insert(fmt::format("{} is now {}", variant.id, kernel->id));
      variant.id = kernel->id;
    }
  return {changes.begin(), changes.end()};
}

Recordings read_recordings(const fs::path& folder) {
  Recordings found;
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (entry->path().extension() == ".json") paths.push_back(entry->path());
  if (error)
    found.errors.push_back(
        {fmt::format("the folder of recordings {} cannot be read: {}", folder.string(), error.message())});
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    Result<Recording> recording = read_recording(path);
    if (recording) {
      found.files.push_back({path, std::move(*recording)});
    } else {
      found.errors.push_back(recording.error());
    }
  }
  return found;
}

fs::path recordings_folder() { return catalog::assets_folder() / "recordings"; }

}  // namespace gemmscope::experiment
