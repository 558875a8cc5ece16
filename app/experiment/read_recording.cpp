#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiment/recording.h"
#include "experiment/size_sweep.h"

namespace gemmscope::experiment {
namespace {

using nlohmann::json;

constexpr int64_t kMostSize = 2147483647;

// Reads members of JSON objects and keeps the first error.
class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}
  const std::optional<Error>& error() const { return error_; }

  void complain(const std::string& place, const std::string& what) {
    if (!error_) error_ = Error{fmt::format("{}: {} {}", name_, place.empty() ? "the file" : place, what)};
  }

  // Returns the member if it has this type; else reports an error and returns null.
  const json* required(const json& object, const std::string& place, const char* key, json::value_t type,
                       const char* what) {
    const auto found = object.find(key);
    const std::string member = place.empty() ? key : place + "." + key;
    if (found == object.end()) return complain(member, "is missing"), nullptr;
    if (found->type() != type) return complain(member, fmt::format("is not {}", what)), nullptr;
    return &*found;
  }

  void text(const json& object, const std::string& place, const char* key, std::string& value) {
    if (const json* found = optional(object, key)) {
      if (!found->is_string()) return complain(member(place, key), "is not a string");
      value = found->get<std::string>();
    }
  }
  void flag(const json& object, const std::string& place, const char* key, bool& value) {
    if (const json* found = optional(object, key)) {
      if (!found->is_boolean()) return complain(member(place, key), "is neither true nor false");
      value = found->get<bool>();
    }
  }
  template <typename T>
  void number(const json& object, const std::string& place, const char* key, T& value, double least) {
    if (const json* found = optional(object, key)) {
      if (!found->is_number() || found->get<double>() < least)
        return complain(member(place, key), fmt::format("is not a number of at least {}", least));
      value = static_cast<T>(found->get<double>());
    }
  }
  template <typename T>
  void whole(const json& object, const std::string& place, const char* key, T& value) {
    if (const json* found = optional(object, key)) {
      const bool fits = found->is_number_unsigned() && found->get<uint64_t>() <= uint64_t{kMostSize};
      if (!fits)
        return complain(member(place, key), fmt::format("is not a whole number from 0 to {}", kMostSize));
      value = static_cast<T>(found->get<int64_t>());
    }
  }

 private:
  static std::string member(const std::string& place, const char* key) {
    return place.empty() ? key : place + "." + key;
  }
  static const json* optional(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  std::string_view name_;
  std::optional<Error> error_;
};

void read_device(Reader& reader, const json& object, TimedDevice& device) {
  const std::string place = "device";
  if (reader.required(object, place, "name", json::value_t::string, "a string") == nullptr) return;
  reader.text(object, place, "name", device.name);
  reader.whole(object, place, "compute_capability", device.compute_capability);
  reader.whole(object, place, "sm_count", device.sm_count);
  reader.number(object, place, "max_clock_mhz", device.max_clock_mhz, 0);
  reader.number(object, place, "memory_gb_per_second", device.memory_gb_per_second, 0);
  reader.number(object, place, "l2_gb_per_second", device.l2_gb_per_second, 0);
  reader.number(object, place, "l1_gb_per_second", device.l1_gb_per_second, 0);
  reader.text(object, place, "driver", device.driver_version);
  reader.text(object, place, "cuda", device.cuda_version);
  reader.text(object, place, "library", device.library);
  reader.number(object, place, "peak_fp32", device.peak_fp32, 0);
  reader.number(object, place, "peak_tf32", device.peak_tf32, 0);
  reader.number(object, place, "peak_bf16", device.peak_bf16, 0);
}

void read_sample(Reader& reader, const json& row, const std::string& place, TimedVariant& variant) {
  const bool numbers = row.is_array() && row.size() == 3 &&
                       std::all_of(row.begin(), row.end(),
                                   [](const json& n) { return n.is_number() && n.get<double>() >= 0; });
  if (!numbers || !(row[1].get<double>() > 0))
    return reader.complain(place, "is not three numbers [seconds, milliseconds above 0, MHz]");
  variant.samples.push_back({row[0].get<double>(), row[1].get<double>(), row[2].get<double>()});
}

void read_toggles(Reader& reader, const json& object, const std::string& place, TimedVariant& variant) {
  const auto toggles = object.find("toggles");
  if (toggles == object.end()) return;
  if (!toggles->is_object()) return reader.complain(place + ".toggles", "is not an object");
  for (const auto& [name, value] : toggles->items()) {
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX))
      return reader.complain(place + ".toggles." + name, "is not a whole number");
    variant.toggles[name] = value.get<int64_t>();
  }
}

void read_grade(Reader& reader, const json& object, const std::string& place, TimedVariant& variant) {
  std::string name = grade_name(Grade::fp32);
  reader.text(object, place, "grade", name);
  for (const Grade grade : {Grade::fp32, Grade::tf32, Grade::bf16})
    if (name == grade_name(grade)) {
      variant.grade = grade;
      return;
    }
  reader.complain(place + ".grade", "is none of FP32, TF32 and BF16");
}

void read_variant(Reader& reader, const json& object, const std::string& place, TimedVariant& variant) {
  if (!object.is_object()) return reader.complain(place, "is not an object");
  if (reader.required(object, place, "id", json::value_t::string, "a string") == nullptr) return;
  reader.text(object, place, "id", variant.id);
  variant.title = variant.id;
  reader.text(object, place, "title", variant.title);
  read_toggles(reader, object, place, variant);
  read_grade(reader, object, place, variant);
  reader.flag(object, place, "library", variant.is_library);
  reader.flag(object, place, "product", variant.is_product);
  reader.number(object, place, "largest_error", variant.largest_error, 0);
  reader.number(object, place, "error_ratio", variant.error_ratio, 0);
  reader.text(object, place, "trouble", variant.trouble);
  reader.text(object, place, "note", variant.note);
  const json* samples = reader.required(object, place, "samples", json::value_t::array, "a list");
  if (samples == nullptr) return;
  for (size_t i = 0; i < samples->size(); ++i)
    read_sample(reader, (*samples)[i], fmt::format("{}.samples[{}]", place, i), variant);
}

void read_problem(Reader& reader, const json& object, const std::string& place, catalog::Problem& problem) {
  for (const auto& [key, size] :
       {std::pair("m", &problem.m), std::pair("n", &problem.n), std::pair("k", &problem.k)}) {
    if (!object.contains(key)) return reader.complain(place + "." + key, "is missing");
    reader.whole(object, place, key, *size);
  }
  const bool known = problem.m > 0 && problem.n > 0 && problem.k > 0;
  if (!known && problem.m + problem.n + problem.k > 0)
    reader.complain(place,
                    "has sizes m, n and k of which some are 0; all must be 0 where the sizes are not known");
  reader.number(object, place, "alpha", problem.alpha, -3e38);
  reader.number(object, place, "beta", problem.beta, -3e38);
}

void read_run(Reader& reader, const json& object, const std::string& place, Timings& run) {
  if (!object.is_object()) return reader.complain(place, "is not an object");
  reader.text(object, place, "title", run.title);
  read_problem(reader, object, place, run.problem);
  reader.flag(object, place, "l2_flushed", run.l2_flushed);
  reader.text(object, place, "trouble", run.trouble);
  reader.text(object, place, "notice", run.notice);
  const json* variants = reader.required(object, place, "variants", json::value_t::array, "a list");
  if (variants == nullptr) return;
  for (size_t i = 0; i < variants->size() && !reader.error(); ++i)
    read_variant(reader, (*variants)[i], fmt::format("{}.variants[{}]", place, i),
                 run.variants.emplace_back());
}

Recording read_file(Reader& reader, const json& file) {
  Timings common;
  common.provenance = Provenance::recorded;
  reader.text(file, "", "date", common.date);
  reader.text(file, "", "command", common.command);
  reader.text(file, "", "source", common.source);
  if (const json* device = reader.required(file, "", "device", json::value_t::object, "an object"))
    read_device(reader, *device, common.device);
  Recording recording;
  const json* runs = reader.required(file, "", "runs", json::value_t::array, "a list");
  for (size_t i = 0; runs != nullptr && i < runs->size() && !reader.error(); ++i) {
    recording.push_back(common);
    read_run(reader, (*runs)[i], fmt::format("runs[{}]", i), recording.back());
  }
  return recording;
}

// "line 3, column 7" for byte `offset`; all three count from 1.
std::string place_in(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset == 0 ? 0 : offset - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

}  // namespace

Result<Recording> parse_recording(std::string_view text, std::string_view name) {
  json file;
  try {
    file = json::parse(text);
  } catch (const json::parse_error& error) {
    return fail("{}: {} is not valid JSON; it must be a file that gemmscope record has written", name,
                place_in(text, error.byte));
  } catch (const json::out_of_range&) {
    return fail("{}: a number is out of range; it must be a file that gemmscope record has written", name);
  }
  const auto version = file.is_object() ? file.find("gemmscope_recording") : file.end();
  if (!file.is_object() || version == file.end())
    return fail("{}: \"gemmscope_recording\" is missing, so this is not a recording", name);
  if (*version != kRecordingVersion)
    return fail("{}: this recording has version {}, but this program reads version {}", name, version->dump(),
                kRecordingVersion);
  Reader reader(name);
  Recording recording = read_file(reader, file);
  if (reader.error()) return tl::unexpected(*reader.error());
  mark_sweep(recording);
  return recording;
}

}  // namespace gemmscope::experiment
